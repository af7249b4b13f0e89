/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/gen_batch.h"

#include "base/mem.h"

enum rc gen_batch_init(struct gen_batch *b, size_t max_rows, struct err *err)
{
    *b = (struct gen_batch){.max_rows = max_rows};
    b->cells = MEM_ARRAY(struct value, max_rows * GEN_COLS_MAX);
    b->text = MEM_ARRAY(char, max_rows *GEN_ROW_TEXT_MAX);
    if (b->cells && b->text)
        return RC_OK;
    gen_batch_release(b);
    return err_set(err, RC_NOMEM, "no memory for %zu rows", max_rows);
}

void gen_batch_release(struct gen_batch *b)
{
    mem_free(b->cells);
    mem_free(b->text);
    *b = (struct gen_batch){0};
}

static void keep(void *arg, const struct value *v)
{
    struct gen_batch *b = arg;
    struct value *cell = &b->cells[b->n_cells++];

    *cell = *v;
    if (v->type != VALUE_TEXT)
        return;
    cell->s = b->text + b->text_len;
    memcpy(b->text + b->text_len, v->s, v->len);
    b->text_len += v->len;
}

bool gen_batch_fill(struct gen_batch *b, struct gen *g)
{
    const struct gen_sink to = {.cell = keep, .arg = b};

    b->n_cells = 0;
    b->text_len = 0;
    b->n_rows = 0;
    while (b->n_rows < b->max_rows && gen_row(g, &to))
        b->n_rows++;
    return b->n_rows > 0;
}
