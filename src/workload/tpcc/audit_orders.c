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
enum {
    LINE_W_ID,
    LINE_D_ID,
    LINE_O_ID,
    LINE_N,
    LINE_N_DELIVERED,
    LINE_N_REMOTE,
    LINE_NUMBER_MIN,
    LINE_NUMBER_MAX,
    LINE_ITEM_MIN,
    LINE_ITEM_MAX,
    LINE_QUANTITY_MIN,
    LINE_QUANTITY_MAX,
    LINE_AMOUNT_MIN,
    LINE_AMOUNT_MAX,
    LINE_AMOUNT_DELIVERED,
    LINE_DELIVERY_MIN,
    LINE_DELIVERY_MAX,
    LINE_INFO_MIN,
    LINE_INFO_MAX,
};

/* The rows about one order; some may be missing. */
struct order {
    struct key key;
    const struct value *order, *fresh, *lines; /* fresh: in new_order */
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
}

/* OL_AMOUNT of loaded lines, and of a run's: 10 pieces of 100.00 at most. */
static void rule_amount(struct fault *f, const struct value *row)
{
    const int64_t o_id = row[LINE_O_ID].i;
    int64_t lo = 100, hi = 100000;

    if (o_id < TPCC_FIRST_NEW)
        lo = hi = 0;
    else if (o_id <= TPCC_ORDERS)
        lo = 1, hi = 999999;
    rule_range(f, "smallest ol_amount", &row[LINE_AMOUNT_MIN], lo, hi);
    rule_range(f, "largest ol_amount", &row[LINE_AMOUNT_MAX], lo, hi);
}

static void rule_loaded_lines(struct tpcc_audit *a, struct fault *f,
                              const struct value *row)
{
    const int64_t time_us = a->meta->load_time_us;

    rule_range(f, "smallest ol_quantity", &row[LINE_QUANTITY_MIN], 5, 5);
    rule_range(f, "largest ol_quantity", &row[LINE_QUANTITY_MAX], 5, 5);
    rule_range(f, "remote lines", &row[LINE_N_REMOTE], 0, 0);
    if (row[LINE_O_ID].i >= TPCC_FIRST_NEW)
        return;
    rule_range(f, "first ol_delivery_d", &row[LINE_DELIVERY_MIN], time_us,
               time_us);
    rule_range(f, "last ol_delivery_d", &row[LINE_DELIVERY_MAX], time_us,
               time_us);
}

static void check_lines(struct tpcc_audit *a, const struct order *o)
{
    const struct value *row = o->lines;
    const int64_t n = row[LINE_N].i;
    struct fault f = {{0}};

    rule_range(&f, "lines", &row[LINE_N], TPCC_LINES_MIN, TPCC_LINES_MAX);
    rule_range(&f, "first ol_number", &row[LINE_NUMBER_MIN], 1, 1);
    rule_range(&f, "last ol_number", &row[LINE_NUMBER_MAX], n, n);
    rule_range(&f, "smallest ol_i_id", &row[LINE_ITEM_MIN], 1, TPCC_ITEMS);
    rule_range(&f, "largest ol_i_id", &row[LINE_ITEM_MAX], 1, TPCC_ITEMS);
    rule_range(&f, "smallest ol_quantity", &row[LINE_QUANTITY_MIN], 1, 10);
    rule_range(&f, "largest ol_quantity", &row[LINE_QUANTITY_MAX], 1, 10);
    rule_range(&f, "shortest ol_dist_info", &row[LINE_INFO_MIN], 24, 24);
    rule_range(&f, "longest ol_dist_info", &row[LINE_INFO_MAX], 24, 24);
    rule_amount(&f, row);
    if (o->key.id <= TPCC_ORDERS) {
        rule_loaded_lines(a, &f, row);
        a->lines.n++;
        a->lines.k += (uint64_t)n;
    }
    expect_row(check_of(a, CHECK_ORDER_LINE), &o->key, &f);
}

static void check_conditions(struct tpcc_audit *a, const struct order *o)
{
    const bool carried =
        o->order && !value_is_null(&o->order[ORDER_CARRIER_ID]);
    const int64_t n = o->lines ? o->lines[LINE_N].i : 0;
    struct fault f5 = {{0}}, f7 = {{0}};

    rule(&f5, o->order, "in new_order, but there is no such order");
    if (carried)
        rule(&f5, !o->fresh, "o_carrier_id %" PRId64 ", but in new_order",
             o->order[ORDER_CARRIER_ID].i);
    else
        rule(&f5, o->fresh, "o_carrier_id null, but not in new_order");
    if (o->order || o->fresh)
        expect_row(check_of(a, CHECK_CONDITION_5), &o->key, &f5);

    if (o->order || o->lines)
        expect_count(check_of(a, CHECK_CONDITION_6), &o->key, "o_ol_cnt",
                     o->order ? o->order[ORDER_OL_CNT].i : 0, "lines", n);
    if (!o->lines)
        return;
    rule(&f7, o->order, "%" PRId64 " lines, but there is no such order", n);
    rule(&f7, o->lines[LINE_N_DELIVERED].i == (carried ? n : 0),
         "o_carrier_id is %s, %" PRId64 " of %" PRId64
         " lines have an ol_delivery_d",
         carried ? "set" : "null", o->lines[LINE_N_DELIVERED].i, n);
    expect_row(check_of(a, CHECK_CONDITION_7), &o->key, &f7);
    if (o->order)
        expect_count(check_of(a, CHECK_ALL_LOCAL), &o->key, "o_all_local",
                     o->order[ORDER_ALL_LOCAL].i, "from its lines",
                     o->lines[LINE_N_REMOTE].i == 0);
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
    if (o->lines) {
        sum->n_lines += o->lines[LINE_N].i;
        if (customer)
            customer->delivered_cents += o->lines[LINE_AMOUNT_DELIVERED].i;
    }
    if (o->fresh) {
        if (sum->n_new++ == 0)
            sum->min_new = o->key.id;
        sum->max_new = o->key.id;
    }
}

static void check_order(struct tpcc_audit *a, const struct order *o,
                        struct district_sum *sum)
{
    if (o->order)
        check_order_row(a, o, sum->max_o_id);
    if (o->lines)
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
            .lines = cursor_at(a, SCAN_ORDER_LINE, 3, key),
        };
        check_order(a, &o, out);
        if (o.order)
            cursor_next(a, SCAN_ORDERS);
        if (o.fresh)
            cursor_next(a, SCAN_NEW_ORDER);
        if (o.lines)
            cursor_next(a, SCAN_ORDER_LINE);
    }
}
