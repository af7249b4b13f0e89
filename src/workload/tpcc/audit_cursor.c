/* SPDX-License-Identifier: MIT */
#include "base/stop.h"
#include "workload/tpcc/audit_int.h"

#include <stdio.h>

static const struct {
    const char *name;
    size_t n_key, n_cols;
} scans[N_SCANS] = {
    [SCAN_WAREHOUSE] = {"audit_warehouse", 1, 9},
    [SCAN_DISTRICT] = {"audit_district", 2, 11},
    [SCAN_CUSTOMER] = {"audit_customer", 3, 21},
    [SCAN_ORDERS] = {"audit_orders", 3, 8},
    [SCAN_NEW_ORDER] = {"audit_new_order", 3, 3},
    [SCAN_ORDER_LINE] = {"audit_order_line", 3, 19},
    [SCAN_HISTORY] = {"audit_history", 3, 9},
    [SCAN_HISTORY_DISTRICT] = {"audit_history_district", 2, 3},
    [SCAN_ITEM] = {"audit_item", 1, 6},
    [SCAN_STOCK] = {"audit_stock", 2, 10},
    [SCAN_SUPPLY] = {"audit_supply", 1, 4},
};

#define NEEDS(scan) (1u << SCAN_##scan)

/* When a check is made; these add up. */
enum check_when {
    WHEN_ALWAYS = 0,
    WHEN_INITIAL = 1, /* until the first run on the data */
    WHEN_FULL = 2,    /* when all of the data is read */
};

