/* SPDX-License-Identifier: MIT */
/* Rows of the population that are kept for a while, to be compared with. */
#ifndef WORKLOAD_TPCC_GEN_BATCH_H
#define WORKLOAD_TPCC_GEN_BATCH_H

#include "workload/tpcc/generate.h"

struct gen_batch {
    struct value *cells;
    char *text;
    size_t n_rows, max_rows;
    size_t n_cells, text_len;
};

/* Room for max_rows rows of any table. */
MUST_USE enum rc gen_batch_init(struct gen_batch *b, size_t max_rows,
                                struct err *err);
void gen_batch_release(struct gen_batch *b); /* the zero state is fine */
/* The next rows in place of those before; false when the part is made. */
bool gen_batch_fill(struct gen_batch *b, struct gen *g);

#endif
