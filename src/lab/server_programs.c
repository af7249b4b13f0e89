/* SPDX-License-Identifier: MIT */
/* The programs of a server, and its settings. */
#include "base/mem.h"
#include "base/parse.h"
#include "lab/preset.h"
#include "lab/server_int.h"
#include "lab/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define OUTPUT_BYTES_MAX 4096

bool server_has_program(const char *dir, const char *name)
{
    char path[SERVER_PATH_BYTES];

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    return access(path, X_OK) == 0;
}

/* What a program prints, at most so much. */
static enum rc read_output(struct server *s, const char *const *argv, char *out,
                           size_t out_len, struct err *err)
{
    const int fd = memfd_create("output", MFD_CLOEXEC);
    const struct child_args args = {
        .argv = argv,
        .dir = "/",
        .log_fd = fd,
        .user = &s->user,
    };
    ssize_t n = 0;
    enum rc rc;

    if (fd < 0)
        return err_errno(err, RC_IO, errno, "cannot run '%s'", argv[0]);
    rc = child_run(&args, err);
    n = pread(fd, out, out_len - 1, 0);
    close(fd);
    out[n > 0 ? n : 0] = '\0';
    if (rc && n > 0) {
        out[strcspn(out, "\n")] = '\0';
        err_prefix(err, "%.200s", out);
    }
    return rc;
}

enum rc server_ask_version(struct server *s, const char *program,
                           const char *after, const char **out,
                           const char **out_line, struct err *err)
{
    const char *const argv[] = {program, "--version", NULL};
    char text[OUTPUT_BYTES_MAX];
    const char *at;
    enum rc rc = read_output(s, argv, text, sizeof(text), err);

    if (rc)
        return rc;
    text[strcspn(text, "\n")] = '\0';
    at = strstr(text, after);
    at = at ? strpbrk(at + strlen(after), "0123456789") : NULL;
    if (!at)
        return err_set(err, RC_INVALID,
                       "'%s --version' says '%.100s', which is no version that "
                       "dyno knows",
                       program, text);
    *out = arena_strndup(&s->arena, at, strspn(at, "0123456789."));
    if (out_line)
        *out_line = arena_strdup(&s->arena, text);
    return *out ? RC_OK : err_set(err, RC_NOMEM, "out of memory");
}

enum rc server_run_program(struct server *s, const char *const *argv,
                           struct err *err)
{
    struct child_args args = {
        .argv = argv,
        .dir = s->state.socket_dir,
        .user = &s->user,
    };
    enum rc rc = server_log_open(s, &args.log_fd, err);

    if (rc)
        return rc;
    rc = child_run(&args, err);
    close(args.log_fd);
    if (rc)
        server_log_quote(s, err);
    return rc;
}

/* ---- settings ---- */

enum rc server_each_preset(struct server *s, setting_fn *fn, void *arg,
                           struct err *err)
{
    struct machine machine;
    enum rc rc = machine_look(s->dir, &machine, err);

    if (!rc)
        preset_each((enum server_kind)s->state.kind,
                    (enum preset)s->state.preset, &machine, fn, arg);
    return rc;
}

void server_each_setting(const struct server *s, setting_fn *fn, void *arg)
{
    char name[128];

    for (size_t i = 0; i < s->state.settings.n; i++) {
        const char *text = s->state.settings.items[i];
        const char *eq = strchr(text, '=');

        snprintf(name, sizeof(name), "%.*s", (int)(eq - text), text);
        fn(arg, name, eq + 1);
    }
}
