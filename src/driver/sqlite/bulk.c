/* SPDX-License-Identifier: MIT */
/*
 * Rows for a load.  A virtual table, dyno_rows, gives the cells of the call
 * that runs, and one INSERT … SELECT takes them all: cursors stay open from
 * row to row, so that rows in the order of the key are appended without a
 * search, and the text goes from dyno's buffer into the page.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "driver/sqlite/sqlite_int.h"

#include <stdio.h>

#define SQL_MAX (64 * 1024)
/* Columns of dyno_rows, and so of the widest table. */
#define COLS_MAX 64

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
    const struct value *v = &cursor_of(base)->row[col];

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
        sqlite3_result_text(context, v->s, (int)v->len, SQLITE_STATIC);
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
    rc = prepare(sc, table, err);
    if (!rc)
        sc->bulk.table = table;
    return rc;
}

enum rc sqlite_bulk_rows(struct conn *c, const struct value *cells,
                         size_t n_rows, struct err *err)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);
    struct sqlite_bulk *bulk = &sc->bulk;
    enum rc rc = RC_OK;
    int code;

    if (sqlite_is_cancelled(sc)) {
        rc = sqlite_fail_own(sc, RC_CANCELLED, "interrupted");
    } else {
        bulk->cells = cells;
        bulk->n_rows = n_rows;
        code = sqlite3_step(bulk->st);
        if (code != SQLITE_DONE)
            rc = sqlite_fail(sc, code);
        sqlite3_reset(bulk->st);
        c->usage.statements++;
        c->usage.round_trips++;
    }
    return rc ? sqlite_last_err(sc, bulk->table->name, err) : RC_OK;
}

enum rc sqlite_bulk_end(struct conn *c, struct err *err)
{
    (void)err;
    sqlite_free_bulk(sqlite_conn_of(c));
    return RC_OK;
}
