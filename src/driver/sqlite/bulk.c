/* SPDX-License-Identifier: MIT */
/*
 * Rows for a load.  Cells wait in the form in which a virtual table,
 * dyno_rows, gives them to SQLite, and one INSERT … SELECT takes them all:
 * cursors stay open from row to row, so that rows in the order of the key are
 * appended without a search, and the text goes from dyno's buffer into the
 * page.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "driver/sqlite/sqlite_int.h"

#include <stdio.h>

#define SQL_MAX (64 * 1024)
/* Columns of dyno_rows, and so of the widest table. */
#define COLS_MAX 64
/* Of one INSERT: what is larger leaves the cache. */
#define ROWS_MAX 200
#define TEXT_BYTES (256 * 1024)
/* SQLite's own limit on a text. */
#define TEXT_BYTES_MAX (TEXT_BYTES + (1U << 30))

/* ---- the virtual table ---- */

struct rows_table {
    sqlite3_vtab base;
    const struct sqlite_bulk *bulk;
};

struct rows_cursor {
    sqlite3_vtab_cursor base;
    const struct value *row; /* NULL: behind the last */
    size_t n_left;           /* with this one */
};

static const struct sqlite_bulk *bulk_of(const struct rows_cursor *cursor)
{
    const struct rows_table *table =
        CONTAINER_OF(cursor->base.pVtab, struct rows_table, base);

    return table->bulk;
}

static int rows_connect(sqlite3 *handle, void *aux, int argc,
                        const char *const *argv, sqlite3_vtab **out,
                        char **error)
{
    struct buf sql = BUF_INIT(SQL_MAX);
    struct rows_table *table = MEM_NEW(struct rows_table);
    int code = SQLITE_NOMEM;

    (void)argc;
    (void)argv;
    (void)error;
    buf_puts(&sql, "CREATE TABLE x(");
    for (size_t i = 0; i < COLS_MAX; i++)
        buf_printf(&sql, i > 0 ? ", c%zu" : "c%zu", i);
    buf_putc(&sql, ')');
    if (table && !buf_rc(&sql))
        code = sqlite3_declare_vtab(handle, buf_str(&sql));
    buf_release(&sql);
    if (code != SQLITE_OK) {
        mem_free(table);
        return code;
    }
    table->bulk = aux;
    *out = &table->base;
    return SQLITE_OK;
}

static int rows_disconnect(sqlite3_vtab *base)
{
    mem_free(CONTAINER_OF(base, struct rows_table, base));
    return SQLITE_OK;
}

static int rows_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    (void)base;
    info->estimatedCost = 1e6;
    return SQLITE_OK;
}

static int rows_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    struct rows_cursor *cursor = MEM_NEW(struct rows_cursor);

    (void)base;
    if (!cursor)
        return SQLITE_NOMEM;
    *out = &cursor->base;
    return SQLITE_OK;
}

static struct rows_cursor *cursor_of(sqlite3_vtab_cursor *base)
{
    return CONTAINER_OF(base, struct rows_cursor, base);
}

static int rows_close(sqlite3_vtab_cursor *base)
{
    mem_free(cursor_of(base));
    return SQLITE_OK;
}

static int rows_filter(sqlite3_vtab_cursor *base, int index, const char *name,
                       int argc, sqlite3_value **argv)
{
    struct rows_cursor *cursor = cursor_of(base);
    const struct sqlite_bulk *bulk = bulk_of(cursor);

    (void)index;
    (void)name;
    (void)argc;
    (void)argv;
    cursor->row = bulk->cells;
    cursor->n_left = bulk->n_rows;
    return SQLITE_OK;
}

static int rows_next(sqlite3_vtab_cursor *base)
{
    struct rows_cursor *cursor = cursor_of(base);

    cursor->row += bulk_of(cursor)->table->n_cols;
    cursor->n_left--;
    return SQLITE_OK;
}

static int rows_eof(sqlite3_vtab_cursor *base)
{
    return cursor_of(base)->n_left == 0;
}

static int rows_column(sqlite3_vtab_cursor *base, sqlite3_context *context,
                       int col)
{
    const struct rows_cursor *cursor = cursor_of(base);
    const struct value *v = &cursor->row[col];

    switch (v->type) {
    case VALUE_NULL:
        break;
    case VALUE_INT:
    case VALUE_MONEY:
    case VALUE_RATE:
    case VALUE_TIME:
        sqlite3_result_int64(context, v->i);
        break;
    case VALUE_TEXT:
        /* Copied into the record before the next row is asked for. */
        sqlite3_result_text(context, buf_str(&bulk_of(cursor)->text) + v->i,
                            (int)v->len, SQLITE_STATIC);
        break;
    case VALUE_INTS:
        return SQLITE_MISUSE;
    }
    return SQLITE_OK;
}

static int rows_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    *out = (sqlite3_int64)cursor_of(base)->n_left;
    return SQLITE_OK;
}

