/* SPDX-License-Identifier: MIT */
/* PostgreSQL and its forks: a folder with initdb and postgres is enough. */
#include "lab/server_int.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONF_BYTES_MAX ((size_t)4 << 20)
#define OWN_CONF "dyno.conf"

static const char *const users[] = {"postgres", "nobody", NULL};

static const char *const reserved[] = {
    "listen_addresses",
    "port",
    "unix_socket_directories",
    "unix_socket_directory",
    "unix_socket_permissions",
    "unix_socket_group",
    "data_directory",
    "config_file",
    "hba_file",
    "ident_file",
    "external_pid_file",
    "logging_collector",
    "log_destination",
    "archive_mode",
    "archive_command",
    NULL,
};

/* All others can be changed on the same data. */
static const char *const shaping[] = {NULL};

/* ---- programs ---- */

static bool has_programs(const char *dir)
{
    return server_has_program(dir, "initdb") &&
           server_has_program(dir, "postgres");
}

/* The highest version of Debian's folders; NULL: there is none. */
static const char *newest_folder(struct server *s)
{
    const char *best = NULL;
    double version = 0;
    glob_t found;

    /* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment */
    if (glob("/usr/lib/postgresql/*/bin", 0, NULL, &found))
        return NULL;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *dir = found.gl_pathv[i];
        const double v = strtod(dir + strlen("/usr/lib/postgresql/"), NULL);

        if (v >= version && has_programs(dir)) {
            version = v;
            best = arena_strdup(&s->arena, dir);
        }
    }
    globfree(&found);
    return best;
}

/* The folder of the program of that name in PATH, links resolved. */
static const char *path_folder(struct server *s)
{
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment */
    const char *path = getenv("PATH");

    while (path && *path) {
        const size_t len = strcspn(path, ":");
        const char *program =
            arena_printf(&s->arena, "%.*s/postgres", (int)len, path);
        const char *real = program && access(program, X_OK) == 0
                               ? server_real_path(s, program)
                               : NULL;

        if (real)
            return arena_strndup(&s->arena, real,
                                 (size_t)(strrchr(real, '/') - real));
        path += len;
        path += *path == ':';
    }
    return NULL;
}

static enum rc find(struct server *s, const char *bindir, struct err *err)
{
    const char *dir = bindir;
    const char *program;

    if (!dir)
        dir = newest_folder(s);
    if (!dir)
        dir = path_folder(s);
    if (!dir)
        return err_set(err, RC_NOT_FOUND,
                       "PostgreSQL is not installed; name the folder of its "
                       "programs with --bindir");
    if (!has_programs(dir))
        return err_set(
            err, RC_USAGE,
            "'%s' has no PostgreSQL: there is no '%s'; --bindir is "
            "the folder of initdb and postgres",
            dir, server_has_program(dir, "postgres") ? "initdb" : "postgres");
    s->state.bindir = arena_strdup(&s->arena, dir);
    program = arena_printf(&s->arena, "%s/postgres", dir);
    if (!s->state.bindir || !program)
        return err_set(err, RC_NOMEM, "out of memory");
    return server_ask_version(s, program, "postgres", &s->state.version, NULL,
                              err);
}

/* ---- data ---- */

static enum rc init(struct server *s, struct err *err)
{
    const char *program = arena_printf(&s->arena, "%s/initdb", s->state.bindir);
    const char *file = server_path(s, "initdb.password");
    const char *pwfile = arena_printf(&s->arena, "--pwfile=%s", file);
    struct buf text = BUF_INIT(256);
    const char *password;
    const char *const argv[] = {
        program,
        "-D",
        s->data_dir,
        "-U",
        SERVER_USER,
        "-E",
        "UTF8",
        "--locale=C",
        "--auth-local=trust",
        "--auth-host=scram-sha-256",
        "--no-sync",
        pwfile,
        NULL,
    };
    enum rc rc = server_password(s, &password, err);

    if (!rc && (!program || !file || !pwfile))
        rc = err_set(err, RC_NOMEM, "out of memory");
    if (!rc) {
        buf_puts(&text, password);
        rc = server_write_file(s, "initdb.password", &text, true, err);
    }
    if (!rc)
        rc = server_run_program(s, argv, err);
    if (file)
        unlink(file);
    buf_release(&text);
    return rc;
}

/* ---- configuration ---- */

