/* SPDX-License-Identifier: MIT */
/* MariaDB and MySQL: one program with another one, or none, that makes the
 * data. */
#include "lab/server_int.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CONF_BYTES_MAX ((size_t)4 << 20)
#define FOLDERS 6
#define INIT_ARGS_MAX 64

static const char *const users[] = {"mysql", "nobody", NULL};

/* With '_' for '-'. */
static const char *const reserved[] = {
    "datadir",
    "basedir",
    "socket",
    "port",
    "bind_address",
    "pid_file",
    "user",
    "log_error",
    "init_file",
    "tmpdir",
    "mysqlx",
    "plugin_dir",
    "skip_networking",
    "skip_name_resolve",
    "skip_grant_tables",
    "admin_address",
    "defaults_file",
    NULL,
};

static const char *const shaping[] = {
    "innodb_page_size",           "innodb_undo_tablespaces",
    "innodb_data_file_path",      "innodb_data_home_dir",
    "innodb_file_per_table",      "innodb_default_row_format",
    "innodb_checksum_algorithm",  "innodb_log_files_in_group",
    "innodb_log_group_home_dir",  "lower_case_table_names",
    "character_set_server",       "collation_server",
    "default_storage_engine",     "innodb_undo_directory",
    "innodb_compression_default", NULL,
};

/* ---- programs ---- */

/* The first n_folders of these: the folder itself, and those around it where
 * builds and packages put what helps. */
static const char *find_program(struct server *s, size_t n_folders,
                                const char *const *names)
{
    static const char *const folders[FOLDERS] = {
        "", "/../sbin", "/../bin", "/../libexec", "/../scripts", "/../share",
    };

    for (size_t n = 0; names[n]; n++) {
        for (size_t f = 0; f < n_folders; f++) {
            const char *dir =
                arena_printf(&s->arena, "%s%s", s->state.bindir, folders[f]);

            if (dir && server_has_program(dir, names[n]))
                return arena_printf(&s->arena, "%s/%s", dir, names[n]);
        }
    }
    return NULL;
}

static const char *server_program(struct server *s)
{
    static const char *const mariadb[] = {"mariadbd", "mysqld", NULL};
    static const char *const mysql[] = {"mysqld", NULL};

    return find_program(s, 1,
                        s->state.kind == SERVER_MARIADB ? mariadb : mysql);
}

/* The folder above, "/usr" of "/usr/sbin". */
static const char *base_of(struct server *s, const char *bindir)
{
    const char *slash;
    size_t len = strlen(bindir);

    while (len > 1 && bindir[len - 1] == '/')
        len--;
    slash = memrchr(bindir, '/', len);
    if (!slash)
        return ".";
    return slash == bindir
               ? "/"
               : arena_strndup(&s->arena, bindir, (size_t)(slash - bindir));
}

/* Some archives have it all in one folder. */
static const char *find_base(struct server *s)
{
    const char *share = arena_printf(&s->arena, "%s/share", s->state.bindir);

    return share && access(share, F_OK) == 0 ? s->state.bindir
                                             : base_of(s, s->state.bindir);
}

static enum rc check_product(const struct server *s, const char *program,
                             const char *line, struct err *err)
{
    const bool is_mariadb = strstr(line, "MariaDB") != NULL;

    if (is_mariadb == (s->state.kind == SERVER_MARIADB))
        return RC_OK;
    return err_set(err, RC_USAGE,
                   "'%s' is %s, not %s; the kind of server would be '%s'",
                   program, is_mariadb ? "MariaDB" : "MySQL", s->kind->product,
                   is_mariadb ? "mariadb" : "mysql");
}

static enum rc find(struct server *s, const char *bindir, struct err *err)
{
    const char *program, *line = NULL;
    enum rc rc;

    s->state.bindir = arena_strdup(&s->arena, bindir ? bindir : "/usr/sbin");
    if (!s->state.bindir)
        return err_set(err, RC_NOMEM, "out of memory");
    program = server_program(s);
    if (!program && bindir)
        return err_set(err, RC_USAGE,
                       "'%s' has no %s: there is no '%s' in it; --bindir is "
                       "the folder of the server's program",
                       bindir, s->kind->product,
                       s->state.kind == SERVER_MARIADB ? "mariadbd" : "mysqld");
    if (!program)
        return err_set(err, RC_NOT_FOUND,
                       "%s is not installed; name the folder of its programs "
                       "with --bindir",
                       s->kind->product);
    s->state.basedir = find_base(s);
    rc = server_ask_version(s, program, "Ver", &s->state.version, &line, err);
    return rc || !line ? rc : check_product(s, program, line, err);
}

/* MySQL before 5.7: no --initialize, and fewer words about users. */
static bool is_old_mysql(const struct server *s)
{
    const char *v = s->state.version;

    return s->state.kind == SERVER_MYSQL && strncmp(v, "5.", 2) == 0 &&
           v[2] < '7' && (v[3] == '.' || !v[3]);
}

