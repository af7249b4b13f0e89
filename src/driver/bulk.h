/* SPDX-License-Identifier: MIT */
/* The wrappers of loads: many rows for one table, and what goes with them. */
#ifndef DRIVER_BULK_H
#define DRIVER_BULK_H

#include "driver/driver.h"

/*
 * Adds rows to a table, in a transaction of the connection and as a part of
 * it:
 *
 *   conn_begin(), conn_bulk_begin(), for each row conn_bulk_cell() for each
 *   column and conn_bulk_row(), conn_bulk_end(), anything else, conn_commit()
 *
 * A cell is borrowed for the call and written in the database's own format at
 * once; when enough of it has gathered, the end of a row sends it.  Rows may
 * be refused as late as in conn_bulk_end().  After a failure the only call
 * allowed is conn_rollback(), also to give up in the middle.
 */
MUST_USE CORO_FN enum rc conn_bulk_begin(struct conn *c,
                                         const struct table_def *table,
                                         enum bulk_state state,
                                         struct err *err);
static inline void conn_bulk_cell(struct conn *c, const struct value *v)
{
    c->driver->bulk_cell(c, v);
}

/* Ends a row. */
MUST_USE CORO_FN enum rc conn_bulk_row(struct conn *c, struct err *err);
/* Rows that are there already, cell by cell. */
MUST_USE CORO_FN enum rc conn_bulk_rows(struct conn *c,
                                        const struct table_def *table,
                                        const struct value *cells,
                                        size_t n_rows, struct err *err);
MUST_USE CORO_FN enum rc conn_bulk_end(struct conn *c, struct err *err);

/* A target that takes only what dyno writes (DRIVER_FILES) holds nothing yet;
 * RC_INVALID names what it holds.  RC_OK where that is no question. */
MUST_USE CORO_FN enum rc conn_check_empty(struct conn *c, struct err *err);

/* The disk that the data goes to. */
struct db_space {
    char where[256];  /* for people */
    char path[256];   /* of something on it */
    uint64_t n_bytes; /* free */
};

/* RC_UNSUPPORTED, without a text, when it is not to be seen from here. */
MUST_USE CORO_FN enum rc conn_free_space(struct conn *c, struct db_space *out,
                                         struct err *err);

/* With DRIVER_FILES: a file beside the rows. */
MUST_USE CORO_FN enum rc conn_put_file(struct conn *c, const char *name,
                                       const char *text, size_t len,
                                       struct err *err);

#endif