static void put_quoted(struct buf *b, const char *value)
{
    buf_putc(b, '\'');
    for (; *value; value++) {
        if (*value == '\'' || *value == '\\')
            buf_putc(b, *value);
        buf_putc(b, *value);
    }
    buf_puts(b, "'\n");
}

static void put_setting(void *arg, const char *name, const char *value)
{
    buf_printf(arg, "%s = ", name);
    put_quoted(arg, value);
}

/* As the server's own file; the one of initdb is kept beside it. */
static enum rc configure(struct server *s, struct err *err)
{
    struct buf text = BUF_INIT(CONF_BYTES_MAX);
    const char *user = server_path(s, "config.user");
    const char *initial = server_path(s, "data/postgresql.conf");
    enum rc rc;

    buf_printf(&text, "# Written by dyno at each start of server '%s'.\n",
               s->name);
    buf_puts(&text, "include ");
    put_quoted(&text, initial ? initial : "");
    buf_puts(&text, "# preset\n");
    rc = server_each_preset(s, put_setting, &text, err);
    if (s->state.has_config && user) {
        buf_puts(&text, "# the user's file\n");
        if (!rc)
            rc = buf_read_file(&text, user, err);
        buf_putc(&text, '\n');
    }
    buf_puts(&text, "# the user's settings\n");
    server_each_setting(s, put_setting, &text);
    if (!rc)
        rc = server_write_file(s, OWN_CONF, &text, false, err);
    buf_release(&text);
    return rc;
}

static enum rc command(struct server *s, const char **argv, size_t cap,
                       struct err *err)
{
    const char *const args[] = {
        arena_printf(&s->arena, "%s/postgres", s->state.bindir),
        "-D",
        s->data_dir,
        "-c",
        arena_printf(&s->arena, "config_file=%s/" OWN_CONF, s->dir),
        "-c",
        arena_printf(&s->arena, "data_directory=%s", s->data_dir),
        "-c",
        arena_printf(&s->arena, "hba_file=%s/pg_hba.conf", s->data_dir),
        "-c",
        arena_printf(&s->arena, "ident_file=%s/pg_ident.conf", s->data_dir),
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        arena_printf(&s->arena, "port=%u", (unsigned)s->state.port),
        "-c",
        arena_printf(&s->arena, "unix_socket_directories=%s",
                     s->state.socket_dir),
        "-c",
        "unix_socket_permissions=0700",
        "-c",
        "external_pid_file=",
        "-c",
        "logging_collector=off",
        "-c",
        "log_destination=stderr",
        "-c",
        "archive_mode=off",
    };

    for (size_t i = 0; i < ARRAY_LEN(args); i++) {
        if (!args[i] || i + 1 >= cap)
            return err_set(err, RC_NOMEM, "out of memory");
        argv[i] = args[i];
    }
    argv[ARRAY_LEN(args)] = NULL;
    return RC_OK;
}

/* libpq takes a percent-encoded folder for a host. */
static enum rc make_urls(struct server *s, struct err *err)
{
    const char *dir = server_encode(&s->arena, s->state.socket_dir);
    const char *base = server_encode(&s->arena, s->base);
    const unsigned port = (unsigned)s->state.port;

    if (dir && base) {
        s->url = arena_printf(
            &s->arena, "postgres://" SERVER_USER "@%s:%u/" SERVER_DATABASE, dir,
            port);
        s->tcp_url = arena_printf(&s->arena,
                                  "postgres://" SERVER_USER
                                  "@127.0.0.1:%u/" SERVER_DATABASE
                                  "?passfile=%s%%2F.pgpass",
                                  port, base);
    }
    return s->url && s->tcp_url ? RC_OK
                                : err_set(err, RC_NOMEM, "out of memory");
}

const struct kind postgres_kind = {
    .name = "postgres",
    .product = "PostgreSQL",
    .setting = "shared_buffers=1GB",
    .users = users,
    .stop_signal = SIGINT,
    .quit_signal = SIGQUIT,
    .socket_file = ".s.PGSQL.%u",
    .reserved = reserved,
    .shaping = shaping,
    .find = find,
    .init = init,
    .configure = configure,
    .command = command,
    .version_parts = 1,
    .make_urls = make_urls,
    /* Recycles or removes the WAL before it. */
    .purge_sql = "CHECKPOINT",
    .empty_bytes = (uint64_t)41 << 20,
};
