/* SPDX-License-Identifier: MIT */
/* The database's side of a request of Lua's, outside Lua. */
#include "base/mem.h"
#include "driver/raw.h"
#include "workload/sysbench/sql.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* MariaDB before 10.6, MySQL: BEGIN cannot be prepared. */
#define CANNOT_PREPARE 1295

/* ---- connections ---- */

static CORO_FN enum rc connect(struct sb_user *u, struct err *err)
{
    struct sb_con *con = MEM_NEW(struct sb_con);
    enum rc rc = RC_OK;

    if (!con)
        return err_set(err, RC_NOMEM, "no memory for a connection");
    con->user = u;
    con->main = !u->cons;
    buf_init(&con->bulk, SIZE_MAX / 2);
    if (!con->main)
        rc = conn_open(u->base.ds->db, loop_current(), &con->own, err);
    if (rc) {
        mem_free(con);
        return rc;
    }
    /* The run's stays the last one of the list. */
    con->next = u->cons;
    u->cons = con;
    u->request.con = con;
    return RC_OK;
}

static void disconnect(struct sb_con *con)
{
    conn_close(con->own);
    con->own = NULL;
    con->closed = true;
}

void sb_close_cons(struct sb_user *u)
{
    for (struct sb_con *con = u->cons; con; con = con->next)
        disconnect(con);
}

/* ---- values ---- */

static size_t print_int(int64_t i, char *out)
{
    uint64_t left = i < 0 ? -(uint64_t)i : (uint64_t)i;
    char digits[24];
    size_t n = 0, len = 0;

    do
        digits[n++] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (i < 0)
        out[len++] = '-';
    while (n > 0)
        out[len++] = digits[--n];
    return len;
}

static struct value bind(const struct sb_param *p, char *printed, bool numbers)
{
    if (!p || p->is_null)
        return v_null();
    switch (p->kind) {
    case SB_PARAM_INT:
        if (numbers)
            return v_int(p->i);
        return v_textn(printed, print_int(p->i, printed));
    case SB_PARAM_DOUBLE:
        return v_textn(
            printed, (size_t)snprintf(printed, SB_PRINTED_MAX, "%.17g", p->d));
    case SB_PARAM_TEXT:
        break;
    }
    return v_textn(p->text, p->len);
}

/* PostgreSQL knows the types of parameters and reads them from text; others
 * take what they get. */
static void bind_all(struct sb_stmt *s, const struct conn *c)
{
    const bool numbers = c->driver->placeholder == PLACEHOLDER_QUESTION;

    for (size_t i = 0; i < s->n_params; i++)
        s->args[i] = bind(s->params[i], s->printed[i], numbers);
}

/* ---- statements ---- */

static CORO_FN enum rc run_txn(enum sb_txn txn, struct conn *c)
{
    if (txn == SB_BEGIN)
        return c->in_txn ? RC_OK : conn_begin(c, TXN_WRITE);
    if (!c->in_txn)
        return RC_OK;
    return txn == SB_COMMIT ? conn_commit(c) : conn_rollback(c);
}

static CORO_FN enum rc prepare(struct sb_user *u, const struct sb_sql *sql,
                               struct conn *c, struct err *err)
{
    if (sql->txn && !u->state->native_txns)
        return RC_OK;
    if (sql->number < c->n_numbered && conn_stmt(c, sql->number))
        return RC_OK;
    return conn_prepare_as(c, sql->number, &sql->step, err);
}

static enum rc keep_answer(void *arg, const struct rowset *rows)
{
    struct sb_user *u = arg;

    /* The rows are the driver's until the next call on the connection. */
    u->request.answer = *rows;
    u->request.answer.names = NULL;
    return RC_OK;
}

static CORO_FN enum rc query(struct sb_user *u, struct conn *c)
{
    const char *text = u->request.text;
    enum sb_txn txn;
    const enum sb_kind kind = sb_kind_of(text, &txn);

    atomic_fetch_add_explicit(&u->n_asked[kind], 1, memory_order_relaxed);
    if (txn && !u->state->native_txns)
        return run_txn(txn, c);
    return conn_exec_text(c, &u->state->query_steps[kind], text, keep_answer,
                          u);
}

static CORO_FN enum rc execute(struct sb_user *u, struct conn *c,
                               struct err *err)
{
    struct sb_stmt *s = u->request.stmt;
    const struct sb_sql *sql = s->sql;
    enum rc rc;

    atomic_store_explicit(
        &u->n_asked[sql->kind],
        atomic_load_explicit(&u->n_asked[sql->kind], memory_order_relaxed) + 1,
        memory_order_relaxed);
    if (UNLIKELY(sql->txn && !u->state->native_txns))
        return run_txn(sql->txn, c);
    if (UNLIKELY(s->as_text))
        return conn_exec_text(c, &sql->step, sql->text, keep_answer, u);
    /* A connection that was opened again knows of nothing. */
    rc = prepare(u, sql, c, err);
    if (UNLIKELY(rc))
        return rc;
    bind_all(s, c);
    return conn_exec(c, conn_stmt(c, sql->number), s->args, s->n_params,
                     &u->request.answer);
}

