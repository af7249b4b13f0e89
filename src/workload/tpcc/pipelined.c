/* SPDX-License-Identifier: MIT */
/*
 * Composition `pipelined`: the statements of `batched`, sent without waiting
 * wherever no input depends on an earlier answer (tpcc-facts 13.4).  Rows are
 * locked in the order of `batched`.
 */
#include "base/clock.h"
#include "driver/flight.h"
#include "workload/tpcc/batched.h"
#include "workload/tpcc/composition.h"

/* In a function with c: queues a step for a flight. */
#define QUEUE(step, ...)                                              \
    conn_flight_exec(                                                 \
        c, conn_stmt(c, (step)), (const struct value[]){__VA_ARGS__}, \
        sizeof((const struct value[]){__VA_ARGS__}) / sizeof(struct value))

/* For a flight whose steps must each return a row. */
static CORO_FN enum rc fly(struct conn *c, struct rowset *rows, size_t n_rows)
{
    enum rc rc = conn_flight_wait(c, rows, n_rows);

    for (size_t i = 0; i < n_rows && !rc; i++) {
        if (rows[i].n_rows == 0)
            rc = RC_INVALID;
    }
    return rc;
}

/* A flight does not know what its steps give back. */
static void note(struct tpcc_vu *vu, enum tpcc_step step,
                 const struct rowset *rows)
{
    if (UNLIKELY(vu->sample != NULL))
        output_note(vu, step, NULL, rows);
}

/* ---- New-Order, clause 2.4.2: two flights ---- */

static void queue_order(struct tpcc_vu *vu, struct conn *c, int64_t o_id,
                        const struct line_lists *l)
{
    const struct new_order_input *in = &vu->in.new_order;
    const struct value w = v_int(in->w_id), d = v_int(in->d_id);
    const struct value o = v_int(o_id);

    QUEUE(STEP_BATCHED_NEW_ORDER_INSERT_ORDER, o, d, w, v_int(in->c_id),
          v_time(clock_wall_us()), v_int(in->n_lines), v_int(in->all_local));
    QUEUE(STEP_BATCHED_NEW_ORDER_INSERT_NEW_ORDER, o, d, w);
    QUEUE(STEP_BATCHED_NEW_ORDER_INSERT_LINES, o, d, w,
          v_ints(l->numbers, l->n), v_ints(l->items, l->n),
          v_ints(l->supplies, l->n), v_ints(l->quantities, l->n),
          v_ints(l->amounts_cents, l->n),
          v_textn(l->dists, l->n * TPCC_DIST_LEN));
}

static CORO_FN enum rc new_order(struct tpcc_vu *vu, struct conn *c,
                                 bool *rolled_back)
{
    struct new_order_input *in = &vu->in.new_order;
    const struct value w = v_int(in->w_id), d = v_int(in->d_id);
    struct line_lists lists = {0};
    struct rowset rows[2];
    enum rc rc;

    list_lines(in, &lists);
    conn_flight_begin_txn(c, TXN_WRITE);
    QUEUE(STEP_BATCHED_NEW_ORDER_HEAD, w, d, v_int(in->c_id));
    QUEUE(STEP_BATCHED_NEW_ORDER_UPDATE_STOCK, d, w,
          v_ints(lists.items, lists.n), v_ints(lists.supplies, lists.n),
          v_ints(lists.quantities, lists.n));
    rc = fly(c, rows, 2);
    if (!rc)
        rc = price_lines(in, &rows[1], &lists);
    if (rc)
        return rc;
    note(vu, STEP_BATCHED_NEW_ORDER_HEAD, &rows[0]);
    note(vu, STEP_BATCHED_NEW_ORDER_UPDATE_STOCK, &rows[1]);
    queue_order(vu, c, rowset_at(&rows[0], 0, 0)->i, &lists);
    if (in->rollback)
        conn_flight_rollback(c);
    else
        conn_flight_commit(c);
    rc = conn_flight_wait(c, NULL, 0);
    *rolled_back = !rc && in->rollback;
    return rc;
}

/* ---- Payment, clause 2.5.2: two flights ---- */

static void queue_customer(struct tpcc_vu *vu, struct conn *c)
{
    const struct payment_input *in = &vu->in.payment;
    const struct customer_input *cu = &in->customer;
    const struct value w = v_int(in->w_id), d = v_int(in->d_id);
    const struct value amount = v_money(in->amount_cents);
    const struct value c_w = v_int(cu->w_id), c_d = v_int(cu->d_id);

    if (cu->last_len)
        QUEUE(STEP_BATCHED_PAYMENT_UPDATE_CUSTOMER_BY_NAME, w, d, amount, c_w,
              c_d, v_textn(cu->last, cu->last_len));
    else
        QUEUE(STEP_BATCHED_PAYMENT_UPDATE_CUSTOMER_BY_ID, w, d, amount, c_w,
              c_d, v_int(cu->c_id));
}

