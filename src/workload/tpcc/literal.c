/* SPDX-License-Identifier: MIT */
/*
 * Composition `literal`: every statement that clauses 2.4 to 2.8 list, one a
 * round trip, no RETURNING (tpcc-facts 13.2 (a)).  Rows are locked in one
 * order everywhere: DISTRICT before STOCK, DISTRICT before CUSTOMER before
 * WAREHOUSE, stock by key.
 */
#include "base/clock.h"
#include "workload/tpcc/composition.h"

#include <stdio.h>

/* ---- New-Order, clause 2.4.2 ---- */

/* What the lines need of the order's head. */
struct order_head {
    int64_t o_id;
    int64_t total_cents; /* of the lines' amounts, shown at the end */
};

static CORO_FN enum rc new_order_head(struct tpcc_vu *vu, struct conn *c,
                                      struct order_head *head)
{
    const struct new_order_input *in = &vu->in.new_order;
    const struct value w = v_int(in->w_id), d = v_int(in->d_id);
    const struct value cust = v_int(in->c_id);
    struct rowset rs;
    struct value o;
    enum rc rc;

    READ(STEP_LITERAL_NEW_ORDER_READ_WAREHOUSE, &rs, w);
    READ(STEP_LITERAL_NEW_ORDER_READ_DISTRICT, &rs, w, d);
    head->o_id = rowset_at(&rs, 0, 1)->i;
    o = v_int(head->o_id);
    EXEC(STEP_LITERAL_NEW_ORDER_UPDATE_DISTRICT, NULL, w, d);
    READ(STEP_LITERAL_NEW_ORDER_READ_CUSTOMER, &rs, w, d, cust);
    EXEC(STEP_LITERAL_NEW_ORDER_INSERT_ORDER, NULL, o, d, w, cust,
         v_time(clock_wall_us()), v_int(in->n_lines), v_int(in->all_local));
    EXEC(STEP_LITERAL_NEW_ORDER_INSERT_NEW_ORDER, NULL, o, d, w);
    return RC_OK;
}

/* Sets *missing when there is no such item: the order must roll back. */
static CORO_FN enum rc new_order_line(struct tpcc_vu *vu, struct conn *c,
                                      const struct order_line_input *line,
                                      struct order_head *head, bool *missing)
{
    const struct new_order_input *in = &vu->in.new_order;
    const struct value w = v_int(in->w_id), d = v_int(in->d_id);
    const struct value item = v_int(line->i_id);
    const struct value supply = v_int(line->supply_w_id);
    const struct value quantity = v_int(line->quantity);
    char dist[24];
    size_t dist_len;
    struct rowset rs;
    int64_t amount;
    enum rc rc;

    EXEC(STEP_LITERAL_NEW_ORDER_READ_ITEM, &rs, item);
    if (rs.n_rows == 0) {
        *missing = true;
        return RC_OK;
    }
    amount = rowset_at(&rs, 0, 0)->i * line->quantity;
    READ(STEP_LITERAL_NEW_ORDER_READ_STOCK, &rs, d, supply, item);
    dist_len = rowset_at(&rs, 0, 1)->len;
    if (dist_len > sizeof(dist))
        return RC_INVALID;
    memcpy(dist, rowset_at(&rs, 0, 1)->s, dist_len);
    EXEC(STEP_LITERAL_NEW_ORDER_UPDATE_STOCK, NULL, quantity,
         v_int(line->supply_w_id != in->w_id), supply, item);
    EXEC(STEP_LITERAL_NEW_ORDER_INSERT_LINE, NULL, v_int(head->o_id), d, w,
         v_int(line->number), item, supply, quantity, v_money(amount),
         v_textn(dist, dist_len));
    head->total_cents += amount;
    return RC_OK;
}

static CORO_FN enum rc new_order(struct tpcc_vu *vu, struct conn *c,
                                 bool *rolled_back)
{
    struct new_order_input *in = &vu->in.new_order;
    struct order_head head = {0};
    bool missing = false;
    enum rc rc;

    sort_lines(in);
    rc = conn_begin(c, TXN_WRITE);
    if (rc)
        return rc;
    rc = new_order_head(vu, c, &head);
    for (int32_t i = 0; !rc && !missing && i < in->n_lines; i++)
        rc = new_order_line(vu, c, &in->lines[i], &head, &missing);
    if (rc)
        return rc;
    if (!missing)
        return conn_commit(c);
    *rolled_back = true;
    return conn_rollback(c);
}

/* ---- Payment, clause 2.5.2 ---- */

/* Position ceil(n / 2) from 1 among the n of a name, clause 2.5.2.2. */
static size_t middle_row(const struct rowset *rs)
{
    return (rs->n_rows - 1) / 2;
}

