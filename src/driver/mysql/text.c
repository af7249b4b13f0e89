/* SPDX-License-Identifier: MIT */
/* Users' own statements: texts without parameters, and rows in text. */
#include "base/mem.h"
#include "driver/mysql/stmt.h"

#include <mariadb_com.h>

bool maria_in_txn(const struct conn *c)
{
    const struct maria_conn *mc =
        (const struct maria_conn *)(const void *)c; /* the first member */

    return (mc->my->server_status & SERVER_STATUS_IN_TRANS) != 0;
}

static enum rc reserve_names(struct maria_conn *mc, size_t n)
{
    const char **names;

    if (LIKELY(n <= mc->names_cap))
        return RC_OK;
    names = mem_realloc(mc->names, n * sizeof(*names));
    if (!names)
        return maria_fail_own(mc, RC_NOMEM, "out of memory");
    mc->names = names;
    mc->names_cap = n;
    return RC_OK;
}

static enum rc begin_rows(struct maria_conn *mc, const MYSQL_FIELD *fields,
                          size_t n_cols, size_t n_rows, struct rowset *out)
{
    enum rc rc = reserve_names(mc, n_cols);

    if (!rc)
        rc = maria_reserve_cells(mc, n_cols * n_rows);
    if (rc)
        return rc;
    for (size_t i = 0; i < n_cols; i++)
        mc->names[i] = fields[i].name;
    out->names = mc->names;
    out->cells = mc->cells;
    out->n_cols = n_cols;
    out->n_rows = n_rows;
    return RC_OK;
}

/* ---- texts ---- */

static enum rc give_rows(struct maria_conn *mc, MYSQL_RES *res, rows_fn *fn,
                         void *arg)
{
    const size_t n_cols = mysql_num_fields(res);
    struct rowset rows = {0};
    struct value *cell;
    MYSQL_ROW row;
    enum rc rc = begin_rows(mc, mysql_fetch_fields(res), n_cols,
                            mysql_num_rows(res), &rows);

    if (rc)
        return rc;
    cell = mc->cells;
    while ((row = mysql_fetch_row(res))) {
        const unsigned long *lens = mysql_fetch_lengths(res);

        for (size_t i = 0; i < n_cols; i++)
            *cell++ = row[i] ? v_textn(row[i], lens[i]) : v_null();
    }
    return fn(arg, &rows);
}

static CORO_FN enum rc take(struct maria_conn *mc, rows_fn *fn, void *arg)
{
    struct rowset none = {0};
    MYSQL_RES *res = mysql_store_result(mc->my);
    enum rc rc = RC_OK;

    if (!res && mysql_errno(mc->my))
        return maria_fail(mc);
    if (!res) {
        none.n_affected = mysql_affected_rows(mc->my);
        return fn ? fn(arg, &none) : RC_OK;
    }
    if (fn)
        rc = give_rows(mc, res, fn, arg);
    mysql_free_result(res);
    return rc;
}

enum rc maria_exec_text(struct conn *c, const char *text, rows_fn *fn,
                        void *arg)
{
    struct maria_conn *mc = maria_conn_of(c);
    enum rc rc = RC_OK;
    int more;

    maria_forget_answers(mc);
    /* Left off by a transaction before: see txn.c. */
    if (UNLIKELY(mc->autocommit_off && !c->in_txn)) {
        rc = maria_run(mc, MARIA_AUTOCOMMIT_ON);
        if (rc)
            return rc;
        mc->autocommit_off = false;
    }
    rc = maria_check_packet(mc, strlen(text));
    if (UNLIKELY(rc))
        return rc;
    maria_start(mc);
    if (UNLIKELY(mysql_real_query(mc->my, text, strlen(text))))
        return maria_fail(mc);
    rc = take(mc, fn, arg);
    while (UNLIKELY(mysql_more_results(mc->my)) && !c->gone) {
        maria_start(mc);
        more = mysql_next_result(mc->my);
        if (more > 0)
            return rc ? rc : maria_fail(mc);
        if (more == 0 && !rc)
            rc = take(mc, fn, arg);
        else if (more == 0)
            mysql_free_result(mysql_store_result(mc->my));
    }
    return rc;
}

