/* SPDX-License-Identifier: MIT */
#include "driver/bulk.h"

#include <assert.h>

/* A connection that is lost stays so; its text was given once. */
static enum rc usable(const struct conn *c, struct err *err)
{
    if (c->gone)
        return err_set(err, RC_DB_GONE, "the connection is lost");
    return RC_OK;
}

enum rc conn_bulk_begin(struct conn *c, const struct table_def *table,
                        enum bulk_state state, struct err *err)
{
    enum rc rc = usable(c, err);

    assert(c->in_txn || c->gone);
    if (!rc)
        rc = c->driver->bulk_begin(c, table, state, err);
    return rc ? conn_failed(c, rc) : RC_OK;
}

enum rc conn_bulk_row(struct conn *c, struct err *err)
{
    const enum rc rc = c->driver->bulk_row(c, err);

    return rc ? conn_failed(c, rc) : RC_OK;
}

enum rc conn_bulk_rows(struct conn *c, const struct table_def *table,
                       const struct value *cells, size_t n_rows,
                       struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < n_rows; i++) {
        for (size_t k = 0; k < table->n_cols; k++)
            conn_bulk_cell(c, &cells[i * table->n_cols + k]);
        rc = conn_bulk_row(c, err);
    }
    return rc;
}

enum rc conn_bulk_end(struct conn *c, struct err *err)
{
    enum rc rc = usable(c, err);

    if (!rc)
        rc = c->driver->bulk_end(c, err);
    return rc ? conn_failed(c, rc) : RC_OK;
}

enum rc conn_check_empty(struct conn *c, struct err *err)
{
    return c->driver->check_empty ? c->driver->check_empty(c, err) : RC_OK;
}

enum rc conn_free_space(struct conn *c, struct db_space *out, struct err *err)
{
    if (!c->driver->free_space)
        return RC_UNSUPPORTED;
    return c->driver->free_space(c, out, err);
}

enum rc conn_put_file(struct conn *c, const char *name, const char *text,
                      size_t len, struct err *err)
{
    if (!c->driver->put_file)
        return err_set(err, RC_UNSUPPORTED, "%s keeps no files",
                       c->driver->name);
    return c->driver->put_file(c, name, text, len, err);
}
