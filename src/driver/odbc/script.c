/* SPDX-License-Identifier: MIT */
/*
 * Scripts: statement by statement, not prepared.  Whether one has left a
 * transaction open ODBC does not tell, so the words that begin and end them
 * are followed.
 */
#include "driver/script.h"

#include "base/mem.h"
#include "base/parse.h"
#include "driver/lexer.h"
#include "driver/odbc/odbc_int.h"

#include <stdio.h>

/* A script that runs. */
struct script {
    struct odbc_conn *oc;
    const struct result_sink *sink; /* may be NULL */
    size_t n;                       /* of the statement, from 1 */
    bool open;                      /* it has begun a transaction */
    struct err *err;
};

/* The columns of an answer. */
struct columns {
    size_t n;
    const char **names;
    SQLCHAR (*texts)[ODBC_NAME_MAX];
    bool *integers;
    struct value *cells;
};

static enum rc fail(struct script *s)
{
    char what[40];

    snprintf(what, sizeof(what), "statement %zu", s->n);
    return odbc_last_err(s->oc, what, s->err);
}

static enum rc no_memory(struct script *s)
{
    return err_set(s->err, RC_NOMEM, "out of memory");
}

static struct token next_word(struct lexer *lx)
{
    struct token t;

    do
        t = lexer_next(lx);
    while (token_is_filler(&t));
    return t;
}

static bool is_among(const struct token *t, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (token_is(t, words[i]))
            return true;
    }
    return false;
}

bool odbc_changes_rows(const char *sql)
{
    static const char *const words[] = {"INSERT",  "UPDATE", "DELETE",
                                        "REPLACE", "WITH",   "MERGE"};
    struct lexer lx = {.pos = sql, .end = sql + strlen(sql)};
    const struct token t = next_word(&lx);

    return is_among(&t, words, ARRAY_LEN(words));
}

/* Behind a BEGIN: MariaDB's BEGIN NOT ATOMIC is no transaction. */
static bool is_block(struct lexer behind)
{
    const struct token t = next_word(&behind), then = next_word(&behind);

    return token_is(&t, "NOT") && token_is(&then, "ATOMIC");
}

static void follow_txn(struct script *s, const char *sql, size_t len)
{
    static const char *const begin[] = {"BEGIN", "START"};
    static const char *const end[] = {"COMMIT", "ROLLBACK", "END", "ABORT"};
    struct lexer lx = {.pos = sql, .end = sql + len};
    const struct token t = next_word(&lx);

    if (is_among(&t, begin, ARRAY_LEN(begin)))
        s->open = s->open || !is_block(lx);
    else if (is_among(&t, end, ARRAY_LEN(end)))
        s->open = false;
}

/* ---- rows ---- */

static void release_columns(struct columns *cols)
{
    mem_free(cols->names);
    mem_free(cols->texts);
    mem_free(cols->integers);
    mem_free(cols->cells);
}

static bool is_integer(SQLSMALLINT type)
{
    return type == SQL_BIGINT || type == SQL_INTEGER || type == SQL_SMALLINT ||
           type == SQL_TINYINT;
}

static enum rc describe(struct script *s, struct columns *cols)
{
    SQLHSTMT st = s->oc->own;

    cols->names = MEM_ARRAY(const char *, cols->n);
    cols->texts = mem_calloc(cols->n, sizeof(*cols->texts));
    cols->integers = MEM_ARRAY(bool, cols->n);
    cols->cells = MEM_ARRAY(struct value, cols->n);
    if (!cols->names || !cols->texts || !cols->integers || !cols->cells)
        return no_memory(s);
    for (size_t i = 0; i < cols->n; i++) {
        SQLSMALLINT len, type = 0;

        if (!odbc_ok(SQLDescribeCol(st, (SQLUSMALLINT)(i + 1), cols->texts[i],
                                    ODBC_NAME_MAX, &len, &type, NULL, NULL,
                                    NULL))) {
            odbc_fail_stmt(s->oc, st);
            return fail(s);
        }
        cols->names[i] = (const char *)cols->texts[i];
        cols->integers[i] = is_integer(type);
    }
    return RC_OK;
}

/* Texts are added up in rows, and have their places when the row is whole. */
static enum rc read_row(struct script *s, const struct columns *cols)
{
    struct odbc_conn *oc = s->oc;
    struct kept_rows *rows = &oc->rows;
    struct value *cells;

