/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/audit_int.h"

enum {
    WH_ID,
    WH_NAME,
    WH_STREET_1,
    WH_STREET_2,
    WH_CITY,
    WH_STATE,
    WH_ZIP,
    WH_TAX,
    WH_YTD
};
enum {
    DIST_W_ID,
    DIST_ID,
    DIST_NAME,
    DIST_STREET_1,
    DIST_STREET_2,
    DIST_CITY,
    DIST_STATE,
    DIST_ZIP,
    DIST_TAX,
    DIST_YTD,
    DIST_NEXT_O_ID,
};
enum { HIST_W_ID, HIST_D_ID, HIST_AMOUNT };

static void check_warehouse(struct tpcc_audit *a, int64_t w_id,
                            const struct value *row)
{
    const struct key key = {.w = w_id};
    struct fault f = {{0}}, initial = {{0}};

    if (!row) {
        rule(&f, false, "there is no such row in warehouse");
        expect_row(check_of(a, CHECK_WAREHOUSE), &key, &f);
        return;
    }
    rule_range(&f, "w_id", &row[WH_ID], 1, (int64_t)a->meta->warehouses);
    rule_length(&f, "w_name", &row[WH_NAME], 6, 10);
    rule_length(&f, "w_street_1", &row[WH_STREET_1], 10, 20);
    rule_length(&f, "w_street_2", &row[WH_STREET_2], 10, 20);
    rule_length(&f, "w_city", &row[WH_CITY], 10, 20);
    rule_state(&f, "w_state", &row[WH_STATE]);
    rule_zip(&f, "w_zip", &row[WH_ZIP]);
    rule_range(&f, "w_tax", &row[WH_TAX], 0, 2000);
    expect_row(check_of(a, CHECK_WAREHOUSE), &key, &f);
    check_unchanged(a, SCAN_WAREHOUSE, CHECK_UNCHANGED_WAREHOUSE, &key,
                    &(struct made_key){.w_id = w_id}, row);
    rule_range(&initial, "w_ytd", &row[WH_YTD], 30000000, 30000000);
    expect_row(check_of(a, CHECK_INITIAL_WAREHOUSE), &key, &initial);
}

static void check_district(struct tpcc_audit *a, const struct value *row)
{
    const struct key key = {.w = row[DIST_W_ID].i, .d = row[DIST_ID].i};
    struct fault f = {{0}}, initial = {{0}};

    rule_range(&f, "d_id", &row[DIST_ID], 1, TPCC_DISTRICTS);
    rule_length(&f, "d_name", &row[DIST_NAME], 6, 10);
    rule_length(&f, "d_street_1", &row[DIST_STREET_1], 10, 20);
    rule_length(&f, "d_street_2", &row[DIST_STREET_2], 10, 20);
    rule_length(&f, "d_city", &row[DIST_CITY], 10, 20);
    rule_state(&f, "d_state", &row[DIST_STATE]);
    rule_zip(&f, "d_zip", &row[DIST_ZIP]);
    rule_range(&f, "d_tax", &row[DIST_TAX], 0, 2000);
    expect_row(check_of(a, CHECK_DISTRICT), &key, &f);
    check_unchanged(a, SCAN_DISTRICT, CHECK_UNCHANGED_DISTRICT, &key,
                    &(struct made_key){.w_id = key.w, .id = key.d}, row);
    rule_range(&initial, "d_ytd", &row[DIST_YTD], 3000000, 3000000);
    rule_range(&initial, "d_next_o_id", &row[DIST_NEXT_O_ID], TPCC_ORDERS + 1,
               TPCC_ORDERS + 1);
    expect_row(check_of(a, CHECK_INITIAL_DISTRICT), &key, &initial);
}

/* Of the districts of one warehouse. */
struct warehouse_sum {
    int64_t n_districts, ytd_cents, history_cents;
};

