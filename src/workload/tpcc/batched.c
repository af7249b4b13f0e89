/* SPDX-License-Identifier: MIT */
/*
 * Composition `batched`: joins, lists and RETURNING, so that a transaction is
 * a handful of statements (tpcc-facts 13.3 (b)).  Rows are locked in the order
 * of `literal`: DISTRICT before STOCK by key, DISTRICT before CUSTOMER before
 * WAREHOUSE.
 */
#include "workload/tpcc/batched.h"

#include "base/clock.h"
#include "workload/tpcc/composition.h"

/* ---- New-Order, clause 2.4.2 ---- */

enum stock_column {
    STOCK_W_ID,
    STOCK_I_ID,
    STOCK_QUANTITY,
    STOCK_DIST,
    STOCK_DATA,
    STOCK_PRICE,
};

void list_lines(struct new_order_input *in, struct line_lists *l)
{
    sort_lines(in);
    l->n = (size_t)in->n_lines;
    for (size_t i = 0; i < l->n; i++) {
        l->numbers[i] = in->lines[i].number;
        l->items[i] = in->lines[i].i_id;
        l->supplies[i] = in->lines[i].supply_w_id;
        l->quantities[i] = in->lines[i].quantity;
    }
}

/* The row of a line's stock, NULL when there is none. */
static const struct value *stock_row(const struct rowset *rs, int64_t w_id,
                                     int64_t i_id)
{
    for (size_t row = 0; row < rs->n_rows; row++) {
        const struct value *cells = rowset_at(rs, row, 0);

        if (cells[STOCK_I_ID].i == i_id && cells[STOCK_W_ID].i == w_id)
            return cells;
    }
    return NULL;
}

enum rc price_lines(const struct new_order_input *in, const struct rowset *rs,
                    struct line_lists *l)
{
    const size_t n = (size_t)(in->n_lines - in->rollback);

    for (size_t i = 0; i < n; i++) {
        const struct value *row = stock_row(rs, l->supplies[i], l->items[i]);

        if (!row || row[STOCK_DIST].len != TPCC_DIST_LEN)
            return RC_INVALID;
        l->amounts_cents[i] = row[STOCK_PRICE].i * l->quantities[i];
        memcpy(l->dists + i * TPCC_DIST_LEN, row[STOCK_DIST].s, TPCC_DIST_LEN);
    }
    l->n = n;
    return RC_OK;
}

static CORO_FN enum rc insert_order(struct tpcc_vu *vu, struct conn *c,
                                    int64_t o_id)
{
    const struct new_order_input *in = &vu->in.new_order;
    const struct value w = v_int(in->w_id), d = v_int(in->d_id);
    const struct value o = v_int(o_id);
    enum rc rc;

    EXEC(STEP_BATCHED_NEW_ORDER_INSERT_ORDER, NULL, o, d, w, v_int(in->c_id),
         v_time(clock_wall_us()), v_int(in->n_lines), v_int(in->all_local));
    EXEC(STEP_BATCHED_NEW_ORDER_INSERT_NEW_ORDER, NULL, o, d, w);
    return RC_OK;
}

static CORO_FN enum rc insert_lines(struct tpcc_vu *vu, struct conn *c,
                                    int64_t o_id, struct line_lists *l)
{
    const struct new_order_input *in = &vu->in.new_order;
    const struct value w = v_int(in->w_id), d = v_int(in->d_id);
    struct rowset rs;
    enum rc rc;

    EXEC(STEP_BATCHED_NEW_ORDER_UPDATE_STOCK, &rs, d, w, v_ints(l->items, l->n),
         v_ints(l->supplies, l->n), v_ints(l->quantities, l->n));
    rc = price_lines(in, &rs, l);
    if (rc)
        return rc;
    EXEC(STEP_BATCHED_NEW_ORDER_INSERT_LINES, NULL, v_int(o_id), d, w,
         v_ints(l->numbers, l->n), v_ints(l->items, l->n),
         v_ints(l->supplies, l->n), v_ints(l->quantities, l->n),
         v_ints(l->amounts_cents, l->n),
         v_textn(l->dists, l->n * TPCC_DIST_LEN));
    return RC_OK;
}

