/* SPDX-License-Identifier: MIT */
/*
 * The inputs of the transactions, drawn by clauses 2.4.1, 2.5.1, 2.6.1, 2.7.1
 * and 2.8.1.  Drawn once for each transaction: a retry uses them again.
 */
#ifndef WORKLOAD_TPCC_INPUT_H
#define WORKLOAD_TPCC_INPUT_H

#include "workload/tpcc/nurand.h"
#include "workload/tpcc/tpcc.h"

struct order_line_input {
    int32_t i_id;
    int32_t supply_w_id;
    int32_t number; /* 1..n_lines, as drawn */
    int32_t quantity;
};

struct new_order_input {
    int32_t w_id, d_id, c_id;
    int32_t n_lines;
    bool rollback;  /* the last line's item is not there */
    bool all_local; /* from the lines, not from the dice */
    struct order_line_input lines[TPCC_LINES_MAX];
};

/* By last name when last_len > 0, else by number. */
struct customer_input {
    int32_t w_id, d_id, c_id;
    uint32_t last_len;
    char last[TPCC_LAST_MAX];
};

struct payment_input {
    int32_t w_id, d_id;
    struct customer_input customer;
    int64_t amount_cents;
};

struct order_status_input {
    struct customer_input customer;
};

struct delivery_input {
    int32_t w_id;
    int32_t carrier_id;
};

struct stock_level_input {
    int32_t w_id, d_id;
    int32_t threshold;
};

struct lookup_input {
    int32_t w_id, d_id;
    int32_t key; /* customer, item or order */
};

/* What one user has drawn so far, to be compared with what the specification
 * says (docs/design/inputs.md). */
struct input_tally {
    uint64_t txns[TPCC_N_TXNS];
    uint64_t rollbacks;
    uint64_t lines[TPCC_LINES_MAX + 1]; /* orders of so many lines */
    uint64_t remote_lines;
    uint64_t remote_orders; /* with at least one remote line */
    uint64_t hot_lines;     /* of the 20 % of items that come up most */
    uint64_t remote_payments;
    uint64_t by_name, by_number;
    uint64_t skipped_districts; /* of deliveries: nothing to deliver */
    uint64_t skipped_deliveries;
};

/* What a user needs to draw. */
struct input_source {
    struct rng rng;
    const struct tpcc *tpcc;   /* W and the NURand constants */
    const uint64_t *hot_items; /* bitmap, 1..TPCC_ITEMS; see input_hot_items */
    int32_t w_id;              /* home warehouse, now */
    int32_t stock_level_d_id;  /* fixed for a user, clause 2.8.1.1 */
    struct input_tally tally;
};

void input_new_order(struct input_source *src, struct new_order_input *out);
void input_payment(struct input_source *src, struct payment_input *out);
void input_order_status(struct input_source *src,
                        struct order_status_input *out);
void input_delivery(struct input_source *src, struct delivery_input *out);
void input_stock_level(struct input_source *src, struct stock_level_input *out);
void input_lookup(struct input_source *src, enum tpcc_txn txn,
                  struct lookup_input *out);

/* A bitmap of the fifth of the items that NURand with this C draws most;
 * in the arena.  NULL when there is no memory. */
MUST_USE uint64_t *input_hot_items(struct arena *arena, uint64_t c_item);

/* sum += one. */
void input_tally_add(struct input_tally *sum, const struct input_tally *one);
/* Shares and means of a tally. */
void input_tally_report(const struct input_tally *t, input_fn *fn, void *arg);

#endif
