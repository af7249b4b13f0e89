/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/audit_checks.h"

#include "workload/tpcc/audit_int.h"

#define NEEDS(scan) (1u << SCAN_##scan)

/* When a check is made; these add up. */
enum check_when {
    WHEN_ALWAYS = 0,
    WHEN_INITIAL = 1, /* until the first run on the data */
    WHEN_FULL = 2,    /* when all of the data is read */
    WHEN_RUN = 4,     /* after a run, with what the client knows of it */
    WHEN_AGED = 8,    /* of what runs leave: from the first one on */
    WHEN_OTHERS = 16, /* when there are several warehouses */
};

const struct audit_def tpcc_checks[N_CHECKS] = {
    [CHECK_INPUTS_CONSTANTS] = {"inputs_constants",
                                "C of the last names differs from the load's "
                                "by 65..119, not 96 or 112",
                                0, WHEN_RUN},
    [CHECK_INPUTS_MIX] = {"inputs_mix", "transactions drawn as --mix says", 0,
                          WHEN_RUN},
    [CHECK_INPUTS_ROLLBACKS] = {"inputs_rollbacks",
                                "1 % of the orders are to roll back", 0,
                                WHEN_RUN},
    [CHECK_INPUTS_LINES] = {"inputs_lines", "5..15 lines, equally often", 0,
                            WHEN_RUN},
    [CHECK_INPUTS_ITEMS] = {"inputs_items", "items follow NURand(8191)", 0,
                            WHEN_RUN},
    [CHECK_INPUTS_QUANTITIES] = {"inputs_quantities",
                                 "quantities 1..10, equally often", 0,
                                 WHEN_RUN},
    [CHECK_INPUTS_REMOTE_LINES] = {"inputs_remote_lines",
                                   "1 % of the lines are supplied by another "
                                   "warehouse",
                                   0, WHEN_RUN},
    [CHECK_INPUTS_REMOTE_PAYMENTS] = {"inputs_remote_payments",
                                      "15 % of the payments are of a customer "
                                      "of another warehouse",
                                      0, WHEN_RUN},
    [CHECK_INPUTS_REMOTE_WAREHOUSES] = {"inputs_remote_warehouses",
                                        "other warehouses, equally often", 0,
                                        WHEN_RUN},
    [CHECK_INPUTS_DISTRICTS] = {"inputs_districts",
                                "the ten districts, equally often", 0,
                                WHEN_RUN},
    [CHECK_INPUTS_CUSTOMERS] = {"inputs_customers",
                                "customer numbers follow NURand(1023)", 0,
                                WHEN_RUN},
    [CHECK_INPUTS_BY_NAME] = {"inputs_by_name",
                              "60 % of the customers are asked for by last "
                              "name",
                              0, WHEN_RUN},
    [CHECK_INPUTS_NAMES] = {"inputs_names", "last names follow NURand(255)", 0,
                            WHEN_RUN},
    [CHECK_INPUTS_AMOUNTS] = {"inputs_amounts",
                              "amounts 1.00..5000.00, equally often", 0,
                              WHEN_RUN},
    [CHECK_INPUTS_CARRIERS] = {"inputs_carriers",
                               "carriers 1..10, equally often", 0, WHEN_RUN},
    [CHECK_INPUTS_THRESHOLDS] = {"inputs_thresholds",
                                 "thresholds 10..20, equally often", 0,
                                 WHEN_RUN},
    [CHECK_ACCOUNTING] = {AUDIT_ACCOUNTING, AUDIT_ACCOUNTING_TITLE, 0,
                          WHEN_RUN},
    [CHECK_OUTPUTS_ROWS] = {"outputs_rows",
                            "each transaction gets the rows that must be there",
                            0, WHEN_RUN},
    [CHECK_OUTPUTS_BY_NAME] = {"outputs_by_name",
                               "the middle customer of a last name is taken", 0,
                               WHEN_RUN},
    [CHECK_OUTPUTS_NAME_ROWS] = {"outputs_name_rows",
                                 "a last name asked for has a few customers, "
                                 "not many",
                                 0, WHEN_RUN},
    [CHECK_OUTPUTS_WAREHOUSE] = {"outputs_warehouse",
                                 "names, addresses and taxes of warehouses are "
                                 "theirs",
                                 0, WHEN_RUN},
    [CHECK_OUTPUTS_DISTRICT] = {"outputs_district",
                                "names, addresses and taxes of districts are "
                                "theirs",
                                0, WHEN_RUN},
    [CHECK_OUTPUTS_CUSTOMER] = {"outputs_customer",
                                "names, addresses and credit of customers are "
                                "theirs",
                                0, WHEN_RUN},
    [CHECK_OUTPUTS_ITEM] = {"outputs_item",
                            "price, name, brand and amount of a line are its "
                            "item's",
                            0, WHEN_RUN},
    [CHECK_OUTPUTS_ORDER] = {"outputs_order",
                             "Order-Status shows an order of the customer", 0,
                             WHEN_RUN},
    [CHECK_OUTPUTS_DELIVERY] = {"outputs_delivery",
                                "a Delivery takes one order of each district",
                                0, WHEN_RUN},
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
#define UNCHANGED(item, scan, table)                                \
    [CHECK_UNCHANGED_##                                             \
        item] = {"unchanged_" #table,                               \
                 "what no transaction changes is as it was loaded", \
                 NEEDS(scan), WHEN_ALWAYS}
    UNCHANGED(ITEM, ITEM, item),
    UNCHANGED(WAREHOUSE, WAREHOUSE, warehouse),
    UNCHANGED(DISTRICT, DISTRICT, district),
    UNCHANGED(STOCK, STOCK, stock),
    UNCHANGED(CUSTOMER, CUSTOMER, customer),
    UNCHANGED(ORDERS, ORDERS, orders),
    UNCHANGED(ORDER_LINE, ORDER_LINE, order_line),
#undef UNCHANGED
    [CHECK_DELIVERIES] = {"state_deliveries",
                          "C_DELIVERY_CNT = orders delivered since the load",
                          NEEDS(CUSTOMER) | NEEDS(ORDERS), WHEN_ALWAYS},
    [CHECK_DELIVERY_DISTRICTS] = {"state_delivery_districts",
                                  "each district of a warehouse was delivered "
                                  "equally often",
                                  NEEDS(ORDERS), WHEN_FULL | WHEN_AGED},
    [CHECK_PAYMENTS] = {"state_payments",
                        "C_PAYMENT_CNT and C_YTD_PAYMENT agree with history",
                        NEEDS(CUSTOMER) | NEEDS(HISTORY), WHEN_FULL},
    [CHECK_ALL_LOCAL] = {"state_all_local",
                         "O_ALL_LOCAL agrees with the order's lines",
                         NEEDS(ORDERS) | NEEDS(ORDER_LINE), WHEN_ALWAYS},
    [CHECK_SUPPLY] = {"state_stock",
                      "counters of each stock row = lines that it supplied",
                      NEEDS(STOCK) | NEEDS(SUPPLY), WHEN_FULL},
    [CHECK_STOCK_QUANTITY] = {"state_stock_quantity",
                              "S_QUANTITY = as loaded less what it supplied, "
                              "by the stock rule",
                              NEEDS(STOCK) | NEEDS(SUPPLY), WHEN_FULL},
    [CHECK_DIST_INFO] = {"state_dist_info",
                         "OL_DIST_INFO = the text of the stock that supplied "
                         "the line",
                         NEEDS(STOCK) | NEEDS(SUPPLY), WHEN_FULL | WHEN_AGED},
    [CHECK_AMOUNTS] = {"state_amounts", "OL_AMOUNT = OL_QUANTITY times I_PRICE",
                       NEEDS(ORDER_LINE) | NEEDS(ITEM), WHEN_AGED},
    [CHECK_DELIVERY_DATES] = {"state_delivery_dates",
                              "lines of an order are delivered together, after "
                              "the load",
                              NEEDS(ORDER_LINE), WHEN_AGED},
    [CHECK_CREDIT_NOTES] = {"state_credit_notes",
                            "C_DATA: a note for each payment of bad credit, "
                            "nothing of good",
                            NEEDS(CUSTOMER), WHEN_ALWAYS},
    [CHECK_REMOTE_LINES] = {"state_remote_lines",
                            "1 % of the lines of runs are supplied by another "
                            "warehouse",
                            NEEDS(SUPPLY), WHEN_FULL | WHEN_AGED | WHEN_OTHERS},
};

