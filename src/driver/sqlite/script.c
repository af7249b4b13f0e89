/* SPDX-License-Identifier: MIT */
/* Scripts.  SQLite itself finds the ends of statements. */
#include "driver/script.h"

#include "driver/lexer.h"
#include "driver/sqlite/sqlite_int.h"

#include <stdio.h>

#define ROW_BYTES_MAX (256 * 1024 * 1024)

/* A script that runs. */
struct script {
    struct sqlite_conn *sc;
    const struct result_sink *sink; /* may be NULL */
    struct arena arena;             /* of one statement's names or row */
    size_t n;                       /* of the statement, from 1 */
    struct err *err;
};

static enum rc no_memory(struct script *s)
{
    return err_set(s->err, RC_NOMEM, "out of memory");
}

static enum rc fail(struct script *s, int code)
{
    char what[40];

    snprintf(what, sizeof(what), "statement %zu", s->n);
    return sqlite_fail_err(s->sc, code, what, s->err);
}

/* X'…' */
static char *blob_text(struct script *s, sqlite3_stmt *st, int col)
{
    static const char digits[] = "0123456789ABCDEF";
    const unsigned char *bytes = sqlite3_column_blob(st, col);
    size_t len = (size_t)sqlite3_column_bytes(st, col);
    char *text = arena_alloc(&s->arena, 2 * len + 4);
    char *p = text;

    if (!text)
        return NULL;
    *p++ = 'X';
    *p++ = '\'';
    for (size_t i = 0; i < len; i++) {
        *p++ = digits[bytes[i] >> 4];
        *p++ = digits[bytes[i] & 15];
    }
    *p = '\'';
    return text;
}

static enum rc read_cell(struct script *s, sqlite3_stmt *st, int col,
                         struct value *out)
{
    const char *text = NULL;

    switch (sqlite3_column_type(st, col)) {
    case SQLITE_NULL:
        *out = v_null();
        return RC_OK;
    case SQLITE_INTEGER:
        *out = v_int(sqlite3_column_int64(st, col));
        return RC_OK;
    case SQLITE_BLOB:
        text = blob_text(s, st, col);
        if (text)
            *out = v_text(text);
        break;
    default: /* text, and what SQLite itself prints for a real (15 digits) */
        text = (const char *)sqlite3_column_text(st, col);
        if (text)
            *out = v_textn(text, (size_t)sqlite3_column_bytes(st, col));
        break;
    }
    return text ? RC_OK : no_memory(s);
}

static enum rc give_columns(struct script *s, sqlite3_stmt *st, size_t n)
{
    const char **names;

    if (!s->sink || !s->sink->columns)
        return RC_OK;
    arena_reset(&s->arena);
    names = ARENA_ARRAY(&s->arena, const char *, n);
    if (!names)
        return no_memory(s);
    for (size_t i = 0; i < n; i++)
        names[i] = sqlite3_column_name(st, (int)i);
    return s->sink->columns(s->sink->arg, names, n);
}

static enum rc give_row(struct script *s, sqlite3_stmt *st, size_t n)
{
    struct value *cells;

    if (!s->sink || !s->sink->row)
        return RC_OK;
    arena_reset(&s->arena);
    cells = ARENA_ARRAY(&s->arena, struct value, n);
    if (!cells)
        return no_memory(s);
    for (size_t i = 0; i < n; i++) {
        enum rc rc = read_cell(s, st, (int)i, &cells[i]);

        if (rc)
            return rc;
    }
    return s->sink->row(s->sink->arg, cells, n);
}

/* Goes on behind the statement at *text, when that is wanted. */
static enum rc pass_over(struct script *s, enum rc rc, const char **text,
                         const char *end)
{
    size_t len = (size_t)(end - *text), n;
    const char *start;

    rc = script_failed(s->sink, &s->sc->base, rc, s->err);
    if (!rc && !script_next(text, &len, &start, &n))
        *text = end;
    return rc;
}

/* Only these set SQLite's count of changes; after others it is an old one. */
static int64_t rows_changed(sqlite3 *handle, sqlite3_stmt *st)
{
    static const char *const words[] = {"INSERT", "UPDATE", "DELETE", "REPLACE",
                                        "WITH"};
    const char *sql = sqlite3_sql(st);
    size_t len = strlen(sql);
    const char *start;
    struct lexer lx;
    struct token t;

    if (!script_next(&sql, &len, &start, &len))
        return -1;
    lx = (struct lexer){.pos = start, .end = start + len};
    t = lexer_next(&lx);
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (token_is(&t, words[i]))
            return sqlite3_changes64(handle);
    }
    return -1;
}

static enum rc run_statement(struct script *s, sqlite3_stmt *st)
{
    const size_t n_cols = (size_t)sqlite3_column_count(st);
    int64_t n_rows = 0;
    enum rc rc = RC_OK;
    int code;

    s->sc->base.usage.statements++;
    s->sc->base.usage.round_trips++;
    if (n_cols > 0)
        rc = give_columns(s, st, n_cols);
    if (rc)
        return rc;
    while ((code = sqlite3_step(st)) == SQLITE_ROW) {
        rc = give_row(s, st, n_cols);
        if (rc)
            return rc;
        n_rows++;
    }
    if (code != SQLITE_DONE)
        return fail(s, code);
    if (!s->sink || !s->sink->done)
        return RC_OK;
    if (n_cols == 0)
        n_rows = rows_changed(s->sc->handle, st);
    return s->sink->done(s->sink->arg, n_cols > 0, n_rows);
}

static enum rc run_all(struct script *s, const char *text, size_t len)
{
    const char *end = text + len;

    while (text < end) {
        sqlite3_stmt *st = NULL;
        const char *tail = end;
        enum rc rc = RC_OK;
        int code;

        s->n++;
        code = sqlite3_prepare_v2(s->sc->handle, text, (int)(end - text), &st,
                                  &tail);
        if (code != SQLITE_OK) {
            /* Where it stopped reading is not the statement's end. */
            rc = pass_over(s, fail(s, code), &text, end);
            if (rc)
                return rc;
            continue;
        }
        if (st)
            rc = script_failed(s->sink, &s->sc->base, run_statement(s, st),
                               s->err);
        else
            s->n--; /* blanks or a comment */
        sqlite3_finalize(st);
        if (rc)
            return rc;
        if (tail <= text)
            break; /* a NUL byte ends the script */
        text = tail;
    }
    return RC_OK;
}

enum rc sqlite_script(struct conn *c, const char *text, size_t len,
                      const struct result_sink *sink, struct err *err)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);
    struct script s = {.sc = sc, .sink = sink, .err = err};
    enum rc rc;

    if (len > INT32_MAX)
        return err_set(err, RC_INVALID, "the script is too long");
    if (!c->in_txn) {
        rc = sqlite_take_turn(sc);
        if (rc)
            return sqlite_last_err(sc, "script", err);
    }
    arena_init(&s.arena, ROW_BYTES_MAX);
    rc = run_all(&s, text, len);
    if (!c->in_txn) {
        if (!rc && !sqlite3_get_autocommit(sc->handle))
            rc = err_set(err, RC_INVALID,
                         "the script leaves a transaction open; it is rolled "
                         "back");
        sqlite_undo(sc);
        sqlite_give_turn(sc);
    }
    arena_release(&s.arena);
    return rc;
}
