/* SPDX-License-Identifier: MIT */
/* Failures: the text is copied as it comes, and given when somebody asks. */
#include "driver/mysql/maria_int.h"

#include <errmsg.h>
#include <stdio.h>

#define OUT_OF_SYNC CR_COMMANDS_OUT_OF_SYNC
#define ENGINE_ERROR 1030
#define TOO_BIG 1153

/* The library closes the socket itself; its number may be used again at
 * once. */
static void forget_socket(struct maria_conn *mc)
{
    if (mc->fd >= 0 && mysql_get_socket(mc->my) == MARIADB_INVALID_SOCKET) {
        if (mc->base.loop)
            loop_forget(mc->base.loop, mc->fd);
        mc->fd = -1;
        mc->base.gone = true;
    }
}

static void keep(struct maria_conn *mc, enum rc rc, unsigned code,
                 const char *sqlstate, const char *text)
{
    struct maria_failure *f = &mc->failed;
    const size_t len = strnlen(text, sizeof(f->text) - 1);

    f->rc = rc;
    f->code = code;
    memcpy(f->text, text, len);
    f->text[len] = '\0';
    memset(f->sqlstate, 0, sizeof(f->sqlstate));
    for (size_t i = 0; i < sizeof(f->sqlstate) - 1 && sqlstate[i]; i++)
        f->sqlstate[i] = sqlstate[i];
    maria_fail_again(mc, f);
}

void maria_fail_again(struct maria_conn *mc, const struct maria_failure *f)
{
    if (f != &mc->failed)
        mc->failed = *f;
    mc->base.native = (int)f->code;
    memcpy(mc->base.sqlstate, f->sqlstate, sizeof(f->sqlstate));
}

enum rc maria_fail_own(struct maria_conn *mc, enum rc rc, const char *text)
{
    keep(mc, rc, 0, "", text);
    return rc;
}

enum rc maria_check_packet(struct maria_conn *mc, size_t bytes)
{
    char text[160];

    /* One more says what kind of packet it is. */
    if (LIKELY(bytes + 1 < mc->max_packet || mc->max_packet == 0))
        return RC_OK;
    snprintf(text, sizeof(text),
             "a statement of %zu bytes is larger than the server takes: raise "
             "max_allowed_packet, which is %zu",
             bytes, mc->max_packet);
    return maria_fail_own(mc, RC_DB_LIMIT, text);
}

/* A wait in the middle of an answer ended; the rest of it is still to come. */
static enum rc fail_wait(struct maria_conn *mc)
{
    const enum rc rc = mc->wait_rc;

    mc->base.gone = true;
    if (rc == RC_TIMEOUT)
        return maria_fail_own(mc, rc, "the server does not answer");
    return maria_fail_own(mc, rc,
                          rc == RC_CANCELLED ? "interrupted"
                                             : "cannot wait for the server");
}

/* "Got error 28 from storage engine" is a full disk. */
static bool is_full(unsigned code, const char *text)
{
    return code == ENGINE_ERROR &&
           (strstr(text, "error 28") || strstr(text, "error: 28"));
}

/* For a plugin that is missing the library says so, under the code of an access
 * denied. */
static bool lacks_plugin(const char *text)
{
    return strstr(text, "lugin") && (strstr(text, "could not be loaded") ||
                                     strstr(text, "cannot be loaded"));
}

enum rc maria_fail_code(struct maria_conn *mc, unsigned code,
                        const char *sqlstate, const char *text)
{
    enum rc rc;

    if (lacks_plugin(text))
        code = CR_AUTH_PLUGIN_CANNOT_LOAD;
    rc = is_full(code, text) ? RC_DB_NO_SPACE : maria_classify(code);
    forget_socket(mc);
    if (mc->wait_rc)
        return fail_wait(mc);
    /* The position in the protocol is unknown, or the server hangs up. */
    if (code == OUT_OF_SYNC || code == TOO_BIG || rc == RC_DB_GONE)
        mc->base.gone = true;
    keep(mc, rc, code, sqlstate, text);
    return rc;
}

enum rc maria_fail(struct maria_conn *mc)
{
    return maria_fail_code(mc, mysql_errno(mc->my), mysql_sqlstate(mc->my),
                           mysql_error(mc->my));
}

enum rc maria_fail_stmt(struct maria_conn *mc, MYSQL_STMT *st)
{
    if (mysql_stmt_errno(st) == 0)
        return maria_fail(mc);
    return maria_fail_code(mc, mysql_stmt_errno(st), mysql_stmt_sqlstate(st),
                           mysql_stmt_error(st));
}

enum rc maria_last_err(const struct maria_conn *mc, const char *what,
                       struct err *err)
{
    const struct maria_failure *f = &mc->failed;

    err_set(err, f->rc, "%s%s%s%s", what ? what : "", what ? ": " : "", f->text,
            maria_advice(f->code));
    if (err) {
        err->native = (int)f->code;
        memcpy(err->sqlstate, f->sqlstate, sizeof(err->sqlstate));
    }
    return f->rc;
}

void maria_error(const struct conn *c, struct err *err)
{
    maria_last_err((const struct maria_conn *)(const void *)c, NULL, err);
}
