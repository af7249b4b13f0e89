/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/audit_int.h"

#include <inttypes.h>

enum {
    ORDER_W_ID,
    ORDER_D_ID,
    ORDER_ID,
    ORDER_C_ID,
    ORDER_ENTRY_D,
    ORDER_CARRIER_ID,
    ORDER_OL_CNT,
    ORDER_ALL_LOCAL,
};
/* A row of order_line. */
enum {
    LINE_W_ID,
    LINE_D_ID,
    LINE_O_ID,
    LINE_NUMBER,
    LINE_ITEM,
    LINE_SUPPLY_W_ID,
    LINE_DELIVERY_D,
    LINE_QUANTITY,
    LINE_AMOUNT,
    LINE_INFO,
};

/* The lines of one order together. */
struct order_lines {
    int64_t n, n_delivered, n_remote, amount_delivered_cents;
    int64_t first_delivery_us, last_delivery_us;
    struct fault fault; /* of the first line that has one */
};

/* The rows about one order; some may be missing. */
struct order {
    struct key key;
    const struct value *order, *fresh; /* fresh: in new_order */
    struct order_lines lines;          /* n 0: none */
};

/* Its customer's sums, NULL when there is no such customer. */
static struct customer_sum *customer_of(struct tpcc_audit *a,
                                        const struct value *order)
{
    const int64_t c_id = order ? order[ORDER_C_ID].i : 0;

    return c_id >= 1 && c_id <= TPCC_CUSTOMERS ? &a->customers[c_id] : NULL;
}

/* What the load makes, clause 4.3.3.1, and a run never changes. */
static void rule_loaded_order(struct tpcc_audit *a, struct fault *f,
                              const struct value *row)
{
    struct customer_sum *customer = customer_of(a, row);
    const int64_t time_us = a->meta->load_time_us;

    rule(f,
         row[ORDER_ID].i >= TPCC_FIRST_NEW ||
             !value_is_null(&row[ORDER_CARRIER_ID]),
         "o_carrier_id is null, must be in 1..10");
    rule_range(f, "o_all_local", &row[ORDER_ALL_LOCAL], 1, 1);
    rule_range(f, "o_entry_d", &row[ORDER_ENTRY_D], time_us, time_us);
    if (!customer)
        return;
    rule(f, !customer->ordered,
         "o_c_id %" PRId64 " has two of the loaded orders", row[ORDER_C_ID].i);
    customer->ordered = true;
}

static void check_order_row(struct tpcc_audit *a, const struct order *o,
                            int64_t before)
{
    const struct value *row = o->order;
    struct fault f = {{0}};

    rule(&f, o->key.id == before + 1, "the order before is %" PRId64, before);
    rule_range(&f, "o_c_id", &row[ORDER_C_ID], 1, TPCC_CUSTOMERS);
    if (!value_is_null(&row[ORDER_CARRIER_ID]))
        rule_range(&f, "o_carrier_id", &row[ORDER_CARRIER_ID], 1, 10);
    rule_range(&f, "o_ol_cnt", &row[ORDER_OL_CNT], TPCC_LINES_MIN,
               TPCC_LINES_MAX);
    rule_range(&f, "o_all_local", &row[ORDER_ALL_LOCAL], 0, 1);
    if (o->key.id <= TPCC_ORDERS)
        rule_loaded_order(a, &f, row);
    expect_row(check_of(a, CHECK_ORDERS), &o->key, &f);
    if (o->key.id <= TPCC_ORDERS)
        check_unchanged(a, SCAN_ORDERS, CHECK_UNCHANGED_ORDERS, &o->key,
                        &(struct made_key){.w_id = o->key.w,
                                           .part = o->key.d - 1,
                                           .id = o->key.id},
                        row);
}

/* ---- lines ---- */

/* OL_AMOUNT of loaded lines, and of a run's: clause 2.4.2.2. */
static void rule_amount(struct tpcc_audit *a, struct fault *f,
                        const struct value *row)
{
    const int64_t o_id = row[LINE_O_ID].i, i_id = row[LINE_ITEM].i;
    int64_t lo = 1, hi = 999999;

    if (o_id < TPCC_FIRST_NEW) {
        lo = hi = 0;
    } else if (o_id > TPCC_ORDERS) {
        lo = 100;
        hi = 100000;
    }
    rule_range(f, "ol_amount", &row[LINE_AMOUNT], lo, hi);
    if (o_id > TPCC_ORDERS && i_id >= 1 && i_id <= TPCC_ITEMS &&
        a->prices_cents[i_id]) {
        const struct key key = {.kind = "order",
                                .w = row[LINE_W_ID].i,
                                .d = row[LINE_D_ID].i,
                                .id = o_id};

        expect_money(check_of(a, CHECK_AMOUNTS), &key, "ol_amount",
                     row[LINE_AMOUNT].i, "ol_quantity times i_price",
                     row[LINE_QUANTITY].i * a->prices_cents[i_id]);
    }
}