static const struct {
    const char *name, *title;
    unsigned needs;
    unsigned when; /* enum check_when */
} checks[N_CHECKS] = {
    [CHECK_WAREHOUSE] = {"population_warehouse",
                         "warehouses: number, lengths, ranges",
                         NEEDS(WAREHOUSE), WHEN_ALWAYS},
    [CHECK_DISTRICT] = {"population_district",
                        "districts: ten a warehouse, lengths, ranges",
                        NEEDS(WAREHOUSE) | NEEDS(DISTRICT), WHEN_ALWAYS},
    [CHECK_ITEM] = {"population_item", "items: number, lengths, ranges",
                    NEEDS(ITEM), WHEN_ALWAYS},
    [CHECK_ITEM_ORIGINAL] = {"population_item_original",
                             "10 % of the items are ORIGINAL", NEEDS(ITEM),
                             WHEN_ALWAYS},
    [CHECK_STOCK] = {"population_stock",
                     "stock: 100,000 a warehouse, lengths, ranges",
                     NEEDS(STOCK), WHEN_ALWAYS},
    [CHECK_STOCK_ORIGINAL] = {"population_stock_original",
                              "10 % of the stock is ORIGINAL", NEEDS(STOCK),
                              WHEN_ALWAYS},
    [CHECK_CUSTOMER] = {"population_customer",
                        "customers: 3,000 a district, lengths, ranges",
                        NEEDS(CUSTOMER), WHEN_ALWAYS},
    [CHECK_CUSTOMER_NAMES] = {"population_customer_names",
                              "all 1,000 last names in each district",
                              NEEDS(CUSTOMER), WHEN_ALWAYS},
    [CHECK_CUSTOMER_SKEW] = {"population_customer_skew",
                             "last names follow NURand(255) and the stored C",
                             NEEDS(CUSTOMER), WHEN_ALWAYS},
    [CHECK_CUSTOMER_CREDIT] = {"population_customer_credit",
                               "10 % of the customers have bad credit",
                               NEEDS(CUSTOMER), WHEN_ALWAYS},
    [CHECK_HISTORY] = {"population_history",
                       "history: each customer, lengths, ranges",
                       NEEDS(HISTORY) | NEEDS(CUSTOMER), WHEN_FULL},
    [CHECK_ORDERS] = {"population_orders",
                      "orders: no gap, loaded customers a permutation, ranges",
                      NEEDS(ORDERS), WHEN_ALWAYS},
    [CHECK_ORDER_LINE] = {"population_order_line",
                          "order lines: numbers, lengths, ranges",
                          NEEDS(ORDER_LINE), WHEN_ALWAYS},
    [CHECK_ORDER_LINE_COUNT] = {"population_order_line_count",
                                "ten lines for each loaded order",
                                NEEDS(ORDER_LINE), WHEN_ALWAYS},
    [CHECK_NEW_ORDER] = {"population_new_order",
                         "new orders: none below the first loaded one",
                         NEEDS(NEW_ORDER), WHEN_ALWAYS},
    [CHECK_INITIAL_WAREHOUSE] = {"population_initial_warehouse",
                                 "W_YTD = 300,000.00", NEEDS(WAREHOUSE),
                                 WHEN_INITIAL},
    [CHECK_INITIAL_DISTRICT] = {"population_initial_district",
                                "D_YTD = 30,000.00, D_NEXT_O_ID = 3001",
                                NEEDS(DISTRICT), WHEN_INITIAL},
    [CHECK_INITIAL_STOCK] = {"population_initial_stock",
                             "the counters of stock are 0", NEEDS(STOCK),
                             WHEN_INITIAL},
    [CHECK_INITIAL_CUSTOMER] = {"population_initial_customer",
                                "C_BALANCE = -10.00, one payment of 10.00",
                                NEEDS(CUSTOMER), WHEN_INITIAL},
    [CHECK_INITIAL_HISTORY] = {"population_initial_history",
                               "one payment of 10.00 for each customer",
                               NEEDS(HISTORY), WHEN_INITIAL | WHEN_FULL},
    [CHECK_INITIAL_ORDERS] = {"population_initial_orders",
                              "3,000 orders a district, 2,100 delivered",
                              NEEDS(ORDERS), WHEN_INITIAL},
    [CHECK_INITIAL_NEW_ORDER] = {"population_initial_new_order",
                                 "new orders 2101 to 3000 in each district",
                                 NEEDS(NEW_ORDER), WHEN_INITIAL},
    [CHECK_CONDITION_1] = {"condition_1", "W_YTD = sum of D_YTD",
                           NEEDS(WAREHOUSE) | NEEDS(DISTRICT), WHEN_ALWAYS},
    [CHECK_CONDITION_2] = {"condition_2",
                           "D_NEXT_O_ID - 1 = max(O_ID) = max(NO_O_ID)",
                           NEEDS(DISTRICT) | NEEDS(ORDERS) | NEEDS(NEW_ORDER),
                           WHEN_ALWAYS},
    [CHECK_CONDITION_3] = {"condition_3",
                           "max(NO_O_ID) - min(NO_O_ID) + 1 = new orders",
                           NEEDS(NEW_ORDER), WHEN_ALWAYS},
    [CHECK_CONDITION_4] = {"condition_4", "sum of O_OL_CNT = order lines",
                           NEEDS(ORDERS) | NEEDS(ORDER_LINE), WHEN_ALWAYS},
    [CHECK_CONDITION_5] = {"condition_5",
                           "O_CARRIER_ID is null if and only if a new order",
                           NEEDS(ORDERS) | NEEDS(NEW_ORDER), WHEN_ALWAYS},
    [CHECK_CONDITION_6] = {"condition_6", "O_OL_CNT = lines of the order",
                           NEEDS(ORDERS) | NEEDS(ORDER_LINE), WHEN_ALWAYS},
    [CHECK_CONDITION_7] = {"condition_7",
                           "OL_DELIVERY_D is null if and only if "
                           "O_CARRIER_ID is",
                           NEEDS(ORDERS) | NEEDS(ORDER_LINE), WHEN_ALWAYS},
    [CHECK_CONDITION_8] = {"condition_8",
                           "W_YTD = sum of H_AMOUNT of the warehouse",
                           NEEDS(WAREHOUSE) | NEEDS(HISTORY_DISTRICT),
                           WHEN_FULL},
    [CHECK_CONDITION_9] = {"condition_9",
                           "D_YTD = sum of H_AMOUNT of the district",
                           NEEDS(DISTRICT) | NEEDS(HISTORY_DISTRICT),
                           WHEN_FULL},
    [CHECK_CONDITION_10] = {"condition_10",
                            "C_BALANCE = delivered OL_AMOUNT - H_AMOUNT",
                            NEEDS(CUSTOMER) | NEEDS(ORDERS) |
                                NEEDS(ORDER_LINE) | NEEDS(HISTORY),
                            WHEN_FULL},
    [CHECK_CONDITION_11] = {"condition_11",
                            "orders - new orders = delivered orders "
                            "(2,100 until the first run)",
                            NEEDS(ORDERS) | NEEDS(NEW_ORDER), WHEN_ALWAYS},
    [CHECK_CONDITION_12] = {"condition_12",
                            "C_BALANCE + C_YTD_PAYMENT = delivered OL_AMOUNT",
                            NEEDS(CUSTOMER) | NEEDS(ORDERS) | NEEDS(ORDER_LINE),
                            WHEN_ALWAYS},
    [CHECK_DELIVERIES] = {"invariant_deliveries",
                          "C_DELIVERY_CNT = orders delivered since the load",
                          NEEDS(CUSTOMER) | NEEDS(ORDERS), WHEN_ALWAYS},
    [CHECK_PAYMENTS] = {"invariant_payments",
                        "C_PAYMENT_CNT and C_YTD_PAYMENT agree with history",
                        NEEDS(CUSTOMER) | NEEDS(HISTORY), WHEN_FULL},
    [CHECK_ALL_LOCAL] = {"invariant_all_local",
                         "O_ALL_LOCAL agrees with the order's lines",
                         NEEDS(ORDERS) | NEEDS(ORDER_LINE), WHEN_ALWAYS},
    [CHECK_SUPPLY] = {"invariant_supply",
                      "counters of stock = lines by supplying warehouse",
                      NEEDS(STOCK) | NEEDS(SUPPLY), WHEN_FULL},
};

