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
    /* Capabilities of the driver that it cannot do without, enum driver_caps;
     * what they are, for the message: "a pipeline". */
    unsigned needs;
    const char *needs_text;
    /* Transactions are not between BEGIN and COMMIT. */
    bool autocommit;
    /* Where it departs from the others, said when a run begins; or NULL. */
    const char *note;
    /* The same with --call procedure, or NULL. */
    const struct composition *by_procedure;
    /* Optional.  Before the users of a run connect: puts on the server what it
     * needs there, or finds that the server cannot do it. */
    CORO_SLOT enum rc (*install)(struct dataset *ds, struct conn *c,
                                 struct err *err);
    CORO_SLOT enum rc (*new_order)(struct tpcc_vu *vu, struct conn *c,
                                   bool *rolled_back);
    CORO_SLOT tpcc_txn_fn *payment, *order_status, *delivery, *stock_level;
};

extern const struct composition literal_composition;
extern const struct composition batched_composition;
extern const struct composition pipelined_composition;
extern const struct composition single_composition;
extern const struct composition procs_composition;

/* The composition of that name, NULL when unknown. */
const struct composition *composition_find(const char *name);
/* All of them, for messages. */
#define COMPOSITION_NAMES "literal, batched, pipelined, single, procs"
/* RC_UNSUPPORTED when the database lacks what it needs. */
enum rc composition_check(const struct composition *how, const struct db *db,
                          struct err *err);

/* The read-only look-ups, one statement each; no composition. */
CORO_FN enum rc lookup_execute(struct tpcc_vu *vu, struct conn *c);

#endif