static void rule_loaded_line(struct tpcc_audit *a, struct fault *f,
                             const struct value *row)
{
    const int64_t time_us = a->meta->load_time_us, w_id = row[LINE_W_ID].i;

    rule_range(f, "ol_quantity", &row[LINE_QUANTITY], 5, 5);
    rule_range(f, "ol_supply_w_id", &row[LINE_SUPPLY_W_ID], w_id, w_id);
    if (row[LINE_O_ID].i < TPCC_FIRST_NEW)
        rule_range(f, "ol_delivery_d", &row[LINE_DELIVERY_D], time_us, time_us);
}

static void add_delivered(struct order_lines *l, const struct value *row)
{
    const int64_t at_us = row[LINE_DELIVERY_D].i;

    if (value_is_null(&row[LINE_DELIVERY_D]))
        return;
    if (l->n_delivered == 0 || at_us < l->first_delivery_us)
        l->first_delivery_us = at_us;
    if (l->n_delivered == 0 || at_us > l->last_delivery_us)
        l->last_delivery_us = at_us;
    l->n_delivered++;
    l->amount_delivered_cents += row[LINE_AMOUNT].i;
}

static void check_line(struct tpcc_audit *a, struct order_lines *l,
                       const struct value *row)
{
    const struct key key = {.kind = "order",
                            .w = row[LINE_W_ID].i,
                            .d = row[LINE_D_ID].i,
                            .id = row[LINE_O_ID].i};
    const struct made_key made = {.w_id = key.w,
                                  .part = key.d - 1,
                                  .id = key.id,
                                  .number = row[LINE_NUMBER].i};

    l->n++;
    l->n_remote += row[LINE_SUPPLY_W_ID].i != key.w;
    add_delivered(l, row);
    rule_range(&l->fault, "ol_number", &row[LINE_NUMBER], l->n, l->n);
    rule_range(&l->fault, "ol_i_id", &row[LINE_ITEM], 1, TPCC_ITEMS);
    rule_range(&l->fault, "ol_quantity", &row[LINE_QUANTITY], 1, 10);
    rule_range(&l->fault, "ol_supply_w_id", &row[LINE_SUPPLY_W_ID], 1,
               (int64_t)a->meta->warehouses);
    rule_length(&l->fault, "ol_dist_info", &row[LINE_INFO], 24, 24);
    rule_amount(a, &l->fault, row);
    if (key.id > TPCC_ORDERS)
        return;
    rule_loaded_line(a, &l->fault, row);
    check_unchanged(a, SCAN_ORDER_LINE, CHECK_UNCHANGED_ORDER_LINE, &key, &made,
                    row);
}

/* Reads all lines of the order. */
static CORO_FN void gather_lines(struct tpcc_audit *a, const int64_t key[3],
                                 struct order_lines *out)
{
    const struct value *row;

    *out = (struct order_lines){0};
    while ((row = cursor_at(a, SCAN_ORDER_LINE, 3, key)) != NULL) {
        check_line(a, out, row);
        cursor_next(a, SCAN_ORDER_LINE);
    }
}

static void check_lines(struct tpcc_audit *a, struct order *o)
{
    struct order_lines *l = &o->lines;

    rule(&l->fault, l->n >= TPCC_LINES_MIN && l->n <= TPCC_LINES_MAX,
         "%" PRId64 " lines, must be in 5..15", l->n);
    if (o->key.id <= TPCC_ORDERS) {
        a->lines.n++;
        a->lines.k += (uint64_t)l->n;
    }
    expect_row(check_of(a, CHECK_ORDER_LINE), &o->key, &l->fault);
    if (l->n_delivered > 0 && o->key.id >= TPCC_FIRST_NEW) {
        struct fault f = {{0}};

        rule(&f, l->first_delivery_us == l->last_delivery_us,
             "its lines have different ol_delivery_d");
        rule(&f, l->first_delivery_us > a->meta->load_time_us,
             "ol_delivery_d is not after the load");
        expect_row(check_of(a, CHECK_DELIVERY_DATES), &o->key, &f);
    }
}