static CORO_FN enum rc prepare_stmt(struct sb_user *u, struct conn *c,
                                    struct err *err)
{
    struct sb_stmt *s = u->request.stmt;
    const enum rc rc = prepare(u, s->sql, c, err);

    if (rc && err->native == CANNOT_PREPARE && s->n_params == 0 &&
        c->driver->in_txn && db_can(c->db, DRIVER_TEXT)) {
        s->as_text = true;
        *err = (struct err){0};
        return RC_OK;
    }
    return rc;
}

/* ---- rows ---- */

static CORO_FN enum rc send_rows(struct sb_rows *rows, struct conn *c,
                                 struct err *err)
{
    enum rc rc = RC_OK;

    if (rows->n > 0)
        rc = conn_bulk_rows(c, &rows->table, rows->cells, rows->n, err);
    rows->n = 0;
    arena_reset(&rows->texts);
    return rc;
}

static CORO_FN enum rc begin_rows(struct sb_rows *rows, struct conn *c,
                                  struct err *err)
{
    enum rc rc = conn_begin(c, TXN_BULK);

    if (rc) {
        conn_error(c, err);
        return rc;
    }
    rc = conn_bulk_begin(c, &rows->table, BULK_ANY, err);
    rows->open = !rc;
    return rc;
}

static CORO_FN enum rc end_rows(struct sb_rows *rows, struct conn *c,
                                struct err *err)
{
    enum rc rc = send_rows(rows, c, err);

    rows->open = false;
    if (!rc)
        rc = conn_bulk_end(c, err);
    if (rc)
        return rc;
    rc = conn_commit(c);
    if (rc)
        conn_error(c, err);
    return rc;
}

/* ---- all ---- */

static CORO_FN enum rc answer(struct sb_user *u, struct conn *c,
                              struct err *err)
{
    switch (u->request.ask) {
    case SB_ASK_QUERY:
        return query(u, c);
    case SB_ASK_PREPARE:
        return prepare_stmt(u, c, err);
    case SB_ASK_EXECUTE:
        return execute(u, c, err);
    case SB_ASK_ROWS_BEGIN:
        return begin_rows(u->request.rows, c, err);
    case SB_ASK_ROWS:
        return send_rows(u->request.rows, c, err);
    case SB_ASK_ROWS_END:
        return end_rows(u->request.rows, c, err);
    case SB_ASK_NOTHING:
    case SB_ASK_CONNECT:
    case SB_ASK_DISCONNECT:
        break;
    }
    return RC_OK;
}

/* A COMMIT, or what commits by itself, on a connection that is lost. */
static enum rc judge(const struct sb_user *u, const struct conn *c, bool in_txn,
                     enum rc rc)
{
    const struct sb_request *r = &u->request;
    enum sb_txn txn = SB_NO_TXN;

    if (rc != RC_DB_GONE || !c->gone)
        return rc;
    if (r->ask == SB_ASK_EXECUTE)
        txn = r->stmt->sql->txn;
    else if (r->ask == SB_ASK_QUERY)
        sb_kind_of(r->text, &txn);
    else
        return rc;
    return txn == SB_COMMIT || (!in_txn && txn == SB_NO_TXN) ? RC_DB_UNKNOWN
                                                             : rc;
}

static void discard(const struct sb_request *r)
{
    if (r->ask < SB_ASK_ROWS_BEGIN)
        return;
    r->rows->open = r->ask != SB_ASK_ROWS_END;
    r->rows->n = 0;
    arena_reset(&r->rows->texts);
}

void sb_answer(struct sb_user *u)
{
    struct sb_request *r = &u->request;
    struct err *err = &u->sql_err;
    struct conn *c;
    bool in_txn;

    r->answer = (struct rowset){0};
    r->rc = RC_OK;
    err->text[0] = '\0';
    if (r->ask == SB_ASK_CONNECT) {
        r->rc = connect(u, err);
        return;
    }
    if (r->ask == SB_ASK_DISCONNECT) {
        disconnect(r->con);
        return;
    }
    if (u->state->discards) {
        discard(r);
        return;
    }
    c = sb_conn_of(r->con);
    if (!c) {
        r->rc = err_set(err, RC_INVALID, "there is no connection here");
        return;
    }
    in_txn = c->in_txn;
    if (UNLIKELY(r->con->must_roll_back)) {
        r->con->must_roll_back = false;
        if (conn_rollback(c))
            c->gone = true;
    }
    r->rc = answer(u, c, err);
    if (LIKELY(!r->rc))
        return;
    if (!err->text[0])
        conn_error(c, err);
    err->native = c->native;
    memcpy(err->sqlstate, c->sqlstate, sizeof(err->sqlstate));
    r->rc = judge(u, c, in_txn, r->rc);
    err->rc = r->rc;
}
