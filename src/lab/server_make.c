/* SPDX-License-Identifier: MIT */
/* The folder of a server: its place, its lock; made; what is wanted of it. */
#include "base/mem.h"
#include "base/parse.h"
#include "lab/server_int.h"
#include "lab/tree.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define CONFIG_BYTES_MAX ((size_t)1 << 20)
/* ---- paths ---- */

/* Whether every server takes the path for its socket without quotes. */
static bool is_plain(const char *path)
{
    for (; *path; path++) {
        if (!isalnum((unsigned char)*path) && !strchr("/._-+@%", *path))
            return false;
    }
    return true;
}

/* Below the server's folder, unless the socket's name became too long. */
static const char *socket_folder(struct server *s)
{
    const size_t room = sizeof(((struct sockaddr_un *)NULL)->sun_path) - 1;
    const char *dir = server_path(s, "run");
    char file[64];
    uint64_t hash = 14695981039346656037ULL;

    snprintf(file, sizeof(file), "/.s.PGSQL.%u.lock", UINT16_MAX);
    if (!dir || (strlen(dir) + strlen(file) <= room && is_plain(dir)))
        return dir;
    for (const char *c = s->dir; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211ULL;
    return arena_printf(&s->arena, "/tmp/dyno-%u-%llx", (unsigned)geteuid(),
                        (unsigned long long)hash);
}

enum rc server_find_base(struct server *s, const char *base, struct err *err)
{
    enum rc rc;

    if (!base)
        base = server_base(&s->arena);
    if (!base)
        return err_set(err, RC_USAGE,
                       "there is no home folder for servers; name one with "
                       "--servers");
    rc = tree_make(base, geteuid() == 0 ? 0755 : 0700, err);
    if (rc)
        return rc;
    s->base = server_real_path(s, base);
    return s->base ? RC_OK
                   : err_errno(err, RC_IO, errno, "cannot use '%s'", base);
}

enum rc server_set_paths(struct server *s, struct err *err)
{
    s->dir = arena_printf(&s->arena, "%s/%s", s->base, s->name);
    s->data_dir = s->dir ? server_path(s, "data") : NULL;
    s->log_path = s->dir ? server_path(s, "log") : NULL;
    if (!s->log_path || !s->data_dir)
        return err_set(err, RC_NOMEM, "out of memory");
    if (strlen(s->dir) > SERVER_PATH_BYTES / 4)
        return err_set(err, RC_USAGE, "the folder '%.60s…' has too long a name",
                       s->dir);
    return RC_OK;
}

/* ---- the handle ---- */

struct server *server_new(void)
{
    struct server *s = MEM_NEW(struct server);

    if (!s)
        return NULL;
    s->lock_fd = -1;
    arena_init(&s->arena, SERVER_ARENA_MAX);
    return s;
}

void server_close(struct server *s)
{
    if (!s)
        return;
    if (s->lock_fd >= 0)
        close(s->lock_fd);
    opt_set_release(&s->known);
    arena_release(&s->arena);
    mem_free(s);
}

/* The kernel gives the lock back when its owner dies. */
enum rc server_lock(struct server *s, const char *path, struct err *err)
{
    s->lock_fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (s->lock_fd >= 0 && flock(s->lock_fd, LOCK_EX | LOCK_NB) == 0)
        return RC_OK;
    if (errno == EWOULDBLOCK)
        return err_set(err, RC_BUSY, "another dyno is at work on server '%s'",
                       s->name);
    return err_errno(err, RC_IO, errno, "cannot lock '%s'", path);
}

/* ---- what is wanted ---- */

static enum rc keep_config(struct server *s, const char *path, struct err *err)
{
    struct buf text = BUF_INIT(CONFIG_BYTES_MAX);
    enum rc rc;

    s->state.has_config = path != NULL;
    if (!path)
        return RC_OK;
    rc = buf_read_file(&text, path, err);
    if (!rc)
        rc = server_write_file(s, "config.user", &text, false, err);
    buf_release(&text);
    return rc;
}

static enum rc take_settings(struct server *s, const struct server_spec *spec,
                             struct err *err)
{
    s->state.settings.n = 0;
    for (size_t i = 0; i < spec->settings.n; i++) {
        const char *text = spec->settings.items[i];
        const enum rc rc = server_check_setting(s->kind, text, err);

        if (rc)
            return rc;
        text = arena_strdup(&s->arena, text);
        if (!text)
            return err_set(err, RC_NOMEM, "out of memory");
        s->state.settings.items[s->state.settings.n++] = text;
    }
    return RC_OK;
}

/* All but the file of the user, which needs the folder. */
static enum rc take_spec(struct server *s, const struct server_spec *spec,
                         struct err *err)
{
    s->state.preset = spec->preset;
    s->state.keep = spec->keep;
    s->state.port_given = spec->port != 0;
    if (spec->port)
        s->state.port = spec->port;
    if (spec->port && !server_running(s) && !port_is_free(spec->port))
        return err_set(err, RC_BUSY,
                       "port %u of 127.0.0.1 is in use; leave --port out to "
                       "get a free one",
                       (unsigned)spec->port);
    if (spec->config && access(spec->config, R_OK))
        return err_errno(err, RC_NOT_FOUND, errno,
                         "--server-config: cannot read '%s'", spec->config);
    return take_settings(s, spec, err);
}

/* Relative ones mean another folder later. */
static enum rc absolute(struct server *s, const char **dir, struct err *err)
{
    const char *given = *dir;

    if (!given)
        return RC_OK;
    *dir = server_real_path(s, given);
    return *dir ? RC_OK
                : err_errno(err, RC_USAGE, errno, "--bindir: cannot use '%s'",
                            given);
}

/* ---- making ---- */

static enum rc check_free_name(const struct server *s, struct err *err)
{
    struct server *there;
    enum rc rc;

    if (access(s->dir, F_OK))
        return RC_OK;
    if (server_look(s->base, s->name, &there, NULL))
        return err_set(err, RC_BUSY,
                       "'%s' is there and is no server of dyno's; choose "
                       "another name, or another folder with --servers",
                       s->dir);
    rc = server_lock(there, there->dir, err);
    server_close(there);
    if (rc)
        return rc;
    return err_set(err, RC_BUSY,
                   "there is a server '%s' already ('%s'); choose another "
                   "name, or remove it with 'dyno server destroy %s'",
                   s->name, s->dir, s->name);
}

/* Under another name first, so that a folder of the right name has a state. */
static enum rc make_folder(struct server *s, const struct server_spec *spec,
                           struct err *err)
{
    const char *final = s->dir;
    char folder[64];
    int base_fd;
    enum rc rc;

    snprintf(folder, sizeof(folder), SERVER_NEW_PREFIX "%d-%.32s",
             (int)getpid(), s->name);
    s->dir = arena_printf(&s->arena, "%s/%s", s->base, folder);
    if (!s->dir)
        return err_set(err, RC_NOMEM, "out of memory");
    (void)server_base_lock(s, LOCK_SH, &base_fd);
    if (mkdir(s->dir, 0755))
        rc = err_errno(err, errno == ENOSPC ? RC_DB_NO_SPACE : RC_IO, errno,
                       "cannot make '%s'", s->dir);
    else
        rc = server_lock(s, s->dir, err);
    if (base_fd >= 0)
        close(base_fd);
    if (!rc)
        rc = keep_config(s, spec->config, err);
    if (!rc)
        rc = server_state_write(s, err);
    if (!rc && rename(s->dir, final))
        rc = err_errno(err, RC_BUSY, errno, "cannot make '%s'", final);
    if (rc && tree_remove(s->dir, NULL))
        err_prefix(err, "'%s' is left behind", s->dir);
    s->dir = final;
    return rc;
}

enum rc server_make(const struct server_spec *spec, struct server **out,
                    struct err *err)
{
    struct server *s = server_new();
    const char *bindir = spec->bindir;
    enum rc rc;

    if (!s)
        return err_set(err, RC_NOMEM, "no memory for a server");
    opt_set_init(&s->known);
    s->state.kind = spec->kind;
    s->kind = server_kind_of((enum server_kind)spec->kind);
    s->name = arena_strdup(&s->arena, spec->name ? spec->name : s->kind->name);
    rc = s->name ? server_check_name(s->name, err) : RC_NOMEM;
    if (!rc)
        rc = child_user_find(spec->run_as, s->kind->users, &s->user, err);
    if (!rc)
        rc = absolute(s, &bindir, err);
    if (!rc)
        rc = s->kind->find(s, bindir, err);
    if (!rc)
        rc = take_spec(s, spec, err);
    if (!rc)
        rc = server_find_base(s, spec->base, err);
    if (!rc)
        rc = server_set_paths(s, err);
    if (!rc)
        rc = check_free_name(s, err);
    if (!rc) {
        s->state.socket_dir = socket_folder(s);
        s->state.run_as = s->user.drop ? s->user.name : NULL;
        rc = s->state.socket_dir ? make_folder(s, spec, err) : RC_NOMEM;
    }
    if (rc) {
        server_close(s);
        return rc;
    }
    *out = s;
    return RC_OK;
}

enum rc server_configure(struct server *s, const struct server_spec *spec,
                         struct err *err)
{
    const char *bindir = spec->bindir;
    enum rc rc = absolute(s, &bindir, err);

    if (!rc && bindir) {
        s->state.bindir = bindir;
        rc = server_check_version(s, err);
    }
    if (!rc)
        rc = take_spec(s, spec, err);
    if (!rc)
        rc = keep_config(s, spec->config, err);
    return rc ? rc : server_state_write(s, err);
}
