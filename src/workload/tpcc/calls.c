/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/calls.h"

#include "base/clock.h"

/* The number of a step of the user's composition. */
#define STEP(vu, call) ((vu)->first_step + (size_t)(call))

/* What has become of a statement that commits by itself. */
static enum rc written(const struct conn *c, enum rc rc)
{
    return UNLIKELY(rc) && c->gone ? RC_DB_UNKNOWN : rc;
}

enum rc call_new_order(struct tpcc_vu *vu, struct conn *c, struct rowset *out)
{
    const struct new_order_input *in = &vu->in.new_order;
    const size_t n = (size_t)in->n_lines;
    int64_t items[TPCC_LINES_MAX];
    int64_t supplies[TPCC_LINES_MAX];
    int64_t quantities[TPCC_LINES_MAX];

    /* As drawn: their numbers are their places, and the server sorts. */
    for (size_t i = 0; i < n; i++) {
        items[i] = in->lines[i].i_id;
        supplies[i] = in->lines[i].supply_w_id;
        quantities[i] = in->lines[i].quantity;
    }
    return written(c, VU_EXEC(c, STEP(vu, CALL_NEW_ORDER), out, v_int(in->w_id),
                              v_int(in->d_id), v_int(in->c_id),
                              v_time(clock_wall_us()), v_int(in->all_local),
                              v_ints(items, n), v_ints(supplies, n),
                              v_ints(quantities, n)));
}

enum rc call_payment(struct tpcc_vu *vu, struct conn *c)
{
    const struct payment_input *in = &vu->in.payment;
    const struct customer_input *cu = &in->customer;
    const bool by_name = cu->last_len > 0;
    struct rowset rs;
    enum rc rc;

    rc = VU_EXEC(c,
                 STEP(vu, by_name ? CALL_PAYMENT_BY_NAME : CALL_PAYMENT_BY_ID),
                 &rs, v_int(in->w_id), v_int(in->d_id),
                 v_money(in->amount_cents), v_int(cu->w_id), v_int(cu->d_id),
                 by_name ? v_textn(cu->last, cu->last_len) : v_int(cu->c_id),
                 v_time(clock_wall_us()));
    if (rc)
        return written(c, rc);
    return rs.n_rows == 1 ? RC_OK : RC_INVALID;
}

enum rc call_order_status(struct tpcc_vu *vu, struct conn *c)
{
    const struct customer_input *cu = &vu->in.order_status.customer;
    const bool by_name = cu->last_len > 0;
    struct rowset rs;
    enum rc rc;

    READ(
        STEP(vu, by_name ? CALL_ORDER_STATUS_BY_NAME : CALL_ORDER_STATUS_BY_ID),
        &rs, v_int(cu->w_id), v_int(cu->d_id),
        by_name ? v_textn(cu->last, cu->last_len) : v_int(cu->c_id));
    return RC_OK;
}

enum rc call_delivery(struct tpcc_vu *vu, struct conn *c)
{
    const struct delivery_input *in = &vu->in.delivery;
    struct input_tally *tally = &vu->source.tally;
    struct rowset rs;
    int64_t n_skipped;
    enum rc rc;

    rc = VU_EXEC(c, STEP(vu, CALL_DELIVERY), &rs, v_int(in->w_id),
                 v_int(in->carrier_id), v_time(clock_wall_us()));
    if (rc)
        return written(c, rc);
    if (rs.n_rows != 1)
        return RC_INVALID;
    n_skipped = TPCC_DISTRICTS - rowset_at(&rs, 0, 0)->i;
    if (n_skipped < 0 || n_skipped > TPCC_DISTRICTS)
        return RC_INVALID;
    tally->skipped_districts += (uint64_t)n_skipped;
    tally->skipped_deliveries += n_skipped > 0;
    return RC_OK;
}

enum rc call_stock_level(struct tpcc_vu *vu, struct conn *c)
{
    const struct stock_level_input *in = &vu->in.stock_level;
    struct rowset rs;
    enum rc rc;

    READ(STEP(vu, CALL_STOCK_LEVEL), &rs, v_int(in->w_id), v_int(in->d_id),
         v_int(in->threshold));
    return RC_OK;
}
