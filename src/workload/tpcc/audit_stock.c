/* SPDX-License-Identifier: MIT */
/*
 * Stock, beside the order lines of runs that it supplied: its counters, its
 * quantity, and the district's text on the lines.
 */
#include "workload/tpcc/audit_int.h"

#include <inttypes.h>

enum {
    STOCK_W_ID,
    STOCK_I_ID,
    STOCK_QUANTITY,
    STOCK_DIST_01,
    STOCK_YTD = STOCK_DIST_01 + TPCC_DISTRICTS,
    STOCK_ORDER_CNT,
    STOCK_REMOTE_CNT,
    STOCK_DATA,
};
enum {
    SUPPLY_W_ID,
    SUPPLY_I_ID,
    SUPPLY_OL_W_ID,
    SUPPLY_OL_D_ID,
    SUPPLY_OL_O_ID,
    SUPPLY_OL_NUMBER,
    SUPPLY_QUANTITY,
    SUPPLY_DIST_INFO,
};
/* As the load makes it, tables.c. */
enum { MADE_QUANTITY = 2 };

static const char *const dist_names[TPCC_DISTRICTS] = {
    "s_dist_01", "s_dist_02", "s_dist_03", "s_dist_04", "s_dist_05",
    "s_dist_06", "s_dist_07", "s_dist_08", "s_dist_09", "s_dist_10",
};

static void check_stock_row(struct tpcc_audit *a, const struct key *key,
                            const struct value *row)
{
    const int64_t warehouses = (int64_t)a->meta->warehouses;
    struct fault f = {{0}}, initial = {{0}};

    rule_range(&f, "s_w_id", &row[STOCK_W_ID], 1, warehouses);
    rule_range(&f, "s_i_id", &row[STOCK_I_ID], 1, TPCC_ITEMS);
    rule_range(&f, "s_quantity", &row[STOCK_QUANTITY], 10, 100);
    for (size_t d = 0; d < TPCC_DISTRICTS; d++)
        rule_length(&f, dist_names[d], &row[STOCK_DIST_01 + d], 24, 24);
    rule_length(&f, "s_data", &row[STOCK_DATA], 26, 50);
    expect_row(check_of(a, CHECK_STOCK), key, &f);
    rule_range(&initial, "s_ytd", &row[STOCK_YTD], 0, 0);
    rule_range(&initial, "s_order_cnt", &row[STOCK_ORDER_CNT], 0, 0);
    rule_range(&initial, "s_remote_cnt", &row[STOCK_REMOTE_CNT], 0, 0);
    expect_row(check_of(a, CHECK_INITIAL_STOCK), key, &initial);
    a->stock_original.k += is_original(&row[STOCK_DATA]);
    a->stock_original.n++;
}

/* Of the lines that one row of stock supplied. */
struct supply {
    int64_t n, quantity, n_remote;
};

/* OL_DIST_INFO is the stock's text for the district of the order, clause
 * 2.4.2.2. */
static void check_dist_info(struct tpcc_audit *a, const struct value *stock,
                            const struct value *line)
{
    const int64_t d_id = line[SUPPLY_OL_D_ID].i;
    const struct key key = {.kind = "order",
                            .w = line[SUPPLY_OL_W_ID].i,
                            .d = d_id,
                            .id = line[SUPPLY_OL_O_ID].i};
    const struct value *info = &line[SUPPLY_DIST_INFO];
    const struct value *text;
    struct fault f = {{0}};

    if (d_id < 1 || d_id > TPCC_DISTRICTS)
        return;
    text = &stock[STOCK_DIST_01 + d_id - 1];
    rule(&f,
         info->type == VALUE_TEXT && text->type == VALUE_TEXT &&
             info->len == text->len && !memcmp(info->s, text->s, text->len),
         "line %" PRId64 ": ol_dist_info '%.*s', stock has '%.*s'",
         line[SUPPLY_OL_NUMBER].i,
         info->type == VALUE_TEXT ? (int)info->len : 0, info->s,
         text->type == VALUE_TEXT ? (int)text->len : 0, text->s);
    expect_row(check_of(a, CHECK_DIST_INFO), &key, &f);
}

static CORO_FN struct supply
sum_supply(struct tpcc_audit *a, const int64_t at[2], const struct value *stock)
{
    struct supply sum = {0};
    const struct value *line;

    while ((line = cursor_at(a, SCAN_SUPPLY, 2, at)) != NULL) {
        const bool remote = line[SUPPLY_OL_W_ID].i != at[0];

        sum.n++;
        sum.quantity += line[SUPPLY_QUANTITY].i;
        sum.n_remote += remote;
        if (stock)
            check_dist_info(a, stock, line);
        cursor_next(a, SCAN_SUPPLY);
    }
    a->remote_lines.n += (uint64_t)sum.n;
    a->remote_lines.k += (uint64_t)sum.n_remote;
    return sum;
}

