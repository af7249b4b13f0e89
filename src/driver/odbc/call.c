/* SPDX-License-Identifier: MIT */
/* The calls of ODBC that wait for the database. */
#include "base/parse.h"
#include "driver/odbc/odbc_int.h"

enum rc odbc_new_stmt(struct odbc_conn *oc, SQLHSTMT *out)
{
    if (odbc_ok(SQLAllocHandle(SQL_HANDLE_STMT, oc->dbc, out)))
        return RC_OK;
    *out = NULL;
    return odbc_fail(oc, SQL_HANDLE_DBC, oc->dbc);
}

void odbc_free_stmt(struct odbc_conn *oc, SQLHSTMT st)
{
    /* Another thread may be about to cancel it. */
    pthread_mutex_lock(&oc->cancel_lock);
    (void)SQLFreeHandle(SQL_HANDLE_STMT, st);
    pthread_mutex_unlock(&oc->cancel_lock);
}

/* Partner: the load in odbc_cancel().  What is in running is not freed before
 * the lock has been held. */
static inline void enter(struct odbc_conn *oc, SQLHSTMT st)
{
    atomic_store_explicit(&oc->running, st, memory_order_release);
}

static inline enum rc leave(struct odbc_conn *oc, SQLHSTMT st, SQLRETURN code)
{
    atomic_store_explicit(&oc->running, NULL, memory_order_release);
    if (odbc_ok(code) || code == SQL_NO_DATA)
        return RC_OK;
    return odbc_fail_stmt(oc, st);
}

enum rc odbc_execute(struct odbc_conn *oc, SQLHSTMT st)
{
    enter(oc, st);
    return leave(oc, st, SQLExecute(st));
}

enum rc odbc_execute_text(struct odbc_conn *oc, SQLHSTMT st, const char *sql)
{
    enter(oc, st);
    return leave(oc, st, SQLExecDirect(st, odbc_text(sql), SQL_NTS));
}

enum rc odbc_fetch(struct odbc_conn *oc, SQLHSTMT st, bool *out_done)
{
    SQLRETURN code;

    enter(oc, st);
    code = SQLFetch(st);
    *out_done = code == SQL_NO_DATA;
    return leave(oc, st, code);
}

enum rc odbc_next_result(struct odbc_conn *oc, SQLHSTMT st, bool *out_done)
{
    SQLRETURN code;

    enter(oc, st);
    code = SQLMoreResults(st);
    *out_done = code == SQL_NO_DATA;
    return leave(oc, st, code);
}

/* ---- statements of the driver's own ---- */

enum rc odbc_run(struct odbc_conn *oc, const char *sql)
{
    enum rc rc = odbc_execute_text(oc, oc->own, sql);

    (void)SQLFreeStmt(oc->own, SQL_CLOSE);
    return rc;
}

enum rc odbc_ask(struct odbc_conn *oc, const char *sql, struct rowset *out)
{
    SQLSMALLINT n_cols = 0;
    enum rc rc;

    *out = (struct rowset){0};
    kept_rows_reset(&oc->rows);
    rc = odbc_execute_text(oc, oc->own, sql);
    if (!rc && !odbc_ok(SQLNumResultCols(oc->own, &n_cols)))
        rc = odbc_fail_stmt(oc, oc->own);
    if (!rc && n_cols > 0)
        rc = odbc_keep_rows(oc, oc->own, NULL, (size_t)n_cols);
    (void)SQLFreeStmt(oc->own, SQL_CLOSE);
    if (rc || n_cols <= 0)
        return rc;
    kept_rows_finish(&oc->rows);
    out->cells = oc->rows.cells;
    out->n_cols = (size_t)n_cols;
    out->n_rows = oc->rows.n_cells / out->n_cols;
    return RC_OK;
}

enum rc odbc_ask_number(struct odbc_conn *oc, const char *sql, int64_t *out)
{
    struct value v;
    struct rowset rows;
    enum rc rc = odbc_ask(oc, sql, &rows);

    if (rc)
        return rc;
    if (rows.n_rows == 0 || rows.cells[0].type != VALUE_TEXT ||
        !value_parse(VALUE_INT, rows.cells[0].s, rows.cells[0].len, &v))
        return odbc_fail_own(oc, RC_INVALID, "a statement gives no number");
    *out = v.i;
    return RC_OK;
}
