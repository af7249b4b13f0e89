/* SPDX-License-Identifier: MIT */
/* What is known of a server, in its folder. */
#include "base/mem.h"
#include "lab/server_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STATE_BYTES_MAX ((size_t)1 << 20)

const char *const server_kind_names[SERVER_KINDS + 1] = {
    [SERVER_POSTGRES] = "postgres",
    [SERVER_MARIADB] = "mariadb",
    [SERVER_MYSQL] = "mysql",
    NULL,
};

const char *const server_preset_names[] = {"stock", "oltp", "nosync", NULL};

#define TEXT(m, lname, what) \
    OPT_STR(struct server_state, m, lname, 0, NULL, "TEXT", what)
#define FLAG(m, lname, what) \
    OPT_BOOL(struct server_state, m, lname, 0, NULL, what)
#define NUMBER(m, lname, most, what) \
    OPT_U64(struct server_state, m, lname, 0, NULL, 0, most, "N", what)

static const struct opt state_opts[] = {
    OPT_CHOICE(struct server_state, kind, "kind", 0, NULL, server_kind_names,
               "KIND", "of the server"),
    OPT_CHOICE(struct server_state, preset, "preset", 0, NULL,
               server_preset_names, "NAME", "of its settings"),
    TEXT(version, "version", "of the program"),
    TEXT(bindir, "bindir", "of the programs"),
    TEXT(basedir, "basedir", "that they belong to"),
    TEXT(run_as, "run-as", "who runs it"),
    TEXT(socket_dir, "socket-dir", "of its socket"),
    OPT_STRS(struct server_state, settings, "settings", 0, "NAME=VALUE",
             "of the user"),
    FLAG(has_config, "has-config", "there is a file of the user"),
    FLAG(keep, "keep", "when its maker ends"),
    FLAG(made, "made", "the data is complete"),
    FLAG(port_given, "port-given", "by the user"),
    NUMBER(port, "port", UINT16_MAX, "of 127.0.0.1"),
    NUMBER(pid, "pid", INT32_MAX, "of the first process"),
    NUMBER(start_ticks, "start-ticks", INT64_MAX, "of its start"),
    TEXT(boot, "boot", "of the machine"),
    OPT_END,
};

/* ---- reading ---- */

enum rc server_state_read(struct server *s, struct err *err)
{
    const char *path = server_path(s, SERVER_STATE_FILE);
    enum rc rc;

    if (!path)
        return err_set(err, RC_NOMEM, "out of memory");
    opt_set_init(&s->known);
    opt_set_add(&s->known, "State", state_opts, &s->state);
    opt_set_defaults(&s->known);
    rc = opt_set_config(&s->known, path, err);
    if (rc == RC_USAGE)
        rc = err_set(err, RC_INVALID, "'%s' cannot be read as what dyno wrote",
                     path);
    return rc;
}

/* ---- writing ---- */

/* Double quotes of YAML. */
static void put_text(struct buf *b, const char *text)
{
    buf_putc(b, '"');
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            buf_putc(b, '\\');
        if (c < 0x20)
            buf_printf(b, "\\x%02x", c);
        else
            buf_putc(b, *text);
    }
    buf_puts(b, "\"\n");
}

static void put_key(struct buf *b, const char *name)
{
    for (; *name; name++)
        buf_putc(b, *name == '-' ? '_' : *name);
    buf_puts(b, ": ");
}

static void put_list(struct buf *b, const struct opt_strs *list)
{
    buf_putc(b, '\n');
    for (size_t i = 0; i < list->n; i++) {
        buf_puts(b, "  - ");
        put_text(b, list->items[i]);
    }
}

static void put_row(struct buf *b, const struct opt *o, const void *state)
{
    const char *field = (const char *)state + o->offset;
    const char *text;
    int choice;

    switch (o->type) {
    case OPT_TYPE_U64:
        put_key(b, o->name);
        buf_printf(b, "%llu\n",
                   *(const unsigned long long *)(const void *)field);
        return;
    case OPT_TYPE_BOOL:
        put_key(b, o->name);
        buf_puts(b, *(const bool *)(const void *)field ? "on\n" : "off\n");
        return;
    case OPT_TYPE_CHOICE:
        memcpy(&choice, field, sizeof(choice));
        put_key(b, o->name);
        put_text(b, o->choices[choice]);
        return;
    case OPT_TYPE_STR:
        memcpy(&text, field, sizeof(text));
        if (!text)
            return;
        put_key(b, o->name);
        put_text(b, text);
        return;
    case OPT_TYPE_STRS:
        if (((const struct opt_strs *)(const void *)field)->n == 0)
            return;
        put_key(b, o->name);
        put_list(b, (const struct opt_strs *)(const void *)field);
        return;
    case OPT_TYPE_DURATION:
    case OPT_TYPE_BYTES:
    case OPT_TYPE_SHARE:
        break;
    }
    BUG("a state of type %d is not written", (int)o->type);
}

/* A new file takes the place of the old one. */
static enum rc replace_file(const struct server *s, const struct buf *text,
                            struct err *err)
{
    char now[SERVER_PATH_BYTES], next[SERVER_PATH_BYTES];
    bool written;
    int fd;

    snprintf(now, sizeof(now), "%s/" SERVER_STATE_FILE, s->dir);
    snprintf(next, sizeof(next), "%s/." SERVER_STATE_FILE, s->dir);
    fd =
        open(next, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0)
        return err_errno(err, RC_IO, errno, "cannot write '%s'", next);
    errno = 0;
    written =
        write(fd, text->data, text->len) == (ssize_t)text->len && !fsync(fd);
    close(fd);
    if (written && rename(next, now) == 0)
        return RC_OK;
    return err_errno(err, errno == ENOSPC ? RC_DB_NO_SPACE : RC_IO,
                     errno ? errno : ENOSPC, "cannot write '%s'", now);
}

enum rc server_state_write(const struct server *s, struct err *err)
{
    struct buf text = BUF_INIT(STATE_BYTES_MAX);
    enum rc rc;

    buf_puts(&text, "# A server of dyno's: 'dyno server list' shows it.\n");
    for (const struct opt *o = state_opts; o->name; o++)
        put_row(&text, o, &s->state);
    rc = buf_rc(&text) ? err_set(err, buf_rc(&text), "out of memory")
                       : replace_file(s, &text, err);
    buf_release(&text);
    return rc;
}

/* ---- the process ---- */

/* Start times count from the machine's start.  out holds 40 bytes. */
static void read_boot(char *out, size_t out_len)
{
    const int fd =
        open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? 0 : read(fd, out, out_len - 1);

    if (fd >= 0)
        close(fd);
    out[n > 0 ? n : 0] = '\0';
    out[strcspn(out, "\n")] = '\0';
}

struct process server_process(const struct server *s)
{
    char boot[40];

    read_boot(boot, sizeof(boot));
    if (!s->state.pid || !s->state.boot || strcmp(boot, s->state.boot) != 0)
        return (struct process){0};
    return (struct process){(int64_t)s->state.pid, s->state.start_ticks};
}

enum rc server_state_process(struct server *s, struct process p,
                             struct err *err)
{
    char boot[40];

    read_boot(boot, sizeof(boot));
    s->state.pid = (uint64_t)p.pid;
    s->state.start_ticks = p.start_ticks;
    s->state.boot = arena_strdup(&s->arena, boot);
    if (!s->state.boot)
        return err_set(err, RC_NOMEM, "out of memory");
    return server_state_write(s, err);
}
