/* SPDX-License-Identifier: MIT */
/*
 * Rows for a load, in the transaction of the connection.  Where the driver
 * sends an array of parameters at once (MariaDB's does), rows wait and go as
 * arrays; elsewhere it would send row by row, and an INSERT of
 * many rows in text is what costs least.
 */
#include "base/mem.h"
#include "driver/odbc/odbc_int.h"

/* Of an INSERT: large enough that a statement for each costs little. */
#define INSERT_BYTES (256 * 1024)
/* SQLite has a limit for the terms of one. */
#define INSERT_ROWS 1000
/* What is larger leaves the cache. */
#define ARRAY_ROWS 500

static enum rc failed(const struct odbc_conn *oc, struct err *err)
{
    return odbc_last_err(oc, oc->bulk.table->name, err);
}

static enum rc no_memory(struct odbc_conn *oc)
{
    return odbc_fail_own(oc, RC_NOMEM, "out of memory");
}

static void put_head(struct buf *b, const struct odbc_conn *oc)
{
    const struct table_def *table = oc->bulk.table;

    buf_puts(b, "INSERT INTO ");
    odbc_put_name(b, oc, table->name);
    for (size_t i = 0; i < table->n_cols; i++) {
        buf_puts(b, i == 0 ? " (" : ", ");
        odbc_put_name(b, oc, table->cols[i].name);
    }
    buf_puts(b, ") VALUES ");
}

/* ---- rows as text ---- */

static enum rc send_rows(struct odbc_conn *oc)
{
    struct odbc_bulk *bulk = &oc->bulk;
    enum rc rc;

    if (bulk->n_rows == 0)
        return RC_OK;
    rc = buf_rc(&bulk->rows);
    if (rc)
        return no_memory(oc);
    rc = odbc_check_packet(oc, bulk->rows.len);
    if (!rc)
        rc = odbc_run(oc, buf_str(&bulk->rows));
    oc->base.usage.statements++;
    oc->base.usage.round_trips++;
    oc->base.usage.bytes_sent += bulk->rows.len;
    buf_reset(&bulk->rows);
    bulk->n_rows = 0;
    return rc;
}

static void put_cell_text(struct odbc_conn *oc, const struct value *v)
{
    struct odbc_bulk *bulk = &oc->bulk;
    struct buf *b = &bulk->rows;

    if (bulk->col > 0) {
        buf_putc(b, ',');
    } else {
        if (bulk->n_rows == 0)
            put_head(b, oc);
        buf_puts(b, bulk->n_rows == 0 ? "(" : ", (");
    }
    odbc_put_literal(b, oc, v);
}

static enum rc end_row(struct odbc_conn *oc)
{
    struct odbc_bulk *bulk = &oc->bulk;

    buf_putc(&bulk->rows, ')');
    bulk->n_rows++;
    if (bulk->rows.len < INSERT_BYTES && bulk->rows.len < bulk->limit &&
        bulk->n_rows < INSERT_ROWS && !buf_rc(&bulk->rows))
        return RC_OK;
    return send_rows(oc);
}

/* ---- rows as arrays ---- */

/* A column of the call: where it begins, and what each row has in it. */
struct array {
    const struct value *cells; /* of the first row */
    size_t n_rows, n_cols, width;
    enum value_type type;
};

static size_t width_of(const struct array *a)
{
    size_t width = 1;

    if (a->type == VALUE_INT)
        return sizeof(SQLBIGINT);
    if (a->type == VALUE_TIME)
        return sizeof(SQL_TIMESTAMP_STRUCT);
    if (a->type != VALUE_TEXT)
        return VALUE_PRINTED_MAX;
    for (size_t i = 0; i < a->n_rows; i++) {
        const struct value *v = &a->cells[i * a->n_cols];

        if (v->type == VALUE_TEXT && v->len > width)
            width = v->len;
    }
    return width;
}

static void put_cell(char *out, SQLLEN *len, const struct value *v)
{
    const SQLBIGINT i = v->type == VALUE_NULL ? 0 : v->i;
    SQL_TIMESTAMP_STRUCT time = {0};
    struct value_time t;

    *len = 0;
    switch (v->type) {
    case VALUE_NULL:
    case VALUE_INTS:
        *len = SQL_NULL_DATA;
        return;
    case VALUE_TEXT:
        memcpy(out, v->s, v->len);
        *len = (SQLLEN)v->len;
        return;
    case VALUE_INT:
        memcpy(out, &i, sizeof(i));
        return;
    case VALUE_MONEY:
    case VALUE_RATE:
        *len = (SQLLEN)value_print(v, out);
        return;
    case VALUE_TIME:
        t = value_time_of(v->i);
        time.year = (SQLSMALLINT)t.year;
        time.month = (SQLUSMALLINT)t.month;
        time.day = (SQLUSMALLINT)t.day;
        time.hour = (SQLUSMALLINT)t.hour;
        time.minute = (SQLUSMALLINT)t.minute;
        time.second = (SQLUSMALLINT)t.second;
        time.fraction = t.us * 1000;
        memcpy(out, &time, sizeof(time));
        return;
    }
}

