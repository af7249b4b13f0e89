/* SPDX-License-Identifier: MIT */
/*
 * Composition `single`: each transaction is one data-modifying statement
 * (tpcc-facts 13.6), and nothing is installed on the server.
 *
 * The intended rollback takes a short cut: the statement fails at the line
 * whose item is not there, and what clause 2.4.2.3 wants done and then undone
 * may not have been done.
 */
#include "workload/tpcc/calls.h"
#include "workload/tpcc/composition.h"
#include "workload/tpcc/scripts.h"

#define NOT_NULL_VIOLATION "23502"

static CORO_FN enum rc new_order(struct tpcc_vu *vu, struct conn *c,
                                 bool *rolled_back)
{
    const struct new_order_input *in = &vu->in.new_order;
    struct rowset rs;
    enum rc rc = call_new_order(vu, c, &rs);

    if (rc == RC_DB_CONSTRAINT && in->rollback &&
        !strcmp(c->sqlstate, NOT_NULL_VIOLATION)) {
        *rolled_back = true;
        return RC_OK;
    }
    if (rc)
        return rc;
    if (in->rollback || rs.n_rows != (size_t)in->n_lines)
        return RC_INVALID;
    return RC_OK;
}

/* A dialect may serve servers that have not the statement itself. */
static CORO_FN enum rc probe(struct dataset *ds, struct conn *c,
                             struct err *err)
{
    enum rc rc = RC_OK;

    if (script_find(ds, "single/probe"))
        rc = script_run_marks(ds, c, "single/probe", NULL, 0, err);
    if (rc == RC_DB_ERROR)
        err_prefix(err, "this server cannot do composition 'single', use "
                        "another one");
    return rc;
}

const struct composition single_composition = {
    .name = "single",
    .steps = CALL_STEPS(STEP_SINGLE_NEW_ORDER),
    .autocommit = true,
    .note = "an order that must roll back ends at the missing item by an "
            "error, which the server logs; the rest of it may not have been "
            "done first",
    .install = probe,
    .new_order = new_order,
    .payment = call_payment,
    .order_status = call_order_status,
    .delivery = call_delivery,
    .stock_level = call_stock_level,
};
