/* SPDX-License-Identifier: MIT */
/*
 * The inputs of the transactions, drawn by clauses 2.4.1, 2.5.1, 2.6.1, 2.7.1
 * and 2.8.1.  Drawn once for each transaction: a retry uses them again.
 */
#ifndef WORKLOAD_TPCC_INPUT_H
#define WORKLOAD_TPCC_INPUT_H

#include "workload/tpcc/nurand.h"
#include "workload/tpcc/skew.h"
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

/* Where a district is drawn. */
enum input_district {
    DISTRICT_OF_ORDER,
    DISTRICT_OF_PAYMENT,
    DISTRICT_OF_REMOTE_CUSTOMER,
    DISTRICT_OF_STATUS,
    DISTRICT_OF_LOOKUP,
    N_DISTRICT_DRAWS,
};

enum {
    INPUT_OTHERS = 16,  /* groups of other warehouses */
    INPUT_AMOUNTS = 16, /* groups of amounts */
    INPUT_CENTS = 10,
    INPUT_CARRIERS = 10,
    INPUT_THRESHOLD_MIN = 10,
    INPUT_THRESHOLDS = 11,
    INPUT_QUANTITIES = 10,
};

/* What one user has drawn so far, to be compared with what the specification
 * says (docs/design/inputs.md).  Nothing but counters. */
struct input_tally {
    uint64_t txns[TPCC_N_TXNS];
    uint64_t rollbacks;
    uint64_t lines[TPCC_LINES_MAX + 1]; /* orders of so many lines */
    uint64_t quantities[INPUT_QUANTITIES];
    uint64_t remote_lines;
    uint64_t remote_orders; /* with at least one remote line */
    /* By the groups of their distributions, skew.h. */
    uint64_t items[SKEW_GROUPS], customers[SKEW_GROUPS], names[SKEW_GROUPS];
    uint64_t districts[N_DISTRICT_DRAWS][TPCC_DISTRICTS];
    uint64_t remote_payments;
    uint64_t payments_by_name, statuses_by_name;
    /* Of remote lines and payments: all others, from the first one on. */
    uint64_t others[INPUT_OTHERS];
    uint64_t amounts[INPUT_AMOUNTS]; /* by their higher bits */
    uint64_t cents[INPUT_CENTS];     /* by their last digit */
    uint64_t carriers[INPUT_CARRIERS];
    uint64_t thresholds[INPUT_THRESHOLDS];
    uint64_t skipped_districts; /* of deliveries: nothing to deliver */
    uint64_t skipped_deliveries;
    /* Tries that did not get the rows that they must get; of them those that
     * asked for a customer by name. */
    uint64_t unanswered, names_unanswered;
};

/* So many amounts are in each group. */
extern const uint64_t input_amount_weights[INPUT_AMOUNTS];

/* The distributions of a run, by its constants. */
struct input_skews {
    struct skew item, customer, name;
    uint8_t items[TPCC_ITEMS];
    uint8_t customers[TPCC_CUSTOMERS];
    uint8_t names[TPCC_NAMES];
};

/* What a user needs to draw. */
struct input_source {
    struct rng rng;
    const struct tpcc *tpcc; /* W and the NURand constants */
    /* Of its struct input_skews: the distributions of this run. */
    const uint8_t *item_groups, *customer_groups, *name_groups;
    int32_t w_id;             /* home warehouse, now */
    int32_t stock_level_d_id; /* fixed for a user, clause 2.8.1.1 */
    struct input_tally tally;
};

void input_source_init(struct input_source *src, const struct tpcc *tpcc,
                       const struct input_skews *skews);

/* By the constants in tpcc. */
MUST_USE enum rc input_skews_init(struct input_skews *out,
                                  const struct tpcc *tpcc, struct err *err);

void input_new_order(struct input_source *src, struct new_order_input *out);
void input_payment(struct input_source *src, struct payment_input *out);
void input_order_status(struct input_source *src,
                        struct order_status_input *out);
void input_delivery(struct input_source *src, struct delivery_input *out);
void input_stock_level(struct input_source *src, struct stock_level_input *out);
void input_lookup(struct input_source *src, enum tpcc_txn txn,
                  struct lookup_input *out);

/* ---- tally ---- */

/* sum += one. */
void input_tally_add(struct input_tally *sum, const struct input_tally *one);
/* Orders, and their lines, in all. */
uint64_t input_tally_lines(const struct input_tally *t);
/* Shares and means of a tally. */
void input_tally_report(const struct input_tally *t,
                        const struct input_skews *skews, input_fn *fn,
                        void *arg);

#endif
