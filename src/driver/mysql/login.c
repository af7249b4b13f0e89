/* SPDX-License-Identifier: MIT */
#include "driver/mysql/login.h"

#include "base/mem.h"
#include "base/parse.h"
#include "driver/driver.h"

#include <errno.h>
#include <unistd.h>

#define ARENA_MAX (256 * 1024)
#define TIMEOUT_DEFAULT_S 10
#define TIMEOUT_MAX_S 3600

static const char *const param_names[] = {
    "socket",     "ssl-mode",      "ssl-ca",          "ssl-cert", "ssl-key",
    "plugin-dir", "defaults-file", "connect-timeout", "password",
};

static const char *const tls_names[] = {
    [MARIA_TLS_DISABLED] = "disabled",
    [MARIA_TLS_PREFERRED] = "preferred",
    [MARIA_TLS_REQUIRED] = "required",
    [MARIA_TLS_VERIFY_CA] = "verify-ca",
    [MARIA_TLS_VERIFY_IDENTITY] = "verify-identity",
};

struct maria_login *maria_login_share(struct maria_login *login)
{
    atomic_fetch_add_explicit(&login->refs, 1, memory_order_relaxed);
    return login;
}

void maria_login_release(struct maria_login *login)
{
    /* Release: what this thread did with it comes before the end that the
     * last one makes; acquire: the last one sees it. */
    if (!login ||
        atomic_fetch_sub_explicit(&login->refs, 1, memory_order_acq_rel) > 1)
        return;
    arena_release(&login->arena);
    mem_free(login);
}

/* ---- the URL: scheme://user:password@host:port/database?name=value&… ---- */

static enum rc refuse(const struct target *t, const char *what, struct err *err)
{
    return err_set(err, RC_USAGE,
                   "'%s': %s; a target reads like "
                   "mysql://USER:PASSWORD@HOST:PORT/DATABASE or "
                   "mysql://USER@localhost/DATABASE?socket=PATH",
                   t->shown, what);
}

/* NULL for nothing at all. */
static const char *part(struct maria_login *login, const char *s, size_t len)
{
    return len > 0 ? target_decode(&login->arena, s, len) : NULL;
}

static void take_user(struct maria_login *login, const char *s, size_t len)
{
    const char *colon = memchr(s, ':', len);
    const size_t user_len = colon ? (size_t)(colon - s) : len;

    login->user = part(login, s, user_len);
    if (colon)
        /* An empty password is one: none is asked of the option files. */
        login->password =
            target_decode(&login->arena, colon + 1, len - user_len - 1);
}

static enum rc take_host(struct maria_login *login, const struct target *t,
                         const char *s, size_t len, struct err *err)
{
    const char *end = s + len, *colon, *text;
    uint64_t port;

    if (len > 0 && *s == '[') {
        const char *bracket = memchr(s, ']', len);

        if (!bracket)
            return refuse(t, "a '[' has no ']'", err);
        login->host = part(login, s + 1, (size_t)(bracket - s - 1));
        colon = bracket + 1 < end && bracket[1] == ':' ? bracket + 1 : NULL;
    } else {
        colon = memchr(s, ':', len);
        login->host = part(login, s, colon ? (size_t)(colon - s) : len);
    }
    if (login->host && *login->host == '/') {
        login->socket = login->host;
        login->host = NULL;
    }
    if (!colon)
        return RC_OK;
    text = part(login, colon + 1, (size_t)(end - colon - 1));
    if (!text || parse_u64(text, &port, NULL) || port == 0 || port > 65535)
        return refuse(t, "the port is no number from 1 to 65535", err);
    login->port = (unsigned)port;
    return RC_OK;
}

static enum rc take_url(struct maria_login *login, const struct target *t,
                        struct err *err)
{
    const size_t len = strcspn(t->url, "?");
    const char *end = t->url + len;
    const char *s = memmem(t->url, len, "://", 3);
    const char *slash, *at;

    if (!s) {
        /* "mysql:shop" names a database. */
        s = memchr(t->url, ':', len);
        s = s ? s + 1 : end;
        if (memchr(s, '/', (size_t)(end - s)))
            return refuse(t, "'//' is missing behind the colon", err);
        login->database = part(login, s, (size_t)(end - s));
        return RC_OK;
    }
    s += 3;
    at = memrchr(s, '@', (size_t)(end - s));
    if (at) {
        take_user(login, s, (size_t)(at - s));
        s = at + 1;
    }
    slash = memchr(s, '/', (size_t)(end - s));
    if (slash)
        login->database = part(login, slash + 1, (size_t)(end - slash - 1));
    return take_host(login, t, s, (size_t)((slash ? slash : end) - s), err);
}

static enum rc take_tls(struct maria_login *login, const char *mode,
                        struct err *err)
{
    if (!mode)
        return RC_OK;
    for (size_t i = MARIA_TLS_DISABLED; i < ARRAY_LEN(tls_names); i++) {
        if (strcasecmp(mode, tls_names[i]) == 0) {
            login->tls = (enum maria_tls)i;
            return RC_OK;
        }
    }
    return err_set(err, RC_USAGE,
                   "ssl-mode: '%s' is none of disabled, preferred, required, "
                   "verify-ca, verify-identity",
                   mode);
}

