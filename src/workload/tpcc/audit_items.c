/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/audit_int.h"

enum { ITEM_ID, ITEM_IM_ID, ITEM_NAME, ITEM_PRICE, ITEM_DATA };

static void check_item_row(struct tpcc_audit *a, const struct value *row)
{
    const int64_t i_id = row[ITEM_ID].i, price = row[ITEM_PRICE].i;
    const struct key key = {.kind = "item", .id = i_id};
    const struct made_key made = {.part = (i_id - 1) / GEN_PART_ITEMS,
                                  .id = i_id};
    struct fault f = {{0}};

    rule_range(&f, "i_id", &row[ITEM_ID], 1, TPCC_ITEMS);
    rule_range(&f, "i_im_id", &row[ITEM_IM_ID], 1, 10000);
    rule_length(&f, "i_name", &row[ITEM_NAME], 14, 24);
    rule_range(&f, "i_price", &row[ITEM_PRICE], 100, 10000);
    rule_length(&f, "i_data", &row[ITEM_DATA], 26, 50);
    expect_row(check_of(a, CHECK_ITEM), &key, &f);
    check_unchanged(a, SCAN_ITEM, CHECK_UNCHANGED_ITEM, &key, &made, row);
    if (i_id >= 1 && i_id <= TPCC_ITEMS && price > 0 && price <= UINT16_MAX)
        a->prices_cents[i_id] = (uint16_t)price;
    a->item_original.k += is_original(&row[ITEM_DATA]);
    a->item_original.n++;
}

CORO_FN void audit_items(struct tpcc_audit *a)
{
    const struct cursor *c = &a->cursors[SCAN_ITEM];

    cursor_open(a, SCAN_ITEM, NULL, 0);
    for (; c->row; cursor_next(a, SCAN_ITEM))
        check_item_row(a, c->row);
    expect_count(check_of(a, CHECK_ITEM), &(struct key){0}, "items",
                 (int64_t)a->item_original.n, "expected", TPCC_ITEMS);
    expect_share(check_of(a, CHECK_ITEM_ORIGINAL), "ORIGINAL items",
                 &a->item_original, 1, 10);
}