/* ---- data ---- */

/* With those of the user's settings that only a new data folder can have. */
static enum rc run_init(struct server *s, const char *const *fixed,
                        struct err *err)
{
    const char *argv[INIT_ARGS_MAX];
    size_t n = 0;

    for (; fixed[n]; n++)
        argv[n] = fixed[n];
    argv[n++] = arena_printf(&s->arena, "--basedir=%s", s->state.basedir);
    argv[n++] = arena_printf(&s->arena, "--datadir=%s", s->data_dir);
    for (size_t i = 0; i < s->state.settings.n; i++) {
        const char *text = s->state.settings.items[i];

        if (!server_setting_shapes(s->kind, text))
            continue;
        if (n + 1 >= INIT_ARGS_MAX)
            return err_set(err, RC_INVALID, "too many settings");
        argv[n++] = arena_printf(&s->arena, "--%s", text);
    }
    argv[n] = NULL;
    return server_run_program(s, argv, err);
}

static enum rc init_mariadb(struct server *s, struct err *err)
{
    static const char *const names[] = {"mariadb-install-db",
                                        "mysql_install_db", NULL};
    const char *program = find_program(s, FOLDERS, names);
    const char *const argv[] = {
        program,
        "--no-defaults",
        arena_printf(&s->arena, "--tmpdir=%s", s->state.socket_dir),
        "--skip-test-db",
        "--auth-root-authentication-method=normal",
        "--skip-name-resolve",
        "--innodb-log-file-size=8M",
        NULL,
    };

    if (!program)
        return err_set(err, RC_USAGE,
                       "'%s' has no mariadb-install-db, which makes the data",
                       s->state.bindir);
    return run_init(s, argv, err);
}

/* By its scripts, as mysql_install_db would, which needs perl. */
static enum rc init_old_mysql(struct server *s, struct err *err)
{
    static const char script[] =
        "cd \"$1\" || exit; program=$2; shift 2\n"
        "{ printf 'CREATE DATABASE mysql;\\nUSE mysql;\\n'\n"
        "  cat mysql_system_tables.sql mysql_system_tables_data.sql\n"
        "} | \"$program\" --no-defaults --bootstrap \"$@\"";
    const char *const argv[] = {
        "/bin/sh",
        "-c",
        script,
        "sh",
        arena_printf(&s->arena, "%s/share", s->state.basedir),
        server_program(s),
        NULL,
    };

    return run_init(s, argv, err);
}

static enum rc init_mysql(struct server *s, struct err *err)
{
    const char *const argv[] = {
        server_program(s),
        "--no-defaults",
        "--initialize-insecure",
        NULL,
    };

    return is_old_mysql(s) ? init_old_mysql(s, err) : run_init(s, argv, err);
}

/* ---- configuration ---- */

/* In double quotes, as option files have them. */
static void put_setting(void *arg, const char *name, const char *value)
{
    struct buf *b = arg;

    buf_puts(b, name);
    if (!*value) {
        buf_putc(b, '\n');
        return;
    }
    buf_puts(b, " = \"");
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            buf_putc(b, '\\');
        buf_putc(b, *value);
    }
    buf_puts(b, "\"\n");
}

static void put_users(struct buf *text, const char *password)
{
    buf_puts(text, "CREATE USER IF NOT EXISTS " SERVER_USER "@localhost;\n"
                   "GRANT ALL ON *.* TO " SERVER_USER
                   "@localhost WITH GRANT OPTION;\n");
    buf_printf(text,
               "CREATE USER IF NOT EXISTS " SERVER_USER
               "@'127.0.0.1' IDENTIFIED BY '%s';\n",
               password);
    buf_puts(text, "GRANT ALL ON *.* TO " SERVER_USER
                   "@'127.0.0.1' WITH GRANT OPTION;\n"
                   "DROP USER IF EXISTS root@'127.0.0.1';\n"
                   "DROP USER IF EXISTS root@'::1';\n"
                   "DROP USER IF EXISTS ''@localhost;\n");
}

/* There, GRANT makes them. */
static void put_old_users(struct buf *text, const char *password)
{
    buf_puts(text, "GRANT ALL ON *.* TO " SERVER_USER
                   "@localhost WITH GRANT OPTION;\n");
    buf_printf(text,
               "GRANT ALL ON *.* TO " SERVER_USER
               "@'127.0.0.1' IDENTIFIED BY '%s' WITH GRANT OPTION;\n",
               password);
    buf_puts(text, "DELETE FROM mysql.user WHERE user = '' OR "
                   "user = 'root' AND host <> 'localhost';\n"
                   "FLUSH PRIVILEGES;\n");
}

/* At each start; the users of the socket need no password, for nobody else
 * reaches it. */
