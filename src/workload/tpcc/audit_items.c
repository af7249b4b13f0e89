/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/audit_int.h"

enum { ITEM_ID, ITEM_IM_ID, ITEM_NAME, ITEM_PRICE, ITEM_DATA, ITEM_ORIGINAL };

CORO_FN void audit_items(struct tpcc_audit *a)
{
    const struct cursor *c = &a->cursors[SCAN_ITEM];
    int64_t n = 0;

    cursor_open(a, SCAN_ITEM, NULL, 0);
    for (; c->row; cursor_next(a, SCAN_ITEM)) {
        const struct value *row = c->row;
        const struct key key = {.kind = "item", .id = row[ITEM_ID].i};
        struct fault f = {{0}};

        rule_range(&f, "i_id", &row[ITEM_ID], 1, TPCC_ITEMS);
        rule_range(&f, "i_im_id", &row[ITEM_IM_ID], 1, 10000);
        rule_range(&f, "length of i_name", &row[ITEM_NAME], 14, 24);
        rule_range(&f, "i_price", &row[ITEM_PRICE], 100, 10000);
        rule_range(&f, "length of i_data", &row[ITEM_DATA], 26, 50);
        expect_row(check_of(a, CHECK_ITEM), &key, &f);
        a->item_original.k += row[ITEM_ORIGINAL].i != 0;
        n++;
    }
    a->item_original.n = (uint64_t)n;
    expect_count(check_of(a, CHECK_ITEM), &(struct key){0}, "items", n,
                 "expected", TPCC_ITEMS);
    expect_share(check_of(a, CHECK_ITEM_ORIGINAL), "ORIGINAL items",
                 &a->item_original, 1, 10);
}

enum {
    STOCK_W_ID,
    STOCK_I_ID,
    STOCK_QUANTITY,
    STOCK_DIST_MIN,
    STOCK_DIST_MAX,
    STOCK_YTD,
    STOCK_ORDER_CNT,
    STOCK_REMOTE_CNT,
    STOCK_DATA,
    STOCK_ORIGINAL,
};

static void check_stock_row(struct tpcc_audit *a, const struct value *row)
{
    const struct key key = {
        .kind = "item",
        .w = row[STOCK_W_ID].i,
        .id = row[STOCK_I_ID].i,
    };
    const int64_t warehouses = (int64_t)a->meta->warehouses;
    struct fault f = {{0}}, initial = {{0}};

    rule_range(&f, "s_w_id", &row[STOCK_W_ID], 1, warehouses);
    rule_range(&f, "s_i_id", &row[STOCK_I_ID], 1, TPCC_ITEMS);
    rule_range(&f, "s_quantity", &row[STOCK_QUANTITY], 10, 100);
    rule_range(&f, "shortest s_dist", &row[STOCK_DIST_MIN], 24, 24);
    rule_range(&f, "longest s_dist", &row[STOCK_DIST_MAX], 24, 24);
    rule_range(&f, "length of s_data", &row[STOCK_DATA], 26, 50);
    expect_row(check_of(a, CHECK_STOCK), &key, &f);
    rule_range(&initial, "s_ytd", &row[STOCK_YTD], 0, 0);
    rule_range(&initial, "s_order_cnt", &row[STOCK_ORDER_CNT], 0, 0);
    rule_range(&initial, "s_remote_cnt", &row[STOCK_REMOTE_CNT], 0, 0);
    expect_row(check_of(a, CHECK_INITIAL_STOCK), &key, &initial);
}

/* Of the stock of one warehouse. */
struct stock_sum {
    int64_t n, ytd, order_cnt, remote_cnt;
};

enum { SUPPLY_W_ID, SUPPLY_N, SUPPLY_QUANTITY, SUPPLY_N_REMOTE };

static void check_supply(struct tpcc_audit *a, int64_t w_id,
                         const struct stock_sum *sum, const struct value *lines)
{
    static const struct value none[4]; /* no line */
    struct audit_check *check = check_of(a, CHECK_SUPPLY);
    const struct key key = {.w = w_id};

    if (!lines)
        lines = none;
    expect_count(check, &key, "sum of s_order_cnt", sum->order_cnt,
                 "lines supplied", lines[SUPPLY_N].i);
    expect_count(check, &key, "sum of s_ytd", sum->ytd,
                 "sum of ol_quantity supplied", lines[SUPPLY_QUANTITY].i);
    expect_count(check, &key, "sum of s_remote_cnt", sum->remote_cnt,
                 "remote lines supplied", lines[SUPPLY_N_REMOTE].i);
}

/* Reads the stock of warehouse w_id, which may have none. */
static CORO_FN struct stock_sum sum_stock(struct tpcc_audit *a, int64_t w_id)
{
    struct stock_sum sum = {0};
    const struct value *row;

    while ((row = cursor_at(a, SCAN_STOCK, 1, &w_id)) != NULL) {
        check_stock_row(a, row);
        sum.n++;
        sum.ytd += row[STOCK_YTD].i;
        sum.order_cnt += row[STOCK_ORDER_CNT].i;
        sum.remote_cnt += row[STOCK_REMOTE_CNT].i;
        a->stock_original.k += row[STOCK_ORIGINAL].i != 0;
        cursor_next(a, SCAN_STOCK);
    }
    a->stock_original.n += (uint64_t)sum.n;
    return sum;
}

static int64_t within(int64_t lo, int64_t hi, int64_t max)
{
    return (hi < max ? hi : max) - (lo > 1 ? lo : 1) + 1;
}

CORO_FN void audit_stock(struct tpcc_audit *a, int64_t w_lo, int64_t w_hi,
                         int64_t i_lo, int64_t i_hi)
{
    const struct value args[] = {v_int(w_lo), v_int(w_hi), v_int(i_lo),
                                 v_int(i_hi)};
    const int64_t n_items = within(i_lo, i_hi, TPCC_ITEMS);
    int64_t n_warehouses = 0;

    cursor_open(a, SCAN_STOCK, args, ARRAY_LEN(args));
    cursor_open(a, SCAN_SUPPLY, NULL, 0);
    for (;;) {
        int64_t w_id = 0;
        struct stock_sum sum;
        bool any = false;

        cursor_lower(a, SCAN_STOCK, 1, &w_id, &any);
        cursor_lower(a, SCAN_SUPPLY, 1, &w_id, &any);
        if (!any || a->rc)
            break;
        sum = sum_stock(a, w_id);
        expect_count(check_of(a, CHECK_STOCK), &(struct key){.w = w_id},
                     "rows of stock", sum.n, "expected", n_items);
        check_supply(a, w_id, &sum, cursor_at(a, SCAN_SUPPLY, 1, &w_id));
        if (cursor_at(a, SCAN_SUPPLY, 1, &w_id))
            cursor_next(a, SCAN_SUPPLY);
        n_warehouses += sum.n > 0;
    }
    cursor_close(a, SCAN_STOCK);
    cursor_close(a, SCAN_SUPPLY);
    expect_count(check_of(a, CHECK_STOCK), &(struct key){0},
                 "warehouses with stock", n_warehouses, "expected",
                 within(w_lo, w_hi, (int64_t)a->meta->warehouses));
}
