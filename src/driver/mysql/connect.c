/* SPDX-License-Identifier: MIT */
/*
 * Opening and closing connections.  Names of hosts are resolved by a call that
 * blocks the thread; all else waits in the loop.
 */
#include "base/mem.h"
#include "driver/mysql/maria_int.h"

#include <errmsg.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>

#define VERSION_MIN 50600

/* ---- connecting ---- */

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

static enum rc connect_failed(struct maria_conn *mc, struct err *err)
{
    const struct maria_login *login = mc->login;
    enum rc rc = maria_fail(mc);

    if (rc == RC_TIMEOUT)
        return err_set(err, rc, "no answer from '%s' within %u s",
                       login->socket ? login->socket : or_empty(login->host),
                       login->timeout_s);
    return maria_last_err(mc, NULL, err);
}

static void take_version(struct maria_conn *mc)
{
    const char *text = mysql_get_server_info(mc->my);

    mc->version = (unsigned)mysql_get_server_version(mc->my);
    mc->is_mariadb = text && strstr(text, "MariaDB");
}

static enum rc check_version(const struct maria_conn *mc, struct err *err)
{
    if (mc->version >= VERSION_MIN)
        return RC_OK;
    return err_set(err, RC_UNSUPPORTED,
                   "the server is version %s; MySQL 5.6, MariaDB 10 or later "
                   "is needed",
                   or_empty(mysql_get_server_info(mc->my)));
}

/* The library goes on without TLS when a server has none. */
static enum rc check_tls(const struct maria_conn *mc, struct err *err)
{
    if (mc->login->tls < MARIA_TLS_REQUIRED || mysql_get_ssl_cipher(mc->my))
        return RC_OK;
    return err_set(err, RC_UNSUPPORTED,
                   "TLS is required and the server has none; set ssl_cert and "
                   "ssl_key there, or use ?ssl-mode=preferred");
}

/* The library leaves a TLS socket in blocking mode: reading from it would stop
 * the whole loop. */
static void unblock(struct maria_conn *mc)
{
    const int flags = fcntl(mc->fd, F_GETFL);

    fcntl(mc->fd, F_SETFL, flags | O_NONBLOCK);
}

static CORO_FN enum rc open_link(struct maria_conn *mc, const char *dbname,
                                 struct err *err)
{
    /* Rows found, not rows that became others: as other databases count. */
    const unsigned long flags = CLIENT_FOUND_ROWS | CLIENT_MULTI_STATEMENTS;

    mc->my = mysql_init(NULL);
    if (!mc->my)
        return err_set(err, RC_NOMEM, "out of memory");
    maria_login_options(mc->login, mc->my);
    maria_hook(mc->my);
    maria_guard_files(mc);
    maria_start_until(mc,
                      mono_add(clock_now(), mc->login->timeout_s * NS_PER_S));
    if (!maria_login_connect(mc->login, mc->my, dbname, flags))
        return connect_failed(mc, err);
    mc->fd = mysql_get_socket(mc->my);
    mc->thread_id = mysql_thread_id(mc->my);
    unblock(mc);
    take_version(mc);
    if (check_version(mc, err))
        return RC_UNSUPPORTED;
    return check_tls(mc, err);
}

/* For flights as text, so that the run path need not grow. */
static void make_room(struct buf *b)
{
    static const char zeros[1024];

    for (size_t i = 0; i < 16; i++)
        buf_add(b, zeros, sizeof(zeros));
    buf_reset(b);
}

enum rc maria_connect_plain(struct maria_db *db, struct loop *loop,
                            const char *dbname, struct maria_conn **out,
                            struct err *err)
{
    struct maria_conn *mc = mem_calloc_aligned(1, sizeof(*mc));
    enum rc rc;

