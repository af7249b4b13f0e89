/* SPDX-License-Identifier: MIT */
#include "driver/kept_rows.h"

#include "base/mem.h"

/* Enough for nearly every answer of TPC-C; a bigger one makes it grow. */
#define CELLS_START 1024
#define BYTES_START (16 * 1024)
/* A statement of the run path that returns more than this is a mistake. */
#define CELLS_MAX (1024 * 1024)
#define BYTES_MAX (64 * 1024 * 1024)

enum rc kept_rows_init(struct kept_rows *r)
{
    *r = (struct kept_rows){.cells_cap = CELLS_START, .bytes_cap = BYTES_START};
    r->cells = MEM_ARRAY(struct value, CELLS_START);
    r->bytes = MEM_ARRAY(char, BYTES_START);
    return r->cells && r->bytes ? RC_OK : RC_NOMEM;
}

void kept_rows_release(struct kept_rows *r)
{
    mem_free(r->cells);
    mem_free(r->bytes);
    *r = (struct kept_rows){0};
}

/* Doubles until need fits. */
static COLD enum rc grow(void **data, size_t *cap, size_t need, size_t size,
                         size_t max)
{
    size_t to = *cap;
    void *p;

    if (need > max)
        return RC_NOMEM;
    while (to < need)
        to *= 2;
    p = mem_realloc(*data, to * size);
    if (!p)
        return RC_NOMEM;
    *data = p;
    *cap = to;
    return RC_OK;
}

enum rc kept_rows_add(struct kept_rows *r, size_t n_cols, struct value **out)
{
    size_t need = r->n_cells + n_cols;

    if (UNLIKELY(need > r->cells_cap)) {
        void *cells = r->cells;
        enum rc rc =
            grow(&cells, &r->cells_cap, need, sizeof(struct value), CELLS_MAX);

        r->cells = cells;
        if (rc)
            return rc;
    }
    *out = &r->cells[r->n_cells];
    r->n_cells = need;
    return RC_OK;
}

enum rc kept_rows_text(struct kept_rows *r, struct value *cell, const void *s,
                       size_t len)
{
    size_t need = r->n_bytes + len;

    if (UNLIKELY(need > r->bytes_cap)) {
        void *bytes = r->bytes;
        enum rc rc = grow(&bytes, &r->bytes_cap, need, 1, BYTES_MAX);

        r->bytes = bytes;
        if (rc)
            return rc;
    }
    memcpy(r->bytes + r->n_bytes, s, len);
    cell->type = VALUE_TEXT;
    cell->len = (uint32_t)len;
    cell->i = (int64_t)r->n_bytes;
    r->n_bytes = need;
    return RC_OK;
}

void kept_rows_finish(struct kept_rows *r)
{
    for (size_t i = 0; i < r->n_cells; i++) {
        if (r->cells[i].type == VALUE_TEXT)
            r->cells[i].s = r->bytes + r->cells[i].i;
    }
}