static CORO_FN enum rc new_order(struct tpcc_vu *vu, struct conn *c,
                                 bool *rolled_back)
{
    struct new_order_input *in = &vu->in.new_order;
    struct line_lists lists = {0};
    struct rowset rs;
    int64_t o_id;
    enum rc rc;

    list_lines(in, &lists);
    rc = conn_begin(c, TXN_WRITE);
    if (rc)
        return rc;
    READ(STEP_BATCHED_NEW_ORDER_HEAD, &rs, v_int(in->w_id), v_int(in->d_id),
         v_int(in->c_id));
    o_id = rowset_at(&rs, 0, 0)->i;
    rc = insert_order(vu, c, o_id);
    if (!rc)
        rc = insert_lines(vu, c, o_id, &lists);
    if (rc)
        return rc;
    if (!in->rollback)
        return conn_commit(c);
    *rolled_back = true;
    return conn_rollback(c);
}

/* ---- Payment, clause 2.5.2 ---- */

static CORO_FN enum rc pay_customer(struct tpcc_vu *vu, struct conn *c,
                                    int64_t *c_id)
{
    const struct payment_input *in = &vu->in.payment;
    const struct customer_input *cu = &in->customer;
    const struct value w = v_int(in->w_id), d = v_int(in->d_id);
    const struct value amount = v_money(in->amount_cents);
    const struct value c_w = v_int(cu->w_id), c_d = v_int(cu->d_id);
    struct rowset rs;
    enum rc rc;

    if (cu->last_len)
        READ(STEP_BATCHED_PAYMENT_UPDATE_CUSTOMER_BY_NAME, &rs, w, d, amount,
             c_w, c_d, v_textn(cu->last, cu->last_len));
    else
        READ(STEP_BATCHED_PAYMENT_UPDATE_CUSTOMER_BY_ID, &rs, w, d, amount, c_w,
             c_d, v_int(cu->c_id));
    *c_id = rowset_at(&rs, 0, 0)->i;
    return RC_OK;
}

static CORO_FN enum rc payment(struct tpcc_vu *vu, struct conn *c)
{
    const struct payment_input *in = &vu->in.payment;
    const struct value w = v_int(in->w_id), d = v_int(in->d_id);
    const struct value amount = v_money(in->amount_cents);
    char d_name_text[10], data[24];
    struct value d_name;
    struct rowset rs;
    int64_t c_id;
    size_t len;
    enum rc rc;

    rc = conn_begin(c, TXN_WRITE);
    if (rc)
        return rc;
    READ(STEP_BATCHED_PAYMENT_UPDATE_DISTRICT, &rs, w, d, amount);
    d_name = keep_name(rowset_at(&rs, 0, 0), d_name_text);
    rc = pay_customer(vu, c, &c_id);
    if (rc)
        return rc;
    /* As late as possible: every payment of a warehouse meets on this row. */
    READ(STEP_BATCHED_PAYMENT_UPDATE_WAREHOUSE, &rs, w, amount);
    len = history_data(rowset_at(&rs, 0, 0), &d_name, data);
    EXEC(STEP_BATCHED_PAYMENT_INSERT_HISTORY, NULL, v_int(c_id),
         v_int(in->customer.d_id), v_int(in->customer.w_id), d, w,
         v_time(clock_wall_us()), amount, v_textn(data, len));
    return conn_commit(c);
}

/* ---- Order-Status, clause 2.6.2: one statement ---- */

enum rc batched_order_status(struct tpcc_vu *vu, struct conn *c)
{
    const struct customer_input *in = &vu->in.order_status.customer;
    const struct value w = v_int(in->w_id), d = v_int(in->d_id);
    struct rowset rs;
    enum rc rc;

    if (in->last_len)
        READ(STEP_BATCHED_ORDER_STATUS_BY_NAME, &rs, w, d,
             v_textn(in->last, in->last_len));
    else
        READ(STEP_BATCHED_ORDER_STATUS_BY_ID, &rs, w, d, v_int(in->c_id));
    return RC_OK;
}

/* ---- Delivery, clause 2.7.4 ---- */