    kept_rows_reset(rows);
    if (kept_rows_add(rows, cols->n, &cells))
        return no_memory(s);
    for (size_t i = 0; i < cols->n; i++) {
        struct value *cell = &cells[i];
        bool is_null;

        *cell = v_null();
        if (odbc_get_text(oc, oc->own, i, &is_null))
            return fail(s);
        /* A number that is none (of SQLite) is shown as it is. */
        if (is_null ||
            (cols->integers[i] &&
             value_parse(VALUE_INT, buf_str(&oc->cell), oc->cell.len, cell)))
            continue;
        if (kept_rows_text(rows, cell, buf_str(&oc->cell), oc->cell.len))
            return no_memory(s);
    }
    kept_rows_finish(rows);
    return RC_OK;
}

static enum rc give_rows(struct script *s, const struct columns *cols,
                         int64_t *out_n)
{
    enum rc rc = RC_OK;

    while (!rc) {
        bool done = false;

        if (odbc_fetch(s->oc, s->oc->own, &done))
            return fail(s);
        if (done)
            return RC_OK;
        ++*out_n;
        if (!s->sink || !s->sink->row)
            continue;
        rc = read_row(s, cols);
        if (!rc)
            rc = s->sink->row(s->sink->arg, s->oc->rows.cells, cols->n);
    }
    return rc;
}

static enum rc give_done(struct script *s, bool has_rows, int64_t n_rows)
{
    if (!s->sink || !s->sink->done)
        return RC_OK;
    return s->sink->done(s->sink->arg, has_rows, n_rows);
}

static enum rc give_answer(struct script *s, size_t n_cols)
{
    struct columns cols = {.n = n_cols};
    int64_t n = 0;
    enum rc rc = describe(s, &cols);

    if (!rc && s->sink && s->sink->columns)
        rc = s->sink->columns(s->sink->arg, cols.names, cols.n);
    if (!rc)
        rc = give_rows(s, &cols, &n);
    if (!rc)
        rc = give_done(s, true, n);
    release_columns(&cols);
    return rc;
}

static enum rc take_result(struct script *s, const char *sql, bool first)
{
    SQLHSTMT st = s->oc->own;
    SQLSMALLINT n_cols = 0;
    SQLLEN n = -1;

    if (!odbc_ok(SQLNumResultCols(st, &n_cols))) {
        odbc_fail_stmt(s->oc, st);
        return fail(s);
    }
    if (n_cols > 0)
        return give_answer(s, (size_t)n_cols);
    /* CALL ends with one that has no rows and no meaning. */
    if (!first)
        return RC_OK;
    if (odbc_changes_rows(sql) && !odbc_ok(SQLRowCount(st, &n)))
        n = -1;
    return give_done(s, false, n);
}

/* ---- statements ---- */

static enum rc run_statement(struct script *s, const char *sql)
{
    struct odbc_conn *oc = s->oc;
    bool done = false;
    enum rc rc;

    oc->base.usage.statements++;
    oc->base.usage.round_trips++;
    rc = odbc_check_packet(oc, strlen(sql));
    if (!rc)
        rc = odbc_execute_text(oc, oc->own, sql);
    rc = rc ? fail(s) : RC_OK;
    for (bool first = true; !rc && !done; first = false) {
        rc = take_result(s, sql, first);
        if (!rc && odbc_next_result(oc, oc->own, &done))
            rc = fail(s);
    }
    (void)SQLFreeStmt(oc->own, SQL_CLOSE);
    return rc;
}

static enum rc run_all(struct script *s, const char *text, size_t len)
{
    const char *start;
    size_t n;
    enum rc rc = RC_OK;

    while (!rc && script_next(&text, &len, &start, &n)) {
        char *sql = mem_calloc(n + 1, 1);

        if (!sql)
            return no_memory(s);
        memcpy(sql, start, n);
        s->n++;
        rc = run_statement(s, sql);
        rc = script_failed(s->sink, &s->oc->base, rc, s->err);
        follow_txn(s, sql, n);
        mem_free(sql);
    }
    return rc;
}

/* Nothing that the script began may stay open behind it. */
static enum rc close_transaction(struct script *s, enum rc rc)
{
    if (!s->open || s->oc->base.in_txn || s->oc->base.gone)
        return rc;
    if (odbc_run(s->oc, "ROLLBACK") && !rc)
        s->oc->base.gone = true;
    if (rc)
        return rc;
    return err_set(s->err, RC_INVALID,
                   "the script leaves a transaction open; it is rolled back");
}

enum rc odbc_script(struct conn *c, const char *text, size_t len,
                    const struct result_sink *sink, struct err *err)
{
    struct odbc_conn *oc = odbc_conn_of(c);
    struct script s = {.oc = oc, .sink = sink, .err = err};
    enum rc rc = RC_OK;

    if (odbc_outside(oc))
        rc = odbc_last_err(oc, "autocommit", err);
    if (!rc)
        rc = run_all(&s, text, len);
    return close_transaction(&s, rc);
}