static CORO_FN enum rc payment(struct tpcc_vu *vu, struct conn *c)
{
    const struct payment_input *in = &vu->in.payment;
    const struct value w = v_int(in->w_id), d = v_int(in->d_id);
    const struct value amount = v_money(in->amount_cents);
    struct rowset rows[3];
    char data[24];
    int64_t c_id;
    size_t len;
    enum rc rc;

    conn_flight_begin_txn(c, TXN_WRITE);
    QUEUE(STEP_BATCHED_PAYMENT_UPDATE_DISTRICT, w, d, amount);
    queue_customer(vu, c);
    /* As late as possible: every payment of a warehouse meets on this row. */
    QUEUE(STEP_BATCHED_PAYMENT_UPDATE_WAREHOUSE, w, amount);
    rc = fly(c, rows, 3);
    if (rc)
        return rc;
    note(vu, STEP_BATCHED_PAYMENT_UPDATE_DISTRICT, &rows[0]);
    note(vu, STEP_BATCHED_PAYMENT_UPDATE_CUSTOMER_BY_ID, &rows[1]);
    note(vu, STEP_BATCHED_PAYMENT_UPDATE_WAREHOUSE, &rows[2]);
    c_id = rowset_at(&rows[1], 0, 0)->i;
    len = history_data(rowset_at(&rows[2], 0, 0), rowset_at(&rows[0], 0, 0),
                       data);
    QUEUE(STEP_BATCHED_PAYMENT_INSERT_HISTORY, v_int(c_id),
          v_int(in->customer.d_id), v_int(in->customer.w_id), d, w,
          v_time(clock_wall_us()), amount, v_textn(data, len));
    conn_flight_commit(c);
    return conn_flight_wait(c, NULL, 0);
}

/* ---- Delivery, clause 2.7.4: three flights ---- */

static CORO_FN enum rc deliver(struct tpcc_vu *vu, struct conn *c,
                               struct delivered *list)
{
    const struct delivery_input *in = &vu->in.delivery;
    const struct value w = v_int(in->w_id);
    const struct value districts = v_ints(list->districts, list->n);
    const struct value orders = v_ints(list->orders, list->n);
    struct rowset rows[2];
    enum rc rc;

    QUEUE(STEP_BATCHED_DELIVERY_UPDATE_ORDERS, v_int(in->carrier_id), w,
          districts, orders);
    QUEUE(STEP_BATCHED_DELIVERY_UPDATE_LINES, v_time(clock_wall_us()), w,
          districts, orders);
    rc = fly(c, rows, 2);
    if (!rc)
        rc = list_customers(&rows[0], list);
    if (!rc)
        rc = add_amounts(&rows[1], list);
    if (!rc)
        QUEUE(STEP_BATCHED_DELIVERY_UPDATE_CUSTOMERS, w, districts,
              v_ints(list->customers, list->n),
              v_ints(list->amounts_cents, list->n));
    return rc;
}

static CORO_FN enum rc delivery(struct tpcc_vu *vu, struct conn *c)
{
    struct delivered list;
    struct rowset rows;
    enum rc rc;

    conn_flight_begin_txn(c, TXN_WRITE);
    QUEUE(STEP_BATCHED_DELIVERY_DELETE_OLDEST, v_int(vu->in.delivery.w_id));
    rc = conn_flight_wait(c, &rows, 1);
    if (!rc)
        rc = list_oldest(&rows, &list);
    if (!rc)
        note(vu, STEP_BATCHED_DELIVERY_DELETE_OLDEST, &rows);
    if (!rc && list.n > 0)
        rc = deliver(vu, c, &list);
    if (rc)
        return rc;
    conn_flight_commit(c);
    rc = conn_flight_wait(c, NULL, 0);
    if (!rc)
        tally_delivery(vu, &list);
    return rc;
}

const struct composition pipelined_composition = {
    .name = "pipelined",
    .steps = BATCHED_STEPS,
    .needs = DRIVER_PIPELINE,
    .needs_text = "a pipeline",
    .new_order = new_order,
    .payment = payment,
    .order_status = batched_order_status,
    .delivery = delivery,
    .stock_level = batched_stock_level,
};
