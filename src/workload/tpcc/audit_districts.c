/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/audit_int.h"

#include <inttypes.h>
#include <stdio.h>

enum { DIST_NEXT_O_ID = 10 };

/* The scans that are merged district by district. */
static const enum audit_scan merged[] = {
    SCAN_DISTRICT,  SCAN_CUSTOMER,   SCAN_ORDERS,
    SCAN_NEW_ORDER, SCAN_ORDER_LINE, SCAN_HISTORY,
};

static void check_last_order(struct tpcc_audit *a, const struct key *key,
                             const struct district_sum *sum,
                             const struct value *district)
{
    struct audit_check *check = check_of(a, CHECK_CONDITION_2);
    const int64_t last = district ? district[DIST_NEXT_O_ID].i - 1 : 0;

    expect_count(check, key, "d_next_o_id - 1", last, "max(o_id)",
                 sum->max_o_id);
    if (sum->n_new > 0)
        expect_count(check, key, "d_next_o_id - 1", last, "max(no_o_id)",
                     sum->max_new);
}

static void check_initial(struct tpcc_audit *a, const struct key *key,
                          const struct district_sum *sum)
{
    const int64_t n_new = TPCC_ORDERS - TPCC_FIRST_NEW + 1;
    struct audit_check *fresh = check_of(a, CHECK_INITIAL_NEW_ORDER);

    expect_count(check_of(a, CHECK_INITIAL_ORDERS), key, "orders",
                 sum->n_orders, "expected", TPCC_ORDERS);
    expect_count(fresh, key, "new orders", sum->n_new, "expected", n_new);
    expect_count(fresh, key, "min(no_o_id)", sum->min_new, "expected",
                 TPCC_FIRST_NEW);
    expect_count(fresh, key, "max(no_o_id)", sum->max_new, "expected",
                 TPCC_ORDERS);
    if (a->meta->runs == 0)
        expect_count(check_of(a, CHECK_CONDITION_11), key,
                     "orders - new orders", sum->n_orders - sum->n_new,
                     "expected after the load", TPCC_FIRST_NEW - 1);
}

static void check_district(struct tpcc_audit *a, const struct key *key,
                           const struct district_sum *sum)
{
    expect_count(check_of(a, CHECK_ORDERS), key, "loaded orders", sum->n_loaded,
                 "expected", TPCC_ORDERS);
    if (sum->n_new > 0)
        expect_count(check_of(a, CHECK_CONDITION_3), key,
                     "max(no_o_id) - min(no_o_id) + 1",
                     sum->max_new - sum->min_new + 1, "new orders", sum->n_new);
    expect_count(check_of(a, CHECK_CONDITION_4), key, "sum of o_ol_cnt",
                 sum->lines_said, "order lines", sum->n_lines);
    expect_count(check_of(a, CHECK_CONDITION_11), key, "orders - new orders",
                 sum->n_orders - sum->n_new, "delivered orders",
                 sum->n_carried);
    check_initial(a, key, sum);
}

/*
 * A Delivery takes the oldest order of each district that has one.  A district
 * that has been delivered fewer than the loaded new orders never had none, so
 * each Delivery took one of it, and as many of each other district.
 */
static void check_deliveries(struct tpcc_audit *a)
{
    const int64_t never_empty = TPCC_ORDERS - TPCC_FIRST_NEW + 1;
    struct audit_check *check = check_of(a, CHECK_DELIVERY_DISTRICTS);
    size_t least = 1;

    if (a->delivered.n_districts != TPCC_DISTRICTS)
        return;
    for (size_t d = 2; d <= TPCC_DISTRICTS; d++) {
        if (a->delivered.n[d] < a->delivered.n[least])
            least = d;
    }
    if (a->delivered.n[least] >= never_empty)
        return;
    for (size_t d = 1; d <= TPCC_DISTRICTS; d++) {
        const struct key key = {.w = a->delivered.w_id, .d = (int64_t)d};
        char want[64];

        snprintf(want, sizeof(want), "of district %zu", least);
        expect_count(check, &key, "orders delivered since the load",
                     a->delivered.n[d], want, a->delivered.n[least]);
    }
}

static void add_deliveries(struct tpcc_audit *a, const struct key *key,
                           const struct district_sum *sum)
{
    if (key->w != a->delivered.w_id) {
        a->delivered.w_id = key->w;
        a->delivered.n_districts = 0;
    }
    if (key->d < 1 || key->d > TPCC_DISTRICTS)
        return;
    a->delivered.n[key->d] = sum->n_carried - (TPCC_FIRST_NEW - 1);
    if (++a->delivered.n_districts == TPCC_DISTRICTS)
        check_deliveries(a);
}

/* Orders before customers: their sums make the balances. */
static CORO_FN void audit_district(struct tpcc_audit *a, const int64_t at[2])
{
    const struct key key = {.w = at[0], .d = at[1]};
    struct district_sum sum;

    memset(a->customers, 0, sizeof(a->customers));
    audit_orders(a, at[0], at[1], &sum);
    if (a->rc)
        return;
    check_district(a, &key, &sum);
    add_deliveries(a, &key, &sum);
    check_last_order(a, &key, &sum, cursor_at(a, SCAN_DISTRICT, 2, at));
    audit_customers(a, at[0], at[1]);
    if (cursor_at(a, SCAN_DISTRICT, 2, at))
        cursor_next(a, SCAN_DISTRICT);
}

CORO_FN void audit_districts(struct tpcc_audit *a, const struct range *range)
{
    const struct value args[] = {v_int(range->w_lo), v_int(range->w_hi),
                                 v_int(range->d_lo), v_int(range->d_hi)};

    for (size_t i = 0; i < ARRAY_LEN(merged); i++) {
        const bool all = merged[i] == SCAN_HISTORY; /* no index to use */

        cursor_open(a, merged[i], args, all ? 0 : ARRAY_LEN(args));
    }
    for (;;) {
        int64_t at[2] = {0};
        bool any = false;

        for (size_t i = 0; i < ARRAY_LEN(merged); i++)
            cursor_lower(a, merged[i], 2, at, &any);
        if (!any || a->rc)
            break;
        audit_district(a, at);
    }
    for (size_t i = 0; i < ARRAY_LEN(merged); i++)
        cursor_close(a, merged[i]);
}
