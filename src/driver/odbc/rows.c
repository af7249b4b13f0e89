/* SPDX-License-Identifier: MIT */
/* Cells: SQLGetData, which has no limit for the length of a text. */
#include "driver/odbc/odbc_int.h"

#define PIECE 1024

static enum rc no_memory(struct odbc_conn *oc)
{
    return odbc_fail_own(oc, RC_NOMEM, "an answer is too big for memory");
}

enum rc odbc_get_text(struct odbc_conn *oc, SQLHSTMT st, size_t col,
                      bool *out_null)
{
    char piece[PIECE];
    SQLRETURN code;
    SQLLEN len = 0;

    buf_reset(&oc->cell);
    *out_null = false;
    do {
        code = SQLGetData(st, (SQLUSMALLINT)(col + 1), SQL_C_CHAR, piece,
                          sizeof(piece), &len);
        if (code == SQL_NO_DATA)
            break; /* the piece before was the last, and full */
        if (UNLIKELY(!odbc_ok(code)))
            return odbc_fail_stmt(oc, st);
        *out_null = len == SQL_NULL_DATA;
        if (*out_null)
            return RC_OK;
        if (len == SQL_NO_TOTAL || len >= PIECE)
            len = PIECE - 1;
        else
            code = SQL_SUCCESS; /* a warning of another kind */
        buf_add(&oc->cell, piece, (size_t)len);
    } while (code == SQL_SUCCESS_WITH_INFO);
    return buf_rc(&oc->cell) ? no_memory(oc) : RC_OK;
}

static enum rc get_integer(struct odbc_conn *oc, SQLHSTMT st, size_t col,
                           struct value *out)
{
    SQLBIGINT i = 0;
    SQLLEN len = 0;

    if (UNLIKELY(!odbc_ok(SQLGetData(st, (SQLUSMALLINT)(col + 1), SQL_C_SBIGINT,
                                     &i, sizeof(i), &len))))
        return odbc_fail_stmt(oc, st);
    if (len == SQL_NULL_DATA)
        *out = v_null();
    else
        out->i = i;
    return RC_OK;
}

static enum rc get_time(struct odbc_conn *oc, SQLHSTMT st, size_t col,
                        struct value *out)
{
    SQL_TIMESTAMP_STRUCT t = {0};
    struct value_time parts;
    SQLLEN len = 0;

    if (UNLIKELY(
            !odbc_ok(SQLGetData(st, (SQLUSMALLINT)(col + 1),
                                SQL_C_TYPE_TIMESTAMP, &t, sizeof(t), &len))))
        return odbc_fail_stmt(oc, st);
    if (len == SQL_NULL_DATA) {
        *out = v_null();
        return RC_OK;
    }
    parts = (struct value_time){
        .year = t.year,
        .month = t.month,
        .day = t.day,
        .hour = t.hour,
        .minute = t.minute,
        .second = t.second,
        .us = t.fraction / 1000, /* of nanoseconds */
    };
    if (value_time_to_us(&parts, &out->i))
        return RC_OK;
    return odbc_fail_own(oc, RC_INVALID, "a point in time is none");
}

enum rc odbc_get_cell(struct odbc_conn *oc, SQLHSTMT st, size_t col,
                      enum value_type type, struct value *out)
{
    bool is_null;
    enum rc rc;

    *out = (struct value){.type = type};
    if (type == VALUE_INT || (oc->dialect->counts && type != VALUE_TEXT))
        return get_integer(oc, st, col, out);
    if (type == VALUE_TIME)
        return get_time(oc, st, col, out);
    rc = odbc_get_text(oc, st, col, &is_null);
    if (UNLIKELY(rc))
        return rc;
    if (is_null)
        *out = v_null();
    else if (UNLIKELY(
                 !value_parse(type, buf_str(&oc->cell), oc->cell.len, out)))
        return odbc_fail_own(oc, RC_INVALID,
                             "a value does not fit the type of its column");
    return RC_OK;
}

static enum rc keep_cell(struct odbc_conn *oc, SQLHSTMT st, size_t col,
                         enum value_type type, struct value *out)
{
    enum rc rc = odbc_get_cell(oc, st, col, type, out);

    if (rc || out->type != VALUE_TEXT)
        return rc;
    if (kept_rows_text(&oc->rows, out, out->s, out->len))
        return no_memory(oc);
    return RC_OK;
}

enum rc odbc_keep_rows(struct odbc_conn *oc, SQLHSTMT st,
                       const struct column *cols, size_t n_cols)
{
    struct value *cells;
    bool done = false;
    enum rc rc;

    for (;;) {
        rc = odbc_fetch(oc, st, &done);
        if (rc || done)
            return rc;
        if (kept_rows_add(&oc->rows, n_cols, &cells))
            return no_memory(oc);
        for (size_t i = 0; i < n_cols && !rc; i++)
            rc = keep_cell(oc, st, i, cols ? cols[i].type : VALUE_TEXT,
                           &cells[i]);
        if (UNLIKELY(rc))
            return rc;
    }
}
