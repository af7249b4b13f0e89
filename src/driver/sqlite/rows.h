/* SPDX-License-Identifier: MIT */
/*
 * The rows of the last answer, in memory that is kept and used again.  While
 * rows are added, text lives at offsets; it has no addresses before
 * sqlite_rows_finish(), because the bytes may move.
 */
#ifndef DRIVER_SQLITE_ROWS_H
#define DRIVER_SQLITE_ROWS_H

#include "driver/value.h"

struct sqlite_rows {
    struct value *cells;
    size_t n_cells, cells_cap;
    char *bytes;
    size_t n_bytes, bytes_cap;
};

MUST_USE enum rc sqlite_rows_init(struct sqlite_rows *r);
void sqlite_rows_release(struct sqlite_rows *r);

static inline void sqlite_rows_reset(struct sqlite_rows *r)
{
    r->n_cells = 0;
    r->n_bytes = 0;
}

/* Makes room for one more row; *out are its cells. */
MUST_USE enum rc sqlite_rows_add(struct sqlite_rows *r, size_t n_cols,
                                 struct value **out);
/* Copies text into a cell. */
MUST_USE enum rc sqlite_rows_text(struct sqlite_rows *r, struct value *cell,
                                  const void *s, size_t len);
void sqlite_rows_finish(struct sqlite_rows *r);

#endif