/* Why the check is not made on this data at this level, or NULL. */
static const char *why_not(const struct tpcc_audit *a,
                           const struct audit_def *def)
{
    if ((def->when & WHEN_INITIAL) && a->meta->runs > 0)
        return "holds until the first run";
    if ((def->when & WHEN_FULL) && !a->full)
        return "needs all of history or order lines: a full audit";
    if ((def->when & WHEN_OTHERS) && a->meta->warehouses == 1)
        return "needs more warehouses";
    if ((def->when & WHEN_AGED) && a->meta->runs == 0)
        return "nothing has run yet";
    return NULL;
}

void checks_init(struct tpcc_audit *a)
{
    for (size_t i = 0; i < N_CHECKS; i++) {
        const char *why = why_not(a, &tpcc_checks[i]);

        if (tpcc_checks[i].when & WHEN_RUN)
            continue;
        a->checks[i] = checks_add(a->audit, (enum audit_item)i);
        if (!why)
            continue;
        audit_skip(a->checks[i], why);
        a->checks[i] = NULL;
    }
}

void checks_fail(struct tpcc_audit *a, enum audit_scan scan,
                 const struct err *err)
{
    for (size_t i = 0; i < N_CHECKS; i++) {
        if (a->checks[i] && (tpcc_checks[i].needs & 1u << scan)) {
            audit_error(a->checks[i], err);
            a->checks[i] = NULL;
        }
    }
}

bool checks_need(const struct tpcc_audit *a, enum audit_scan scan)
{
    for (size_t i = 0; i < N_CHECKS; i++) {
        if (a->checks[i] && (tpcc_checks[i].needs & 1u << scan))
            return true;
    }
    return false;
}
