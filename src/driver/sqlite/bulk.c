/* SPDX-License-Identifier: MIT */
/* Rows for a load: prepared inserts, one transaction for each call. */
#include "base/buf.h"
#include "base/mem.h"
#include "driver/sqlite/sqlite_int.h"

#define SQL_MAX (64 * 1024)
/* How many rows may pass before a cancel is seen. */
#define LOOK_ROWS 256

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
    buf_puts(b, ") VALUES ");
    for (size_t i = 0; i < table->n_cols; i++)
        buf_puts(b, i == 0 ? "(?" : ", ?");
    buf_putc(b, ')');
}

static void bulk_release(struct sqlite_bulk *bulk)
{
    sqlite3_finalize(bulk->st);
    mem_free(bulk->sql);
    *bulk = (struct sqlite_bulk){0};
}

void sqlite_free_bulk(struct sqlite_conn *sc)
{
    for (size_t i = 0; i < SQLITE_BULK_TABLES; i++)
        bulk_release(&sc->bulk[i]);
}

static struct sqlite_bulk *find_bulk(struct sqlite_conn *sc, const char *sql)
{
    for (size_t i = 0; i < SQLITE_BULK_TABLES; i++) {
        if (sc->bulk[i].sql && strcmp(sc->bulk[i].sql, sql) == 0)
            return &sc->bulk[i];
    }
    return NULL;
}

static enum rc new_bulk(struct sqlite_conn *sc, const char *sql,
                        struct sqlite_bulk **out, struct err *err)
{
    struct sqlite_bulk *bulk = &sc->bulk[sc->bulk_next];
    int code;

    bulk_release(bulk);
    code = sqlite3_prepare_v3(sc->handle, sql, -1, SQLITE_PREPARE_PERSISTENT,
                              &bulk->st, NULL);
    if (code != SQLITE_OK)
        return sqlite_fail_err(sc, code, "INSERT", err);
    bulk->sql = mem_strdup(sql);
    if (!bulk->sql) {
        bulk_release(bulk);
        return err_set(err, RC_NOMEM, "out of memory");
    }
    sc->bulk_next = (sc->bulk_next + 1) % SQLITE_BULK_TABLES;
    *out = bulk;
    return RC_OK;
}

/* The text of the INSERT is the key: it holds all that matters. */
static enum rc get_bulk(struct sqlite_conn *sc, const struct table_def *table,
                        struct sqlite_bulk **out, struct err *err)
{
    struct buf sql = BUF_INIT(SQL_MAX);
    enum rc rc;

    put_insert(&sql, table);
    rc = buf_rc(&sql);
    if (rc)
        rc = err_set(err, rc, "out of memory");
    else if (!(*out = find_bulk(sc, buf_str(&sql))))
        rc = new_bulk(sc, buf_str(&sql), out, err);
    buf_release(&sql);
    return rc;
}

static enum rc insert_row(struct sqlite_conn *sc, sqlite3_stmt *st,
                          const struct value *cells, size_t n_cols)
{
    int code = SQLITE_OK;
    enum rc rc = RC_OK;

    for (size_t i = 0; i < n_cols && code == SQLITE_OK; i++)
        code = sqlite_bind(st, (int)i + 1, &cells[i]);
    if (code == SQLITE_OK)
        code = sqlite3_step(st);
    if (code != SQLITE_DONE)
        rc = sqlite_fail(sc, code);
    sqlite3_reset(st);
    return rc;
}

static enum rc insert_all(struct sqlite_conn *sc, sqlite3_stmt *st,
                          const struct table_def *table,
                          const struct value *cells, size_t n_rows)
{
    for (size_t i = 0; i < n_rows; i++) {
        enum rc rc;

        if (i % LOOK_ROWS == 0 && sqlite_is_cancelled(sc))
            return sqlite_fail_own(sc, RC_CANCELLED, "interrupted");
        rc = insert_row(sc, st, &cells[i * table->n_cols], table->n_cols);
        if (rc)
            return rc;
        sc->base.usage.statements++;
    }
    sc->base.usage.round_trips += n_rows;
    return RC_OK;
}

enum rc sqlite_bulk_rows(struct conn *c, const struct table_def *table,
                         const struct value *cells, size_t n_rows,
                         struct err *err)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);
    struct sqlite_bulk *bulk;
    enum rc rc = get_bulk(sc, table, &bulk, err);

    if (rc) {
        err_prefix(err, "%s", table->name);
        return rc;
    }
    rc = sqlite_begin(c, TXN_WRITE);
    if (rc)
        return sqlite_last_err(sc, table->name, err);
    rc = insert_all(sc, bulk->st, table, cells, n_rows);
    if (!rc) {
        rc = sqlite_commit(c);
        return rc ? sqlite_last_err(sc, table->name, err) : RC_OK;
    }
    sqlite_last_err(sc, table->name, err);
    sqlite_undo(sc);
    sqlite_give_turn(sc);
    return rc;
}