static size_t delivered_index(const struct delivered *list, int64_t d_id)
{
    size_t i = 0;

    while (i < list->n && list->districts[i] != d_id)
        i++;
    return i;
}

enum rc list_oldest(const struct rowset *rs, struct delivered *list)
{
    if (rs->n_rows > TPCC_DISTRICTS)
        return RC_INVALID;
    *list = (struct delivered){.n = rs->n_rows};
    for (size_t i = 0; i < rs->n_rows; i++) {
        list->districts[i] = rowset_at(rs, i, 0)->i;
        list->orders[i] = rowset_at(rs, i, 1)->i;
    }
    return RC_OK;
}

enum rc list_customers(const struct rowset *rs, struct delivered *list)
{
    if (rs->n_rows != list->n)
        return RC_INVALID;
    for (size_t i = 0; i < rs->n_rows; i++) {
        const size_t at = delivered_index(list, rowset_at(rs, i, 0)->i);

        if (at == list->n)
            return RC_INVALID;
        list->customers[at] = rowset_at(rs, i, 1)->i;
    }
    return RC_OK;
}

enum rc add_amounts(const struct rowset *rs, struct delivered *list)
{
    for (size_t i = 0; i < rs->n_rows; i++) {
        const size_t at = delivered_index(list, rowset_at(rs, i, 0)->i);

        if (at == list->n)
            return RC_INVALID;
        list->amounts_cents[at] += rowset_at(rs, i, 1)->i;
    }
    return RC_OK;
}

void tally_delivery(struct tpcc_vu *vu, const struct delivered *list)
{
    vu->source.tally.skipped_districts += TPCC_DISTRICTS - list->n;
    vu->source.tally.skipped_deliveries += list->n < TPCC_DISTRICTS;
}

/* Orders, lines and customers of what has been taken. */
static CORO_FN enum rc deliver(struct tpcc_vu *vu, struct conn *c,
                               struct delivered *list)
{
    const struct delivery_input *in = &vu->in.delivery;
    const struct value w = v_int(in->w_id);
    const struct value districts = v_ints(list->districts, list->n);
    const struct value orders = v_ints(list->orders, list->n);
    struct rowset rs;
    enum rc rc;

    EXEC(STEP_BATCHED_DELIVERY_UPDATE_ORDERS, &rs, v_int(in->carrier_id), w,
         districts, orders);
    rc = list_customers(&rs, list);
    if (rc)
        return rc;
    EXEC(STEP_BATCHED_DELIVERY_UPDATE_LINES, &rs, v_time(clock_wall_us()), w,
         districts, orders);
    rc = add_amounts(&rs, list);
    if (rc)
        return rc;
    EXEC(STEP_BATCHED_DELIVERY_UPDATE_CUSTOMERS, NULL, w, districts,
         v_ints(list->customers, list->n),
         v_ints(list->amounts_cents, list->n));
    return RC_OK;
}

static CORO_FN enum rc delivery(struct tpcc_vu *vu, struct conn *c)
{
    struct delivered list;
    struct rowset rs;
    enum rc rc;

    rc = conn_begin(c, TXN_WRITE);
    if (rc)
        return rc;
    EXEC(STEP_BATCHED_DELIVERY_DELETE_OLDEST, &rs, v_int(vu->in.delivery.w_id));
    rc = list_oldest(&rs, &list);
    if (!rc && list.n > 0)
        rc = deliver(vu, c, &list);
    if (!rc)
        rc = conn_commit(c);
    if (!rc)
        tally_delivery(vu, &list);
    return rc;
}

/* ---- Stock-Level, clause 2.8.2: one statement ---- */

enum rc batched_stock_level(struct tpcc_vu *vu, struct conn *c)
{
    const struct stock_level_input *in = &vu->in.stock_level;
    struct rowset rs;
    enum rc rc;

    READ(STEP_BATCHED_STOCK_LEVEL, &rs, v_int(in->w_id), v_int(in->d_id),
         v_int(in->threshold));
    return RC_OK;
}

const struct composition batched_composition = {
    .name = "batched",
    .steps = BATCHED_STEPS,
    .new_order = new_order,
    .payment = payment,
    .order_status = batched_order_status,
    .delivery = delivery,
    .stock_level = batched_stock_level,
};