/* Clause 2.4.2.2: what is taken off comes round at 10, by 91. */
static int64_t quantity_after(int64_t loaded, int64_t taken)
{
    const int64_t left = (loaded - 10 - taken) % 91;

    return 10 + (left < 0 ? left + 91 : left);
}

static void check_supply(struct tpcc_audit *a, const struct key *key,
                         const struct value *row, const struct supply *sum)
{
    struct audit_check *check = check_of(a, CHECK_SUPPLY);

    expect_count(check, key, "s_order_cnt", row ? row[STOCK_ORDER_CNT].i : 0,
                 "lines supplied", sum->n);
    expect_count(check, key, "s_ytd", row ? row[STOCK_YTD].i : 0,
                 "sum of ol_quantity supplied", sum->quantity);
    expect_count(check, key, "s_remote_cnt", row ? row[STOCK_REMOTE_CNT].i : 0,
                 "remote lines supplied", sum->n_remote);
}

static CORO_FN void audit_stock_row(struct tpcc_audit *a, const int64_t at[2])
{
    const struct value *row = cursor_at(a, SCAN_STOCK, 2, at);
    const struct key key = {.kind = "item", .w = at[0], .id = at[1]};
    const struct made_key made_key = {
        .w_id = at[0], .part = (at[1] - 1) / GEN_PART_ITEMS, .id = at[1]};
    const struct supply sum = sum_supply(a, at, row);
    const struct value *made;

    check_supply(a, &key, row, &sum);
    if (!row)
        return;
    check_stock_row(a, &key, row);
    made = check_unchanged(a, SCAN_STOCK, CHECK_UNCHANGED_STOCK, &key,
                           &made_key, row);
    if (made)
        expect_count(check_of(a, CHECK_STOCK_QUANTITY), &key, "s_quantity",
                     row[STOCK_QUANTITY].i, "after what was supplied",
                     quantity_after(made[MADE_QUANTITY].i, sum.quantity));
    cursor_next(a, SCAN_STOCK);
}

static int64_t within(int64_t lo, int64_t hi, int64_t max)
{
    return (hi < max ? hi : max) - (lo > 1 ? lo : 1) + 1;
}

/* Rows of one warehouse, counted when it ends. */
static void check_number(struct tpcc_audit *a, int64_t w_id, int64_t n,
                         int64_t expected)
{
    if (n > 0)
        expect_count(check_of(a, CHECK_STOCK), &(struct key){.w = w_id},
                     "rows of stock", n, "expected", expected);
}

CORO_FN void audit_stock(struct tpcc_audit *a, const struct range *w_and_i)
{
    const struct value args[] = {v_int(w_and_i->w_lo), v_int(w_and_i->w_hi),
                                 v_int(w_and_i->d_lo), v_int(w_and_i->d_hi)};
    const int64_t n_items = within(w_and_i->d_lo, w_and_i->d_hi, TPCC_ITEMS);
    int64_t n_warehouses = 0, w_id = 0, n = 0;

    cursor_open(a, SCAN_STOCK, args, ARRAY_LEN(args));
    cursor_open(a, SCAN_SUPPLY, NULL, 0);
    for (;;) {
        int64_t at[2] = {0};
        bool any = false;

        cursor_lower(a, SCAN_STOCK, 2, at, &any);
        cursor_lower(a, SCAN_SUPPLY, 2, at, &any);
        if (!any || a->rc)
            break;
        if (at[0] != w_id) {
            check_number(a, w_id, n, n_items);
            w_id = at[0];
            n = 0;
        }
        n_warehouses += n == 0 && cursor_at(a, SCAN_STOCK, 2, at);
        n += cursor_at(a, SCAN_STOCK, 2, at) != NULL;
        audit_stock_row(a, at);
    }
    check_number(a, w_id, n, n_items);
    cursor_close(a, SCAN_STOCK);
    cursor_close(a, SCAN_SUPPLY);
    expect_count(
        check_of(a, CHECK_STOCK), &(struct key){0}, "warehouses with stock",
        n_warehouses, "expected",
        within(w_and_i->w_lo, w_and_i->w_hi, (int64_t)a->meta->warehouses));
}
