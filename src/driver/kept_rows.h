/* SPDX-License-Identifier: MIT */
/*
 * The rows of the last answer, in memory that is kept and used again.  While
 * rows are added, text lives at offsets; it has no addresses before
 * kept_rows_finish(), because the bytes may move.
 */
#ifndef DRIVER_KEPT_ROWS_H
#define DRIVER_KEPT_ROWS_H

#include "driver/value.h"

struct kept_rows {
    struct value *cells;
    size_t n_cells, cells_cap;
    char *bytes;
    size_t n_bytes, bytes_cap;
};

MUST_USE enum rc kept_rows_init(struct kept_rows *r);
void kept_rows_release(struct kept_rows *r);

static inline void kept_rows_reset(struct kept_rows *r)
{
    r->n_cells = 0;
    r->n_bytes = 0;
}

/* Makes room for one more row; *out are its cells. */
MUST_USE enum rc kept_rows_add(struct kept_rows *r, size_t n_cols,
                               struct value **out);
/* Copies text into a cell. */
MUST_USE enum rc kept_rows_text(struct kept_rows *r, struct value *cell,
                                const void *s, size_t len);
void kept_rows_finish(struct kept_rows *r);

#endif
