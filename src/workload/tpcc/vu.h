/* SPDX-License-Identifier: MIT */
/*
 * A TPC-C user: its streams, its mix, its prepared steps, and the inputs of
 * the transaction at hand.
 */
#ifndef WORKLOAD_TPCC_VU_H
#define WORKLOAD_TPCC_VU_H

#include "workload/tpcc/input.h"
#include "workload/tpcc/mix.h"
#include "workload/tpcc/steps.h"

struct tpcc_vu {
    struct vu base; /* first member */
    struct rng choice;
    struct mix_state mix;
    struct input_source source;
    uint64_t home_step; /* --home spread: warehouses walked so far */
    enum tpcc_txn txn;
    union {
        struct new_order_input new_order;
        struct payment_input payment;
        struct order_status_input order_status;
        struct delivery_input delivery;
        struct stock_level_input stock_level;
        struct lookup_input lookup;
    } in;
    struct stmt *stmts[TPCC_N_STEPS]; /* of the connection in use */
};

/* The transactions in composition `literal`: one statement a round trip, as
 * the specification lists them. */
CORO_FN enum rc literal_new_order(struct tpcc_vu *vu, struct conn *c,
                                  bool *rolled_back);
CORO_FN enum rc literal_payment(struct tpcc_vu *vu, struct conn *c);
CORO_FN enum rc literal_order_status(struct tpcc_vu *vu, struct conn *c);
CORO_FN enum rc literal_delivery(struct tpcc_vu *vu, struct conn *c);
CORO_FN enum rc literal_stock_level(struct tpcc_vu *vu, struct conn *c);
/* The read-only look-ups, one statement each. */
CORO_FN enum rc lookup_execute(struct tpcc_vu *vu, struct conn *c);

/* Runs a step with the arguments listed. */
#define VU_EXEC(vu, c, step, out, ...)                                 \
    conn_exec((c), (vu)->stmts[(step)],                                \
              (const struct value[]){__VA_ARGS__},                     \
              sizeof((const struct value[]){__VA_ARGS__}) /            \
                  sizeof(struct value),                                \
              (out))


#endif
