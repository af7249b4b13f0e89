/* SPDX-License-Identifier: MIT */
/*
 * The read-only look-ups: one statement by key each, no transaction around.
 */
#include "workload/tpcc/composition.h"

enum rc lookup_execute(struct tpcc_vu *vu, struct conn *c)
{
    const struct lookup_input *in = &vu->in.lookup;
    const struct value args[] = {v_int(in->w_id), v_int(in->d_id),
                                 v_int(in->key)};
    static const struct {
        enum tpcc_step step;
        size_t n_args;
        bool by_key; /* (w_id, key) rather than (w_id, d_id, …) */
        bool may_be_empty;
    } lookups[TPCC_N_TXNS] = {
        [TPCC_LOOKUP_WAREHOUSE] = {STEP_LOOKUP_WAREHOUSE, 1, false, false},
        [TPCC_LOOKUP_DISTRICT] = {STEP_LOOKUP_DISTRICT, 2, false, false},
        [TPCC_LOOKUP_CUSTOMER] = {STEP_LOOKUP_CUSTOMER, 3, false, false},
        [TPCC_LOOKUP_STOCK] = {STEP_LOOKUP_STOCK, 2, true, false},
        [TPCC_LOOKUP_ORDER_LINE] = {STEP_LOOKUP_ORDER_LINE, 3, false, false},
        [TPCC_LOOKUP_NEW_ORDER] = {STEP_LOOKUP_NEW_ORDER, 2, false, true},
    };
    const struct value by_key[] = {args[0], args[2]};
    struct rowset rs;
    enum rc rc;

    rc = conn_exec(c, conn_stmt(c, lookups[vu->txn].step),
                   lookups[vu->txn].by_key ? by_key : args,
                   lookups[vu->txn].n_args, &rs);
    if (rc)
        return rc;
    if (rs.n_rows == 0 && !lookups[vu->txn].may_be_empty)
        return RC_INVALID;
    return RC_OK;
}
