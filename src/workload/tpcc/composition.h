/* SPDX-License-Identifier: MIT */
/*
 * A composition: the same five transactions from the same inputs, expressed by
 * other statements.  Each is a row of compositions.c and a file of its own.
 */
#ifndef WORKLOAD_TPCC_COMPOSITION_H
#define WORKLOAD_TPCC_COMPOSITION_H

#include "workload/tpcc/vu.h"

/* One try of the transaction whose inputs are in vu->in. */
typedef enum rc tpcc_txn_fn(struct tpcc_vu *vu, struct conn *c);

struct composition {
    const char *name;
    struct step_range steps;
    CORO_SLOT enum rc (*new_order)(struct tpcc_vu *vu, struct conn *c,
                                   bool *rolled_back);
    CORO_SLOT tpcc_txn_fn *payment, *order_status, *delivery, *stock_level;
};

extern const struct composition literal_composition;
extern const struct composition batched_composition;

/* The composition of that name, NULL when unknown. */
const struct composition *composition_find(const char *name);
/* "literal, batched": for messages. */
#define COMPOSITION_NAMES "literal, batched"

/* The read-only look-ups, one statement each; no composition. */
CORO_FN enum rc lookup_execute(struct tpcc_vu *vu, struct conn *c);

#endif