static enum rc write_init_file(struct server *s, struct err *err)
{
    struct buf text = BUF_INIT(4096);
    const char *password;
    enum rc rc = server_password(s, &password, err);

    if (!rc) {
        buf_puts(&text, "CREATE DATABASE IF NOT EXISTS " SERVER_DATABASE ";\n");
        if (is_old_mysql(s))
            put_old_users(&text, password);
        else
            put_users(&text, password);
        rc = server_write_file(s, "init.sql", &text, true, err);
    }
    buf_release(&text);
    return rc;
}

static enum rc configure(struct server *s, struct err *err)
{
    struct buf text = BUF_INIT(CONF_BYTES_MAX);
    const char *user = server_path(s, "config.user");
    enum rc rc;

    buf_printf(&text, "# Written by dyno at each start of server '%s'.\n",
               s->name);
    buf_puts(&text, "[mysqld]\n# preset\n");
    rc = server_each_preset(s, put_setting, &text, err);
    if (s->state.has_config && user) {
        buf_puts(&text, "# the user's file\n");
        if (!rc)
            rc = buf_read_file(&text, user, err);
    }
    buf_puts(&text, "\n[mysqld]\n# the user's settings\n");
    server_each_setting(s, put_setting, &text);
    if (!rc)
        rc = server_write_file(s, "dyno.cnf", &text, false, err);
    buf_release(&text);
    return rc ? rc : write_init_file(s, err);
}

static enum rc command(struct server *s, const char **argv, size_t cap,
                       struct err *err)
{
    const char *const args[] = {
        server_program(s),
        arena_printf(&s->arena, "--defaults-file=%s/dyno.cnf", s->dir),
        arena_printf(&s->arena, "--basedir=%s", s->state.basedir),
        arena_printf(&s->arena, "--datadir=%s", s->data_dir),
        arena_printf(&s->arena, "--tmpdir=%s", s->state.socket_dir),
        arena_printf(&s->arena, "--socket=%s/mysqld.sock", s->state.socket_dir),
        arena_printf(&s->arena, "--pid-file=%s/mysqld.pid",
                     s->state.socket_dir),
        arena_printf(&s->arena, "--init-file=%s/init.sql", s->dir),
        arena_printf(&s->arena, "--port=%u", (unsigned)s->state.port),
        "--bind-address=127.0.0.1",
        "--skip-name-resolve",
        "--local-infile=1",
        "--loose-mysqlx=OFF",
    };

    for (size_t i = 0; i < ARRAY_LEN(args); i++) {
        if (!args[i] || i + 1 >= cap)
            return err_set(err, RC_NOMEM, "out of memory");
        argv[i] = args[i];
    }
    argv[ARRAY_LEN(args)] = NULL;
    return RC_OK;
}

static enum rc make_urls(struct server *s, struct err *err)
{
    const char *dir = server_encode(&s->arena, s->state.socket_dir);
    const char *base = server_encode(&s->arena, s->base);

    if (dir && base) {
        s->url = arena_printf(&s->arena,
                              "%s://" SERVER_USER "@localhost/" SERVER_DATABASE
                              "?socket=%s%%2Fmysqld.sock",
                              s->kind->name, dir);
        s->tcp_url =
            arena_printf(&s->arena,
                         "%s://" SERVER_USER "@127.0.0.1:%u/" SERVER_DATABASE
                         "?defaults-file=%s%%2F.my.cnf",
                         s->kind->name, (unsigned)s->state.port, base);
    }
    return s->url && s->tcp_url ? RC_OK
                                : err_set(err, RC_NOMEM, "out of memory");
}

/* Without binary logs these do nothing.  A log can go when the engine has
 * flushed all that is in it. */
#define ROTATE_SQL "FLUSH BINARY LOGS; FLUSH ENGINE LOGS"
#define PURGE_SQL "PURGE BINARY LOGS BEFORE NOW() + INTERVAL 1 DAY"

/* The two differ in how the data is made. */
#define KIND(a_name, a_product, an_init)                                \
    {                                                                   \
        .name = (a_name), .product = (a_product),                       \
        .setting = "innodb_buffer_pool_size=1G", .users = users,        \
        .stop_signal = SIGTERM, .quit_signal = SIGKILL,                 \
        .socket_file = "mysqld.sock", .reserved = reserved,             \
        .shaping = shaping, .find = find, .init = (an_init),            \
        .configure = configure, .command = command, .version_parts = 2, \
        .make_urls = make_urls, .rotate_sql = ROTATE_SQL,               \
        .purge_sql = PURGE_SQL, .empty_bytes = (uint64_t)30 << 20,      \
        .logs_at_once = true,                                           \
    }

const struct kind mariadb_kind = KIND("mariadb", "MariaDB", init_mariadb);
const struct kind mysql_kind = KIND("mysql", "MySQL", init_mysql);