    if (!mc)
        return err_set(err, RC_NOMEM, "out of memory");
    mc->base.driver = &mysql_driver;
    mc->base.db = &db->base;
    mc->base.loop = loop;
    mc->login = maria_login_share(db->login);
    mc->fd = -1;
    buf_init(&mc->text, MARIA_SQL_MAX);
    make_room(&mc->text);
    buf_init(&mc->bulk.head, MARIA_SQL_MAX);
    buf_init(&mc->bulk.rows, MARIA_SQL_MAX);
    rc = open_link(mc, dbname, err);
    if (rc)
        maria_disconnect(&mc->base);
    else
        *out = mc;
    return rc;
}

/* ---- for a run ---- */

static CORO_FN enum rc set_isolation(struct maria_conn *mc, struct err *err)
{
    static const char *const texts[] = {
        [ISOLATION_DEFAULT] = NULL,
        [ISOLATION_READ_COMMITTED] =
            "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
        [ISOLATION_REPEATABLE_READ] =
            "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
        [ISOLATION_SERIALIZABLE] =
            "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE",
    };
    const char *text = texts[mc->base.db->isolation];

    if (!text)
        return RC_OK;
    return maria_run(mc, text) ? maria_last_err(mc, NULL, err) : RC_OK;
}

/* MySQL limits only what reads, and nothing before 5.7.8; there the client's
 * own deadline is what ends a statement. */
enum rc maria_limit_statements(struct conn *c, struct err *err)
{
    struct maria_conn *mc = maria_conn_of(c);
    const int64_t ns = c->statement_timeout_ns;
    char sql[96];

    if (!mc->is_mariadb && mc->version < 50708)
        return RC_OK;
    if (mc->is_mariadb)
        snprintf(sql, sizeof(sql),
                 "SET SESSION max_statement_time = %" PRId64 ".%06" PRId64,
                 ns / NS_PER_S, ns % NS_PER_S / NS_PER_US);
    else
        snprintf(sql, sizeof(sql), "SET SESSION max_execution_time = %" PRId64,
                 (ns + NS_PER_MS - 1) / NS_PER_MS);
    return maria_run(mc, sql) ? maria_last_err(mc, NULL, err) : RC_OK;
}

/* What fits into the server's first buffer is taken in any case. */
static CORO_FN enum rc ask_packet(struct maria_conn *mc, struct err *err)
{
    int64_t bytes;

    if (maria_ask_number(
            mc, "SELECT GREATEST(@@max_allowed_packet, @@net_buffer_length)",
            &bytes))
        return maria_last_err(mc, NULL, err);
    mc->max_packet = (size_t)bytes;
    return RC_OK;
}

enum rc maria_connect(struct db *db, struct loop *loop, struct conn **out,
                      struct err *err)
{
    struct maria_db *mdb = maria_db_of(db);
    struct maria_conn *mc = NULL;
    enum rc rc = maria_connect_plain(mdb, loop, mdb->login->database, &mc, err);

    if (!rc)
        rc = set_isolation(mc, err);
    if (!rc)
        rc = ask_packet(mc, err);
    if (rc) {
        err_prefix(err, "'%s'", db->target->shown);
        if (mc)
            maria_disconnect(&mc->base);
        return rc;
    }
    *out = &mc->base;
    return RC_OK;
}

void maria_disconnect(struct conn *c)
{
    struct maria_conn *mc = maria_conn_of(c);

    maria_forget_answers(mc);
    if (mc->fd >= 0 && c->loop)
        loop_forget(c->loop, mc->fd);
    /* Says good-bye without waiting; what is open is rolled back.  Statements
     * are freed behind it, so that they do not say it each. */
    maria_never_wait();
    mysql_close(mc->my);
    maria_free_stmts(mc);
    maria_login_release(mc->login);
    buf_release(&mc->text);
    buf_release(&mc->bulk.head);
    buf_release(&mc->bulk.rows);
    mem_free(mc->cells);
    mem_free(mc->names);
    mem_free(mc->flight);
    mem_free(mc);
}