static enum rc take_timeout(struct maria_login *login, const char *text,
                            struct err *err)
{
    uint64_t s;

    login->timeout_s = TIMEOUT_DEFAULT_S;
    if (!text)
        return RC_OK;
    if (parse_u64(text, &s, NULL) || s == 0 || s > TIMEOUT_MAX_S)
        return err_set(err, RC_USAGE,
                       "connect-timeout: '%s' is no number of seconds from 1 "
                       "to %d",
                       text, TIMEOUT_MAX_S);
    login->timeout_s = (unsigned)s;
    return RC_OK;
}

static enum rc take_params(struct maria_login *login, const struct target *t,
                           struct err *err)
{
    const struct {
        const char *name, **to;
    } texts[] = {
        {"socket", &login->socket},
        {"ssl-ca", &login->ssl_ca},
        {"ssl-cert", &login->ssl_cert},
        {"ssl-key", &login->ssl_key},
        {"plugin-dir", &login->plugin_dir},
        {"defaults-file", &login->defaults_file},
        {"password", &login->password},
    };
    struct arena *arena = &login->arena;
    enum rc rc =
        target_check_params(t, param_names, ARRAY_LEN(param_names), err);

    for (size_t i = 0; i < ARRAY_LEN(texts) && !rc; i++) {
        const char *value = target_param(t, arena, texts[i].name);

        if (value)
            *texts[i].to = value;
    }
    if (!rc)
        rc = take_tls(login, target_param(t, arena, "ssl-mode"), err);
    if (!rc)
        rc =
            take_timeout(login, target_param(t, arena, "connect-timeout"), err);
    return rc;
}

/* The library would say nothing of a file that it cannot read. */
static enum rc check_files(const struct maria_login *login, struct err *err)
{
    const struct {
        const char *name, *path;
    } files[] = {
        {"ssl-ca", login->ssl_ca},
        {"ssl-cert", login->ssl_cert},
        {"ssl-key", login->ssl_key},
        {"defaults-file", login->defaults_file},
    };

    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        if (files[i].path && access(files[i].path, R_OK) != 0)
            return err_errno(err, RC_USAGE, errno, "%s: '%s'", files[i].name,
                             files[i].path);
    }
    return RC_OK;
}

enum rc maria_login_new(const struct target *t, struct maria_login **out,
                        struct err *err)
{
    struct maria_login *login = MEM_NEW(struct maria_login);
    enum rc rc;

    if (!login)
        return err_set(err, RC_NOMEM, "out of memory");
    atomic_init(&login->refs, 1);
    arena_init(&login->arena, ARENA_MAX);
    rc = take_url(login, t, err);
    if (!rc)
        rc = take_params(login, t, err);
    if (!rc)
        rc = check_files(login, err);
    if (rc)
        maria_login_release(login);
    else
        *out = login;
    return rc;
}

/* ---- for the library ---- */

static void set_tls(const struct maria_login *login, MYSQL *my)
{
    const my_bool on = 1, off = 0;

    if (login->tls == MARIA_TLS_DEFAULT || login->tls == MARIA_TLS_DISABLED)
        return;
    mysql_ssl_set(my, login->ssl_key, login->ssl_cert, login->ssl_ca, NULL,
                  NULL);
    mysql_optionsv(my, MYSQL_OPT_SSL_ENFORCE,
                   login->tls == MARIA_TLS_PREFERRED ? &off : &on);
    mysql_optionsv(my, MYSQL_OPT_SSL_VERIFY_SERVER_CERT,
                   login->tls == MARIA_TLS_VERIFY_IDENTITY ? &on : &off);
}

void maria_login_options(const struct maria_login *login, MYSQL *my)
{
    const unsigned on = 1;

    if (login->defaults_file)
        mysql_optionsv(my, MYSQL_READ_DEFAULT_FILE, login->defaults_file);
    mysql_optionsv(my, MYSQL_READ_DEFAULT_GROUP, "dyno");
    mysql_optionsv(my, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    mysql_optionsv(my, MYSQL_OPT_CONNECT_TIMEOUT, &login->timeout_s);
    mysql_optionsv(my, MYSQL_OPT_LOCAL_INFILE, &on);
    if (login->plugin_dir)
        mysql_optionsv(my, MYSQL_PLUGIN_DIR, login->plugin_dir);
    mysql_optionsv(my, MYSQL_OPT_CONNECT_ATTR_ADD, "program_name", "dyno");
    set_tls(login, my);
}

bool maria_login_connect(const struct maria_login *login, MYSQL *my,
                         const char *database, unsigned long flags)
{
    return mysql_real_connect(my, login->host, login->user, login->password,
                              database, login->port, login->socket,
                              flags) != NULL;
}