/* ---- rows of a prepared statement ---- */

/* Lengths first, for nobody knows how long a text may be. */
struct raw_column {
    unsigned long len;
    my_bool is_null, error;
};

static enum rc bind_columns(struct maria_conn *mc, MYSQL_STMT *st,
                            MYSQL_BIND *binds, struct raw_column *cols,
                            size_t n)
{
    for (size_t i = 0; i < n; i++)
        binds[i] = (MYSQL_BIND){
            .buffer_type = MYSQL_TYPE_STRING,
            .length = &cols[i].len,
            .is_null = &cols[i].is_null,
            .error = &cols[i].error,
        };
    return mysql_stmt_bind_result(st, binds) ? maria_fail_stmt(mc, st) : RC_OK;
}

/* One cell to the end of mc->text; its place stands in the cell until the last
 * one is there, for the bytes may move. */
static enum rc take_cell(struct maria_conn *mc, MYSQL_STMT *st, size_t col,
                         const struct raw_column *is, struct value *cell)
{
    static const char zeros[64];
    struct raw_column got = {0};
    const size_t at = mc->text.len, room = is->len + 1;
    MYSQL_BIND bind = {
        .buffer_type = MYSQL_TYPE_STRING,
        .buffer_length = room,
        .length = &got.len,
        .is_null = &got.is_null,
        .error = &got.error,
    };

    *cell = v_null();
    if (is->is_null)
        return RC_OK;
    for (size_t n = room; n > 0 && !buf_rc(&mc->text);) {
        const size_t part = n < sizeof(zeros) ? n : sizeof(zeros);

        buf_add(&mc->text, zeros, part);
        n -= part;
    }
    if (buf_rc(&mc->text))
        return maria_fail_own(mc, RC_NOMEM, "an answer is too big for memory");
    bind.buffer = mc->text.data + at;
    if (mysql_stmt_fetch_column(st, &bind, (unsigned)col, 0))
        return maria_fail_stmt(mc, st);
    *cell = (struct value){
        .type = VALUE_TEXT, .len = (uint32_t)got.len, .i = (int64_t)at};
    return RC_OK;
}

static enum rc take_rows(struct maria_conn *mc, MYSQL_STMT *st,
                         const struct raw_column *cols, size_t n_cols)
{
    struct value *cell = mc->cells;
    enum rc rc = RC_OK;
    int got;

    buf_reset(&mc->text);
    while (!rc &&
           ((got = mysql_stmt_fetch(st)) == 0 || got == MYSQL_DATA_TRUNCATED)) {
        for (size_t i = 0; i < n_cols && !rc; i++)
            rc = take_cell(mc, st, i, &cols[i], cell++);
    }
    return rc;
}

enum rc maria_read_raw_rows(struct maria_conn *mc, MYSQL_STMT *st,
                            struct rowset *out)
{
    const size_t n = mysql_stmt_field_count(st);
    const size_t n_rows = n > 0 ? mysql_stmt_num_rows(st) : 0;
    MYSQL_BIND *binds = MEM_ARRAY(MYSQL_BIND, n + 1);
    struct raw_column *cols = MEM_ARRAY(struct raw_column, n + 1);
    enum rc rc = RC_OK;

    if (!binds || !cols)
        rc = maria_fail_own(mc, RC_NOMEM, "out of memory");
    if (!rc)
        rc = begin_rows(mc, st->fields, n, n_rows, out);
    if (!rc && n > 0)
        rc = bind_columns(mc, st, binds, cols, n);
    if (!rc && n > 0)
        rc = take_rows(mc, st, cols, n);
    for (size_t i = 0; !rc && i < n * n_rows; i++) {
        if (mc->cells[i].type == VALUE_TEXT)
            mc->cells[i].s = buf_str(&mc->text) + mc->cells[i].i;
    }
    mem_free(binds);
    mem_free(cols);
    return rc;
}