static CORO_FN enum rc payment_find_customer(struct tpcc_vu *vu, struct conn *c,
                                             int64_t *c_id)
{
    const struct customer_input *in = &vu->in.payment.customer;
    struct rowset rs;
    enum rc rc;

    *c_id = in->c_id;
    if (!in->last_len)
        return RC_OK;
    READ(STEP_LITERAL_PAYMENT_CUSTOMERS_BY_NAME, &rs, v_int(in->w_id),
         v_int(in->d_id), v_textn(in->last, in->last_len));
    *c_id = rowset_at(&rs, middle_row(&rs), 0)->i;
    return RC_OK;
}

/* The ids and the amount in front of what is noted already, cut to 500,
 * clause 2.5.2.2.  Returns the length. */
static size_t note_payment(const struct payment_input *in, int64_t c_id,
                           const struct value *old, char *out)
{
    char head[128];
    const struct customer_input *cu = &in->customer;
    const int head_len = snprintf(
        head, sizeof(head), "%lld %d %d %d %d %lld.%02d|", (long long)c_id,
        (int)cu->d_id, (int)cu->w_id, (int)in->d_id, (int)in->w_id,
        (long long)(in->amount_cents / 100), (int)(in->amount_cents % 100));
    size_t len = (size_t)head_len;
    size_t rest = old->len;

    memcpy(out, head, len);
    if (rest > TPCC_C_DATA_MAX - len)
        rest = TPCC_C_DATA_MAX - len;
    memcpy(out + len, old->s, rest);
    return len + rest;
}

static CORO_FN enum rc payment_customer(struct tpcc_vu *vu, struct conn *c,
                                        int64_t c_id)
{
    const struct payment_input *in = &vu->in.payment;
    const struct value w = v_int(in->customer.w_id);
    const struct value d = v_int(in->customer.d_id);
    const struct value id = v_int(c_id), amount = v_money(in->amount_cents);
    char data[TPCC_C_DATA_MAX];
    const struct value *credit;
    struct rowset rs;
    size_t len;
    enum rc rc;

    READ(STEP_LITERAL_PAYMENT_READ_CUSTOMER, &rs, w, d, id);
    credit = rowset_at(&rs, 0, 10);
    if (credit->len < 1 || credit->s[0] != 'B') {
        EXEC(STEP_LITERAL_PAYMENT_UPDATE_CUSTOMER, NULL, amount, w, d, id);
        return RC_OK;
    }
    READ(STEP_LITERAL_PAYMENT_READ_DATA, &rs, w, d, id);
    len = note_payment(in, c_id, rowset_at(&rs, 0, 0), data);
    EXEC(STEP_LITERAL_PAYMENT_UPDATE_BAD_CUSTOMER, NULL, amount,
         v_textn(data, len), w, d, id);
    return RC_OK;
}

static CORO_FN enum rc payment(struct tpcc_vu *vu, struct conn *c)
{
    const struct payment_input *in = &vu->in.payment;
    const struct value w = v_int(in->w_id), d = v_int(in->d_id);
    const struct value amount = v_money(in->amount_cents);
    char d_name_text[10], data[24];
    struct value d_name;
    size_t len;
    struct rowset rs;
    int64_t c_id;
    enum rc rc;

    rc = conn_begin(c, TXN_WRITE);
    if (rc)
        return rc;
    EXEC(STEP_LITERAL_PAYMENT_UPDATE_DISTRICT, NULL, w, d, amount);
    READ(STEP_LITERAL_PAYMENT_READ_DISTRICT, &rs, w, d);
    d_name = keep_name(rowset_at(&rs, 0, 0), d_name_text);
    rc = payment_find_customer(vu, c, &c_id);
    if (!rc)
        rc = payment_customer(vu, c, c_id);
    if (rc)
        return rc;
    /* As late as possible: every payment of a warehouse meets on this row. */
    EXEC(STEP_LITERAL_PAYMENT_UPDATE_WAREHOUSE, NULL, w, amount);
    READ(STEP_LITERAL_PAYMENT_READ_WAREHOUSE, &rs, w);
    len = history_data(rowset_at(&rs, 0, 0), &d_name, data);
    EXEC(STEP_LITERAL_PAYMENT_INSERT_HISTORY, NULL, v_int(c_id),
         v_int(in->customer.d_id), v_int(in->customer.w_id), d, w,
         v_time(clock_wall_us()), amount, v_textn(data, len));
    return conn_commit(c);
}

/* ---- Order-Status, clause 2.6.2 ---- */