/* One district of w_id, of which there is a row or a payment. */
static CORO_FN void sum_district(struct tpcc_audit *a, const int64_t key[2],
                                 struct warehouse_sum *sum)
{
    const struct value *district = cursor_at(a, SCAN_DISTRICT, 2, key);
    const struct value *history = cursor_at(a, SCAN_HISTORY_DISTRICT, 2, key);
    const int64_t paid = history ? history[HIST_AMOUNT].i : 0;
    const struct key where = {.w = key[0], .d = key[1]};

    /* A district that is not there has no d_ytd, so its payments are wrong
     * unless they add up to 0. */
    expect_money(check_of(a, CHECK_CONDITION_9), &where, "d_ytd",
                 district ? district[DIST_YTD].i : 0, "sum of h_amount", paid);
    sum->history_cents += paid;
    if (district) {
        check_district(a, district);
        sum->n_districts++;
        sum->ytd_cents += district[DIST_YTD].i;
        cursor_next(a, SCAN_DISTRICT);
    }
    if (history)
        cursor_next(a, SCAN_HISTORY_DISTRICT);
}

static CORO_FN struct warehouse_sum sum_districts(struct tpcc_audit *a,
                                                  int64_t w_id)
{
    struct warehouse_sum sum = {0};

    for (;;) {
        int64_t key[2] = {0};
        bool any = false;

        cursor_lower(a, SCAN_DISTRICT, 2, key, &any);
        cursor_lower(a, SCAN_HISTORY_DISTRICT, 2, key, &any);
        if (!any || key[0] != w_id || a->rc)
            return sum;
        sum_district(a, key, &sum);
    }
}

static CORO_FN void audit_warehouse(struct tpcc_audit *a, int64_t w_id)
{
    const struct value *row = cursor_at(a, SCAN_WAREHOUSE, 1, &w_id);
    const int64_t ytd = row ? row[WH_YTD].i : 0;
    const struct key key = {.w = w_id};
    struct warehouse_sum sum;

    check_warehouse(a, w_id, row);
    sum = sum_districts(a, w_id);
    expect_count(check_of(a, CHECK_DISTRICT), &key, "districts",
                 sum.n_districts, "expected", TPCC_DISTRICTS);
    expect_money(check_of(a, CHECK_CONDITION_1), &key, "w_ytd", ytd,
                 "sum of d_ytd", sum.ytd_cents);
    expect_money(check_of(a, CHECK_CONDITION_8), &key, "w_ytd", ytd,
                 "sum of h_amount", sum.history_cents);
}

CORO_FN void audit_warehouses(struct tpcc_audit *a)
{
    const struct value all[] = {v_int(INT64_MIN), v_int(INT64_MAX),
                                v_int(INT64_MIN), v_int(INT64_MAX)};
    int64_t n = 0;

    cursor_open(a, SCAN_WAREHOUSE, NULL, 0);
    cursor_open(a, SCAN_DISTRICT, all, ARRAY_LEN(all));
    cursor_open(a, SCAN_HISTORY_DISTRICT, NULL, 0);
    for (;;) {
        int64_t w_id = 0;
        bool any = false;

        cursor_lower(a, SCAN_WAREHOUSE, 1, &w_id, &any);
        cursor_lower(a, SCAN_DISTRICT, 1, &w_id, &any);
        cursor_lower(a, SCAN_HISTORY_DISTRICT, 1, &w_id, &any);
        if (!any || a->rc)
            break;
        audit_warehouse(a, w_id);
        if (cursor_at(a, SCAN_WAREHOUSE, 1, &w_id)) {
            n++;
            cursor_next(a, SCAN_WAREHOUSE);
        }
    }
    cursor_close(a, SCAN_WAREHOUSE);
    cursor_close(a, SCAN_DISTRICT);
    cursor_close(a, SCAN_HISTORY_DISTRICT);
    expect_count(check_of(a, CHECK_WAREHOUSE), &(struct key){0}, "warehouses",
                 n, "loaded", (int64_t)a->meta->warehouses);
}