static void check_conditions(struct tpcc_audit *a, const struct order *o)
{
    const bool carried =
        o->order && !value_is_null(&o->order[ORDER_CARRIER_ID]);
    const int64_t n = o->lines.n;
    struct fault f5 = {{0}}, f7 = {{0}};

    rule(&f5, o->order, "in new_order, but there is no such order");
    if (carried)
        rule(&f5, !o->fresh, "o_carrier_id %" PRId64 ", but in new_order",
             o->order[ORDER_CARRIER_ID].i);
    else
        rule(&f5, o->fresh, "o_carrier_id null, but not in new_order");
    if (o->order || o->fresh)
        expect_row(check_of(a, CHECK_CONDITION_5), &o->key, &f5);

    if (o->order || n > 0)
        expect_count(check_of(a, CHECK_CONDITION_6), &o->key, "o_ol_cnt",
                     o->order ? o->order[ORDER_OL_CNT].i : 0, "lines", n);
    if (n == 0)
        return;
    rule(&f7, o->order, "%" PRId64 " lines, but there is no such order", n);
    rule(&f7, o->lines.n_delivered == (carried ? n : 0),
         "o_carrier_id is %s, %" PRId64 " of %" PRId64
         " lines have an ol_delivery_d",
         carried ? "set" : "null", o->lines.n_delivered, n);
    expect_row(check_of(a, CHECK_CONDITION_7), &o->key, &f7);
    if (o->order)
        expect_count(check_of(a, CHECK_ALL_LOCAL), &o->key, "o_all_local",
                     o->order[ORDER_ALL_LOCAL].i, "from its lines",
                     o->lines.n_remote == 0);
}

static void check_initial(struct tpcc_audit *a, const struct order *o)
{
    const bool fresh = o->key.id >= TPCC_FIRST_NEW;
    struct fault f = {{0}};

    if (!o->order)
        return;
    rule(&f, o->key.id <= TPCC_ORDERS, "o_id above %d", TPCC_ORDERS);
    rule(&f, value_is_null(&o->order[ORDER_CARRIER_ID]) == fresh,
         "o_carrier_id is %s", fresh ? "set, must be null" : "null");
    expect_row(check_of(a, CHECK_INITIAL_ORDERS), &o->key, &f);
}

static void add_to_sums(struct tpcc_audit *a, const struct order *o,
                        struct district_sum *sum)
{
    struct customer_sum *customer = customer_of(a, o->order);

    if (o->order) {
        const bool carried = !value_is_null(&o->order[ORDER_CARRIER_ID]);

        sum->n_orders++;
        sum->n_carried += carried;
        sum->n_loaded += o->key.id >= 1 && o->key.id <= TPCC_ORDERS;
        sum->max_o_id = o->key.id;
        sum->lines_said += o->order[ORDER_OL_CNT].i;
        if (customer && carried && o->key.id >= TPCC_FIRST_NEW)
            customer->n_delivered++;
    }
    sum->n_lines += o->lines.n;
    if (customer)
        customer->delivered_cents += o->lines.amount_delivered_cents;
    if (o->fresh) {
        if (sum->n_new++ == 0)
            sum->min_new = o->key.id;
        sum->max_new = o->key.id;
    }
}

static void check_order(struct tpcc_audit *a, struct order *o,
                        struct district_sum *sum)
{
    if (o->order)
        check_order_row(a, o, sum->max_o_id);
    if (o->lines.n > 0)
        check_lines(a, o);
    if (o->fresh) {
        struct fault f = {{0}};

        rule(&f, o->key.id >= TPCC_FIRST_NEW,
             "no_o_id below %d, which was loaded as delivered", TPCC_FIRST_NEW);
        expect_row(check_of(a, CHECK_NEW_ORDER), &o->key, &f);
    }
    check_conditions(a, o);
    check_initial(a, o);
    add_to_sums(a, o, sum);
}

CORO_FN void audit_orders(struct tpcc_audit *a, int64_t w_id, int64_t d_id,
                          struct district_sum *out)
{
    *out = (struct district_sum){0};
    for (;;) {
        int64_t key[3] = {0};
        struct order o;
        bool any = false;

        cursor_lower(a, SCAN_ORDERS, 3, key, &any);
        cursor_lower(a, SCAN_NEW_ORDER, 3, key, &any);
        cursor_lower(a, SCAN_ORDER_LINE, 3, key, &any);
        if (!any || key[0] != w_id || key[1] != d_id || a->rc)
            return;
        o = (struct order){
            .key = {.kind = "order", .w = w_id, .d = d_id, .id = key[2]},
            .order = cursor_at(a, SCAN_ORDERS, 3, key),
            .fresh = cursor_at(a, SCAN_NEW_ORDER, 3, key),
        };
        gather_lines(a, key, &o.lines);
        check_order(a, &o, out);
        if (o.order)
            cursor_next(a, SCAN_ORDERS);
        if (o.fresh)
            cursor_next(a, SCAN_NEW_ORDER);
    }
}
