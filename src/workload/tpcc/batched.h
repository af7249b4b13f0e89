/* SPDX-License-Identifier: MIT */
/*
 * What `batched` and `pipelined` share: they run the same steps, one by one or
 * in flights.  RC_INVALID: the rows are not those that such a step returns.
 */
#ifndef WORKLOAD_TPCC_BATCHED_H
#define WORKLOAD_TPCC_BATCHED_H

#include "workload/tpcc/vu.h"

#define BATCHED_STEPS                                             \
    {                                                             \
        STEP_BATCHED_NEW_ORDER_HEAD, STEP_BATCHED_STOCK_LEVEL + 1 \
    }

#define TPCC_DIST_LEN 24 /* S_DIST_xx, clause 1.3.1 */

/* The columns of an order's lines as lists, as the statements take them; the
 * last line is left out when its item is not there. */
struct line_lists {
    int64_t numbers[TPCC_LINES_MAX];
    int64_t items[TPCC_LINES_MAX];
    int64_t supplies[TPCC_LINES_MAX];
    int64_t quantities[TPCC_LINES_MAX];
    int64_t amounts_cents[TPCC_LINES_MAX];
    char dists[TPCC_LINES_MAX * TPCC_DIST_LEN];
    size_t n;
};

/* The inputs, sorted first, as lists; amounts and texts are still to come. */
void list_lines(struct new_order_input *in, struct line_lists *l);
/* Amount and district text of each line, from the rows of UPDATE_STOCK. */
enum rc price_lines(const struct new_order_input *in, const struct rowset *rs,
                    struct line_lists *l);

/* What is delivered, a row for each district that had something. */
struct delivered {
    int64_t districts[TPCC_DISTRICTS];
    int64_t orders[TPCC_DISTRICTS];
    int64_t customers[TPCC_DISTRICTS];
    int64_t amounts_cents[TPCC_DISTRICTS];
    size_t n;
};

/* From the rows of DELETE_OLDEST, UPDATE_ORDERS and UPDATE_LINES. */
enum rc list_oldest(const struct rowset *rs, struct delivered *list);
enum rc list_customers(const struct rowset *rs, struct delivered *list);
enum rc add_amounts(const struct rowset *rs, struct delivered *list);
/* After the commit. */
void tally_delivery(struct tpcc_vu *vu, const struct delivered *list);

/* One statement each. */
CORO_FN enum rc batched_order_status(struct tpcc_vu *vu, struct conn *c);
CORO_FN enum rc batched_stock_level(struct tpcc_vu *vu, struct conn *c);

#endif