static SQLRETURN bind_array(SQLHSTMT st, size_t col, const struct array *a,
                            char *bytes, SQLLEN *lens)
{
    const SQLUSMALLINT at = (SQLUSMALLINT)(col + 1);
    const SQLLEN width = (SQLLEN)a->width;

    if (a->type == VALUE_INT)
        return SQLBindParameter(st, at, SQL_PARAM_INPUT, SQL_C_SBIGINT,
                                SQL_BIGINT, 19, 0, bytes, width, lens);
    if (a->type == VALUE_TIME)
        return SQLBindParameter(st, at, SQL_PARAM_INPUT, SQL_C_TYPE_TIMESTAMP,
                                SQL_TYPE_TIMESTAMP, 26, 6, bytes, width, lens);
    return SQLBindParameter(st, at, SQL_PARAM_INPUT, SQL_C_CHAR, SQL_VARCHAR,
                            (SQLULEN)width, 0, bytes, width, lens);
}

static struct array array_of(const struct odbc_bulk *bulk,
                             const struct value *cells, size_t n_rows,
                             size_t col)
{
    struct array a = {
        .cells = cells + col,
        .n_rows = n_rows,
        .n_cols = bulk->table->n_cols,
        .type = bulk->table->cols[col].type,
    };

    a.width = width_of(&a);
    return a;
}

/* Room for all columns of the call, each on a boundary of eight bytes. */
static enum rc reserve(struct odbc_conn *oc, const struct value *cells,
                       size_t n_rows)
{
    struct odbc_bulk *bulk = &oc->bulk;
    const size_t n_cols = bulk->table->n_cols;
    size_t need = 0;
    void *p;

    for (size_t i = 0; i < n_cols; i++)
        need += (array_of(bulk, cells, n_rows, i).width * n_rows + 7) & ~7U;
    if (need > bulk->columns_cap) {
        p = mem_realloc(bulk->columns, need);
        if (!p)
            return no_memory(oc);
        bulk->columns = p;
        bulk->columns_cap = need;
    }
    if (n_cols * n_rows > bulk->lens_cap) {
        p = mem_realloc(bulk->lens, n_cols * n_rows * sizeof(SQLLEN));
        if (!p)
            return no_memory(oc);
        bulk->lens = p;
        bulk->lens_cap = n_cols * n_rows;
    }
    return RC_OK;
}

static enum rc bind_arrays(struct odbc_conn *oc, const struct value *cells,
                           size_t n_rows)
{
    struct odbc_bulk *bulk = &oc->bulk;
    char *bytes = bulk->columns;
    SQLLEN *lens = bulk->lens;

    for (size_t col = 0; col < bulk->table->n_cols; col++) {
        const struct array a = array_of(bulk, cells, n_rows, col);

        for (size_t i = 0; i < n_rows; i++)
            put_cell(bytes + i * a.width, &lens[i], &a.cells[i * a.n_cols]);
        if (!odbc_ok(bind_array(bulk->st, col, &a, bytes, lens)))
            return odbc_fail_stmt(oc, bulk->st);
        bytes += (a.width * n_rows + 7) & ~7U;
        lens += n_rows;
    }
    return RC_OK;
}

static enum rc send_arrays(struct odbc_conn *oc)
{
    struct odbc_bulk *bulk = &oc->bulk;
    const struct value *cells = bulk->cells.cells;
    const size_t n_rows = bulk->n_rows;
    enum rc rc;

    if (n_rows == 0)
        return RC_OK;
    kept_rows_finish(&bulk->cells);
    rc = reserve(oc, cells, n_rows);
    if (!rc && !odbc_ok(SQLSetStmtAttr(bulk->st, SQL_ATTR_PARAMSET_SIZE,
                                       (SQLPOINTER)(uintptr_t)n_rows, 0)))
        rc = odbc_fail_stmt(oc, bulk->st);
    if (!rc)
        rc = bind_arrays(oc, cells, n_rows);
    if (!rc)
        rc = odbc_execute(oc, bulk->st);
    (void)SQLFreeStmt(bulk->st, SQL_CLOSE);
    oc->base.usage.statements++;
    oc->base.usage.round_trips++;
    kept_rows_reset(&bulk->cells);
    bulk->n_rows = 0;
    return rc;
}

static bool array_is_full(const struct odbc_bulk *bulk)
{
    return bulk->n_rows == ARRAY_ROWS ||
           bulk->cells.n_bytes + bulk->cells.n_cells * VALUE_PRINTED_MAX >=
               bulk->limit;
}