/* No xCreate: it exists by its name alone, in no schema. */
static const sqlite3_module rows_module = {
    .xConnect = rows_connect,
    .xBestIndex = rows_best_index,
    .xDisconnect = rows_disconnect,
    .xOpen = rows_open,
    .xClose = rows_close,
    .xFilter = rows_filter,
    .xNext = rows_next,
    .xEof = rows_eof,
    .xColumn = rows_column,
    .xRowid = rows_rowid,
};

/* ---- the INSERT ---- */

static void put_name(struct buf *b, const char *name)
{
    buf_putc(b, '"');
    for (; *name; name++) {
        if (*name == '"')
            buf_putc(b, '"');
        buf_putc(b, *name);
    }
    buf_putc(b, '"');
}

static void put_insert(struct buf *b, const struct table_def *table)
{
    buf_puts(b, "INSERT INTO ");
    put_name(b, table->name);
    for (size_t i = 0; i < table->n_cols; i++) {
        buf_puts(b, i == 0 ? " (" : ", ");
        put_name(b, table->cols[i].name);
    }
    buf_putc(b, ')');
    for (size_t i = 0; i < table->n_cols; i++)
        buf_printf(b, i == 0 ? " SELECT c%zu" : ", c%zu", i);
    buf_puts(b, " FROM dyno_rows");
}

void sqlite_free_bulk(struct sqlite_conn *sc)
{
    sqlite3_finalize(sc->bulk.st);
    mem_free(sc->bulk.cells);
    buf_release(&sc->bulk.text);
    sc->bulk = (struct sqlite_bulk){.has_module = sc->bulk.has_module};
}

static enum rc prepare(struct sqlite_conn *sc, const struct table_def *table,
                       struct err *err)
{
    struct buf sql = BUF_INIT(SQL_MAX);
    int code = SQLITE_OK;
    enum rc rc = RC_OK;

    put_insert(&sql, table);
    if (!sc->bulk.has_module)
        code = sqlite3_create_module(sc->handle, "dyno_rows", &rows_module,
                                     &sc->bulk);
    sc->bulk.has_module = code == SQLITE_OK;
    if (buf_rc(&sql) || table->n_cols > COLS_MAX)
        rc = err_set(err, RC_NOMEM, "%s: too many columns", table->name);
    else if (code == SQLITE_OK)
        code =
            sqlite3_prepare_v3(sc->handle, buf_str(&sql), -1,
                               SQLITE_PREPARE_PERSISTENT, &sc->bulk.st, NULL);
    if (!rc && code != SQLITE_OK)
        rc = sqlite_fail_err(sc, code, table->name, err);
    buf_release(&sql);
    return rc;
}

enum rc sqlite_bulk_begin(struct conn *c, const struct table_def *table,
                          enum bulk_state state, struct err *err)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);
    enum rc rc;

    (void)state;
    sqlite_free_bulk(sc);
    buf_init(&sc->bulk.text, TEXT_BYTES_MAX);
    sc->bulk.table = table;
    sc->bulk.cells = MEM_ARRAY(struct value, ROWS_MAX * table->n_cols);
    if (sc->bulk.cells)
        rc = prepare(sc, table, err);
    else
        rc = err_set(err, RC_NOMEM, "out of memory");
    if (rc)
        sqlite_free_bulk(sc);
    return rc;
}

void sqlite_bulk_cell(struct conn *c, const struct value *v)
{
    struct sqlite_bulk *bulk = &sqlite_conn_of(c)->bulk;
    struct value *cell = &bulk->cells[bulk->n_cells++];

    *cell = *v;
    if (v->type != VALUE_TEXT)
        return;
    cell->i = (int64_t)bulk->text.len;
    buf_add(&bulk->text, v->s, v->len);
}

/* The rows that wait, into the table. */
static enum rc insert(struct sqlite_conn *sc)
{
    struct sqlite_bulk *bulk = &sc->bulk;
    enum rc rc = RC_OK;
    int code;

    if (sqlite_is_cancelled(sc))
        return sqlite_fail_own(sc, RC_CANCELLED, "interrupted");
    if (buf_rc(&bulk->text))
        return sqlite_fail_own(sc, RC_NOMEM, "out of memory");
    code = sqlite3_step(bulk->st);
    if (code != SQLITE_DONE)
        rc = sqlite_fail(sc, code);
    sqlite3_reset(bulk->st);
    sc->base.usage.statements++;
    sc->base.usage.round_trips++;
    bulk->n_rows = 0;
    bulk->n_cells = 0;
    buf_reset(&bulk->text);
    return rc;
}

enum rc sqlite_bulk_row(struct conn *c, struct err *err)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);
    struct sqlite_bulk *bulk = &sc->bulk;
    enum rc rc = RC_OK;

    bulk->n_rows++;
    if (bulk->n_rows == ROWS_MAX || bulk->text.len >= TEXT_BYTES ||
        buf_rc(&bulk->text))
        rc = insert(sc);
    return rc ? sqlite_last_err(sc, bulk->table->name, err) : RC_OK;
}

enum rc sqlite_bulk_end(struct conn *c, struct err *err)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);
    enum rc rc = RC_OK;

    if (sc->bulk.n_rows > 0 && insert(sc))
        rc = sqlite_last_err(sc, sc->bulk.table->name, err);
    sqlite_free_bulk(sc);
    return rc;
}
