/* SPDX-License-Identifier: MIT */
/*
 * Compositions whose transactions are one statement each, in autocommit: what
 * `single` and `procs` share.  Their steps take the same arguments and stand in
 * this order.
 */
#ifndef WORKLOAD_TPCC_CALLS_H
#define WORKLOAD_TPCC_CALLS_H

#include "workload/tpcc/vu.h"

enum call_step {
    CALL_NEW_ORDER,
    CALL_PAYMENT_BY_ID,
    CALL_PAYMENT_BY_NAME,
    CALL_ORDER_STATUS_BY_ID,
    CALL_ORDER_STATUS_BY_NAME,
    CALL_DELIVERY,
    CALL_STOCK_LEVEL,
    CALL_N_STEPS,
};

/* The range of such a composition, by the name of its first step. */
#define CALL_STEPS(first)                                 \
    {                                                     \
        (first), (enum tpcc_step)((first) + CALL_N_STEPS) \
    }

/* As the functions of struct composition.  A connection lost on the way to a
 * transaction that writes is RC_DB_UNKNOWN: the statement commits by itself.
 * call_new_order() gives the rows; what an order that must roll back comes to
 * is the composition's. */
CORO_FN enum rc call_new_order(struct tpcc_vu *vu, struct conn *c,
                               struct rowset *out);
CORO_FN enum rc call_payment(struct tpcc_vu *vu, struct conn *c);
CORO_FN enum rc call_order_status(struct tpcc_vu *vu, struct conn *c);
CORO_FN enum rc call_delivery(struct tpcc_vu *vu, struct conn *c);
CORO_FN enum rc call_stock_level(struct tpcc_vu *vu, struct conn *c);

#endif