void checks_init(struct tpcc_audit *a)
{
    for (size_t i = 0; i < N_CHECKS; i++) {
        struct audit_check *check =
            audit_add(a->audit, checks[i].name, checks[i].title);
        const char *why = NULL;

        if ((checks[i].when & WHEN_INITIAL) && a->meta->runs > 0)
            why = "holds until the first run";
        else if ((checks[i].when & WHEN_FULL) && !a->full)
            why = "needs all of history or order lines: a full audit";
        if (!why) {
            a->checks[i] = check;
            continue;
        }
        check->verdict = AUDIT_NOT_APPLICABLE;
        snprintf(check->detail, sizeof(check->detail), "%s", why);
    }
}

void checks_fail(struct tpcc_audit *a, enum audit_scan scan,
                 const struct err *err)
{
    for (size_t i = 0; i < N_CHECKS; i++) {
        if (a->checks[i] && (checks[i].needs & 1u << scan)) {
            audit_error(a->checks[i], err);
            a->checks[i] = NULL;
        }
    }
}

bool checks_need(const struct tpcc_audit *a, enum audit_scan scan)
{
    for (size_t i = 0; i < N_CHECKS; i++) {
        if (a->checks[i] && (checks[i].needs & 1u << scan))
            return true;
    }
    return false;
}

static void fail(struct tpcc_audit *a, enum audit_scan scan, enum rc rc)
{
    struct cursor *c = &a->cursors[scan];
    struct err *err = &a->scan_err;

    scan_close(c->scan);
    c->scan = NULL;
    c->row = NULL;
    c->failed = true;
    if (rc == RC_DB_GONE || rc == RC_CANCELLED) {
        a->rc = rc;
        if (a->err)
            *a->err = *err;
        return;
    }
    err_prefix(err, "%s", scans[scan].name);
    checks_fail(a, scan, err);
}

static CORO_FN enum rc open_scan(struct tpcc_audit *a, enum audit_scan scan,
                                 const struct value *args, size_t n_args,
                                 struct err *err)
{
    const struct driver *driver = a->ds->db->driver;
    struct cursor *c = &a->cursors[scan];
    enum rc rc;

    if (!c->step.name) {
        rc = step_load(&a->ds->arena, "tpcc", driver, scans[scan].name,
                       &c->step, err);
        if (rc)
            return rc;
    }
    if (c->step.n_cols != scans[scan].n_cols || c->step.n_params != n_args)
        return err_set(err, RC_INVALID, "wrong signature");
    return scan_open(a->conn, &c->step, args, n_args, &c->scan, err);
}

CORO_FN void cursor_open(struct tpcc_audit *a, enum audit_scan scan,
                         const struct value *args, size_t n_args)
{
    struct cursor *c = &a->cursors[scan];
    enum rc rc;

    c->row = NULL;
    if (a->rc || c->failed || !checks_need(a, scan))
        return;
    rc = open_scan(a, scan, args, n_args, &a->scan_err);
    if (rc)
        fail(a, scan, rc);
    else
        cursor_next(a, scan);
}

/* The merges rely on the order; a collation or a missing ORDER BY must not
 * make them accuse the data. */
static bool key_follows(const struct cursor *c, size_t n_key)
{
    for (size_t i = 0; i < n_key; i++) {
        if (c->row[i].i != c->key[i])
            return c->row[i].i > c->key[i];
    }
    return false;
}

CORO_FN void cursor_next(struct tpcc_audit *a, enum audit_scan scan)
{
    const size_t n_key = scans[scan].n_key;
    struct cursor *c = &a->cursors[scan];
    const bool first = !c->row;
    enum rc rc;

    if (!c->scan)
        return;
    if (stop_requested())
        rc = err_set(&a->scan_err, RC_CANCELLED, "interrupted");
    else
        rc = scan_next(c->scan, &c->row, &a->scan_err);
    if (!rc && c->row && !first && !key_follows(c, n_key))
        rc = err_set(&a->scan_err, RC_INVALID,
                     "rows are not in the order of the key");
    if (rc) {
        fail(a, scan, rc);
        return;
    }
    if (!c->row) {
        cursor_close(a, scan);
        return;
    }
    for (size_t i = 0; i < n_key; i++)
        c->key[i] = c->row[i].i;
}

void cursor_close(struct tpcc_audit *a, enum audit_scan scan)
{
    struct cursor *c = &a->cursors[scan];

    scan_close(c->scan);
    c->scan = NULL;
    c->row = NULL;
}

const struct value *cursor_at(const struct tpcc_audit *a, enum audit_scan scan,
                              size_t n, const int64_t *key)
{
    const struct cursor *c = &a->cursors[scan];

    if (!c->row || memcmp(c->key, key, n * sizeof(*key)) != 0)
        return NULL;
    return c->row;
}

void cursor_lower(const struct tpcc_audit *a, enum audit_scan scan, size_t n,
                  int64_t *key, bool *any)
{
    const struct cursor *c = &a->cursors[scan];
    bool lower = !*any;

    if (!c->row)
        return;
    for (size_t i = 0; i < n && !lower; i++) {
        if (c->key[i] > key[i])
            return;
        lower = c->key[i] < key[i];
    }
    if (lower)
        memcpy(key, c->key, n * sizeof(*key));
    *any = true;
}