static CORO_FN enum rc order_status_customer(struct tpcc_vu *vu, struct conn *c,
                                             int64_t *c_id)
{
    const struct customer_input *in = &vu->in.order_status.customer;
    const struct value w = v_int(in->w_id), d = v_int(in->d_id);
    struct rowset rs;
    size_t row = 0;
    enum rc rc;

    if (in->last_len) {
        READ(STEP_LITERAL_ORDER_STATUS_CUSTOMERS_BY_NAME, &rs, w, d,
             v_textn(in->last, in->last_len));
        row = middle_row(&rs);
    } else {
        READ(STEP_LITERAL_ORDER_STATUS_CUSTOMER_BY_ID, &rs, w, d,
             v_int(in->c_id));
    }
    *c_id = rowset_at(&rs, row, 0)->i;
    return RC_OK;
}

static CORO_FN enum rc order_status(struct tpcc_vu *vu, struct conn *c)
{
    const struct customer_input *in = &vu->in.order_status.customer;
    const struct value w = v_int(in->w_id), d = v_int(in->d_id);
    struct rowset rs;
    int64_t c_id;
    enum rc rc;

    rc = conn_begin(c, TXN_READ);
    if (!rc)
        rc = order_status_customer(vu, c, &c_id);
    if (rc)
        return rc;
    READ(STEP_LITERAL_ORDER_STATUS_NEWEST_ORDER, &rs, w, d, v_int(c_id));
    READ(STEP_LITERAL_ORDER_STATUS_LINES, &rs, w, d,
         v_int(rowset_at(&rs, 0, 0)->i));
    return conn_commit(c);
}

/* ---- Delivery, clause 2.7.4 ---- */

/* Sets *skipped when the district has nothing to deliver. */
static CORO_FN enum rc deliver_district(struct tpcc_vu *vu, struct conn *c,
                                        int64_t d_id, bool *skipped)
{
    const struct delivery_input *in = &vu->in.delivery;
    const struct value w = v_int(in->w_id), d = v_int(d_id);
    struct value o, cust;
    struct rowset rs;
    enum rc rc;

    EXEC(STEP_LITERAL_DELIVERY_OLDEST, &rs, w, d);
    if (rs.n_rows == 0) {
        *skipped = true;
        return RC_OK;
    }
    o = v_int(rowset_at(&rs, 0, 0)->i);
    EXEC(STEP_LITERAL_DELIVERY_DELETE, &rs, w, d, o);
    /* Somebody delivered it between the two: begin again. */
    if (rs.n_affected == 0)
        return RC_DB_RETRY;
    READ(STEP_LITERAL_DELIVERY_READ_ORDER, &rs, w, d, o);
    cust = v_int(rowset_at(&rs, 0, 0)->i);
    EXEC(STEP_LITERAL_DELIVERY_UPDATE_ORDER, NULL, v_int(in->carrier_id), w, d,
         o);
    EXEC(STEP_LITERAL_DELIVERY_UPDATE_LINES, NULL, v_time(clock_wall_us()), w,
         d, o);
    READ(STEP_LITERAL_DELIVERY_SUM_LINES, &rs, w, d, o);
    EXEC(STEP_LITERAL_DELIVERY_UPDATE_CUSTOMER, NULL,
         v_money(rowset_at(&rs, 0, 0)->i), w, d, cust);
    return RC_OK;
}

static CORO_FN enum rc delivery(struct tpcc_vu *vu, struct conn *c)
{
    uint64_t n_skipped = 0;
    enum rc rc;

    rc = conn_begin(c, TXN_WRITE);
    for (int64_t d = 1; !rc && d <= TPCC_DISTRICTS; d++) {
        bool skipped = false;

        rc = deliver_district(vu, c, d, &skipped);
        n_skipped += skipped;
    }
    if (!rc)
        rc = conn_commit(c);
    if (rc)
        return rc;
    vu->source.tally.skipped_districts += n_skipped;
    vu->source.tally.skipped_deliveries += n_skipped > 0;
    return RC_OK;
}

/* ---- Stock-Level, clause 2.8.2 ---- */

static CORO_FN enum rc stock_level(struct tpcc_vu *vu, struct conn *c)
{
    const struct stock_level_input *in = &vu->in.stock_level;
    const struct value w = v_int(in->w_id), d = v_int(in->d_id);
    struct rowset rs;
    int64_t next;
    enum rc rc;

    rc = conn_begin(c, TXN_READ);
    if (rc)
        return rc;
    READ(STEP_LITERAL_STOCK_LEVEL_READ_DISTRICT, &rs, w, d);
    next = rowset_at(&rs, 0, 0)->i;
    READ(STEP_LITERAL_STOCK_LEVEL_COUNT, &rs, w, d, v_int(next - 20),
         v_int(next), v_int(in->threshold));
    return conn_commit(c);
}

const struct composition literal_composition = {
    .name = "literal",
    .steps = {STEP_LITERAL_NEW_ORDER_READ_WAREHOUSE,
              STEP_LITERAL_STOCK_LEVEL_COUNT + 1},
    .new_order = new_order,
    .payment = payment,
    .order_status = order_status,
    .delivery = delivery,
    .stock_level = stock_level,
};
