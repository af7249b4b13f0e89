/* SPDX-License-Identifier: MIT */
/* Opening and closing connections.  Calls block: each connection of a run has
 * a thread of its own. */
#include "base/mem.h"
#include "driver/odbc/odbc_int.h"

#include <inttypes.h>
#include <stdio.h>

#define LOGIN_TIMEOUT_S 10

static enum rc open_link(struct odbc_conn *oc, const struct odbc_db *db,
                         struct err *err)
{
    if (!odbc_ok(SQLAllocHandle(SQL_HANDLE_DBC, db->env, &oc->dbc)))
        return err_set(err, RC_NOMEM, "out of memory");
    /* A driver that has no such limit goes on without. */
    (void)SQLSetConnectAttr(oc->dbc, SQL_ATTR_LOGIN_TIMEOUT,
                            (SQLPOINTER)(uintptr_t)LOGIN_TIMEOUT_S, 0);
    if (!odbc_ok(SQLDriverConnect(oc->dbc, NULL, odbc_text(db->source), SQL_NTS,
                                  NULL, 0, NULL, SQL_DRIVER_NOPROMPT))) {
        odbc_fail(oc, SQL_HANDLE_DBC, oc->dbc);
        return odbc_last_err(oc, NULL, err);
    }
    oc->connected = true;
    if (odbc_new_stmt(oc, &oc->own))
        return odbc_last_err(oc, NULL, err);
    return RC_OK;
}

/* For texts of the run path, which must not grow. */
static void make_room(struct buf *b)
{
    static const char zeros[2048];

    buf_init(b, ODBC_CELL_MAX);
    buf_add(b, zeros, sizeof(zeros));
    buf_reset(b);
}

enum rc odbc_connect_plain(struct odbc_db *db, struct odbc_conn **out,
                           struct err *err)
{
    struct odbc_conn *oc = mem_calloc_aligned(1, sizeof(*oc));
    enum rc rc;

    if (!oc)
        return err_set(err, RC_NOMEM, "out of memory");
    oc->base.driver = db->base.driver;
    oc->base.db = &db->base;
    oc->dialect = db->dialect;
    pthread_mutex_init(&oc->cancel_lock, NULL);
    make_room(&oc->cell);
    buf_init(&oc->bulk.rows, ODBC_SQL_MAX);
    if (kept_rows_init(&oc->rows))
        rc = err_set(err, RC_NOMEM, "out of memory");
    else
        rc = open_link(oc, db, err);
    if (rc)
        odbc_disconnect(&oc->base);
    else
        *out = oc;
    return rc;
}

/* ---- for a run ---- */

enum rc odbc_limit_statements(struct conn *c, struct err *err)
{
    struct odbc_conn *oc = odbc_conn_of(c);
    const int64_t ns = c->statement_timeout_ns;
    char sql[96];

    if (oc->dialect->timeout_in_s)
        snprintf(sql, sizeof(sql), "%s%" PRId64 ".%06" PRId64,
                 oc->dialect->timeout, ns / NS_PER_S,
                 ns % NS_PER_S / NS_PER_US);
    else
        snprintf(sql, sizeof(sql), "%s%" PRId64, oc->dialect->timeout,
                 (ns + NS_PER_MS - 1) / NS_PER_MS);
    return odbc_run(oc, sql) ? odbc_last_err(oc, NULL, err) : RC_OK;
}

static void ask_isolation(struct odbc_conn *oc)
{
    SQLULEN level = 0;

    if (odbc_ok(SQLGetConnectAttr(oc->dbc, SQL_ATTR_TXN_ISOLATION, &level,
                                  sizeof(level), NULL)))
        oc->isolation = level;
}

static enum rc set_up(struct odbc_conn *oc, struct err *err)
{
    enum rc rc = RC_OK;

    ask_isolation(oc);
    if (oc->base.db->isolation != ISOLATION_DEFAULT && !oc->dialect->begin[0])
        rc = odbc_set_isolation(oc, oc->base.db->isolation);
    return rc ? odbc_last_err(oc, NULL, err) : RC_OK;
}

enum rc odbc_connect(struct db *base, struct loop *loop, struct conn **out,
                     struct err *err)
{
    struct odbc_db *db = odbc_db_of(base);
    struct odbc_conn *oc = NULL;
    enum rc rc = odbc_connect_plain(db, &oc, err);

    if (!rc) {
        oc->base.loop = loop;
        rc = set_up(oc, err);
    }
    if (rc) {
        err_prefix(err, "'%s'", base->target->shown);
        if (oc)
            odbc_disconnect(&oc->base);
        return rc;
    }
    *out = &oc->base;
    return RC_OK;
}

void odbc_disconnect(struct conn *c)
{
    struct odbc_conn *oc = odbc_conn_of(c);

    odbc_free_stmts(oc);
    odbc_release_bulk(oc);
    if (oc->own)
        odbc_free_stmt(oc, oc->own);
    if (oc->connected) {
        /* ODBC refuses to disconnect in a transaction. */
        if (oc->autocommit_off)
            (void)SQLEndTran(SQL_HANDLE_DBC, oc->dbc, SQL_ROLLBACK);
        (void)SQLDisconnect(oc->dbc);
    }
    if (oc->dbc)
        (void)SQLFreeHandle(SQL_HANDLE_DBC, oc->dbc);
    pthread_mutex_destroy(&oc->cancel_lock);
    kept_rows_release(&oc->rows);
    buf_release(&oc->cell);
    buf_release(&oc->bulk.rows);
    mem_free(oc);
}

void odbc_cancel(struct conn *c)
{
    struct odbc_conn *oc = odbc_conn_of(c);
    SQLHSTMT st;

    pthread_mutex_lock(&oc->cancel_lock);
    /* Partner: the stores in call.c. */
    st = atomic_load_explicit(&oc->running, memory_order_acquire);
    if (st)
        (void)SQLCancel(st);
    pthread_mutex_unlock(&oc->cancel_lock);
}