/* Cells wait until an array is full. */
static void keep_cell(struct odbc_conn *oc, const struct value *v)
{
    struct kept_rows *kept = &oc->bulk.cells;
    struct value *cell;

    if (kept_rows_add(kept, 1, &cell)) {
        oc->bulk.rc = RC_NOMEM;
        return;
    }
    *cell = *v;
    if (v->type == VALUE_TEXT && kept_rows_text(kept, cell, v->s, v->len))
        oc->bulk.rc = RC_NOMEM;
}

static enum rc prepare_arrays(struct odbc_conn *oc)
{
    struct buf sql = BUF_INIT(ODBC_SQL_MAX);
    struct odbc_bulk *bulk = &oc->bulk;
    enum rc rc = odbc_new_stmt(oc, &bulk->st);

    put_head(&sql, oc);
    for (size_t i = 0; i < bulk->table->n_cols; i++)
        buf_puts(&sql, i == 0 ? "(?" : ", ?");
    buf_putc(&sql, ')');
    if (!rc && buf_rc(&sql))
        rc = no_memory(oc);
    if (!rc &&
        !odbc_ok(SQLPrepare(bulk->st, odbc_text(buf_str(&sql)), SQL_NTS)))
        rc = odbc_fail_stmt(oc, bulk->st);
    buf_release(&sql);
    return rc;
}

/* ---- the slots ---- */

/* Once: the settings stay, for a connection that loads does nothing else. */
static enum rc make_ready(struct odbc_conn *oc)
{
    const char *const *sql = oc->dialect->bulk_session;
    size_t max = SIZE_MAX;
    enum rc rc = RC_OK;

    for (; sql && *sql && !rc; sql++)
        rc = odbc_run(oc, *sql);
    if (!rc)
        rc = odbc_max_packet(oc, &max);
    oc->bulk.limit = max / 2;
    oc->bulk.ready = !rc;
    return rc;
}

static void forget_table(struct odbc_conn *oc)
{
    if (oc->bulk.st)
        odbc_free_stmt(oc, oc->bulk.st);
    oc->bulk.st = NULL;
    oc->bulk.n_rows = 0;
    oc->bulk.col = 0;
    oc->bulk.rc = RC_OK;
    kept_rows_reset(&oc->bulk.cells);
    buf_reset(&oc->bulk.rows);
}

void odbc_release_bulk(struct odbc_conn *oc)
{
    forget_table(oc);
    kept_rows_release(&oc->bulk.cells);
    mem_free(oc->bulk.columns);
    mem_free(oc->bulk.lens);
    oc->bulk.columns = NULL;
    oc->bulk.lens = NULL;
    oc->bulk.columns_cap = oc->bulk.lens_cap = 0;
}

enum rc odbc_bulk_begin(struct conn *c, const struct table_def *table,
                        enum bulk_state state, struct err *err)
{
    struct odbc_conn *oc = odbc_conn_of(c);
    enum rc rc = RC_OK;

    (void)state;
    forget_table(oc);
    oc->bulk.table = table;
    if (!oc->bulk.cells.cells && kept_rows_init(&oc->bulk.cells))
        rc = no_memory(oc);
    if (!rc && !oc->bulk.ready)
        rc = make_ready(oc);
    if (!rc && odbc_db_of(c->db)->arrays)
        rc = prepare_arrays(oc);
    return rc ? failed(oc, err) : RC_OK;
}

void odbc_bulk_cell(struct conn *c, const struct value *v)
{
    struct odbc_conn *oc = odbc_conn_of(c);

    if (oc->bulk.st)
        keep_cell(oc, v);
    else
        put_cell_text(oc, v);
    oc->bulk.col++;
}

enum rc odbc_bulk_row(struct conn *c, struct err *err)
{
    struct odbc_conn *oc = odbc_conn_of(c);
    struct odbc_bulk *bulk = &oc->bulk;
    enum rc rc = bulk->rc ? no_memory(oc) : RC_OK;

    bulk->col = 0;
    bulk->n_rows += bulk->st != NULL;
    if (rc)
        return failed(oc, err);
    if (!bulk->st) {
        rc = end_row(oc);
    } else if (array_is_full(bulk)) {
        rc = c->loop && loop_cancelled(c->loop)
                 ? odbc_fail_own(oc, RC_CANCELLED, "interrupted")
                 : send_arrays(oc);
    }
    return rc ? failed(oc, err) : RC_OK;
}

enum rc odbc_bulk_end(struct conn *c, struct err *err)
{
    struct odbc_conn *oc = odbc_conn_of(c);
    enum rc rc = oc->bulk.st ? send_arrays(oc) : send_rows(oc);

    rc = rc ? failed(oc, err) : RC_OK;
    forget_table(oc);
    return rc;
}
