/* SPDX-License-Identifier: MIT */
/*
 * The checks that there are (docs/tpcc.md says what each is for), and the
 * scans that they need.
 */
#ifndef WORKLOAD_TPCC_AUDIT_CHECKS_H
#define WORKLOAD_TPCC_AUDIT_CHECKS_H

#include "workload/tpcc/input.h"
#include "workload/tpcc/mix.h"

/* Each is sql/tpcc/<dialect>/audit_<name>.sql. */
enum audit_scan {
    SCAN_WAREHOUSE,
    SCAN_DISTRICT,
    SCAN_CUSTOMER,
    SCAN_ORDERS,
    SCAN_NEW_ORDER,
    SCAN_ORDER_LINE,       /* by order */
    SCAN_HISTORY,          /* by customer */
    SCAN_HISTORY_DISTRICT, /* by the district of the payment */
    SCAN_ITEM,
    SCAN_STOCK,
    SCAN_SUPPLY, /* lines of runs by supplying warehouse */
    N_SCANS,
};

enum audit_item {
    /* What was drawn in a run. */
    CHECK_INPUTS_CONSTANTS,
    CHECK_INPUTS_MIX,
    CHECK_INPUTS_ROLLBACKS,
    CHECK_INPUTS_LINES,
    CHECK_INPUTS_ITEMS,
    CHECK_INPUTS_QUANTITIES,
    CHECK_INPUTS_REMOTE_LINES,
    CHECK_INPUTS_REMOTE_PAYMENTS,
    CHECK_INPUTS_REMOTE_WAREHOUSES,
    CHECK_INPUTS_DISTRICTS,
    CHECK_INPUTS_CUSTOMERS,
    CHECK_INPUTS_BY_NAME,
    CHECK_INPUTS_NAMES,
    CHECK_INPUTS_AMOUNTS,
    CHECK_INPUTS_CARRIERS,
    CHECK_INPUTS_THRESHOLDS,
    CHECK_ACCOUNTING, /* made by run/ */
    /* A sample of what the database gave back. */
    CHECK_OUTPUTS_ROWS,
    CHECK_OUTPUTS_BY_NAME,
    CHECK_OUTPUTS_NAME_ROWS,
    CHECK_OUTPUTS_WAREHOUSE,
    CHECK_OUTPUTS_DISTRICT,
    CHECK_OUTPUTS_CUSTOMER,
    CHECK_OUTPUTS_ITEM,
    CHECK_OUTPUTS_ORDER,
    CHECK_OUTPUTS_DELIVERY,
    /* The data. */
    CHECK_WAREHOUSE,
    CHECK_DISTRICT,
    CHECK_ITEM,
    CHECK_ITEM_ORIGINAL,
    CHECK_STOCK,
    CHECK_STOCK_ORIGINAL,
    CHECK_CUSTOMER,
    CHECK_CUSTOMER_NAMES,
    CHECK_CUSTOMER_SKEW,
    CHECK_CUSTOMER_CREDIT,
    CHECK_HISTORY,
    CHECK_ORDERS,
    CHECK_ORDER_LINE,
    CHECK_ORDER_LINE_COUNT,
    CHECK_NEW_ORDER,
    CHECK_INITIAL_WAREHOUSE,
    CHECK_INITIAL_DISTRICT,
    CHECK_INITIAL_STOCK,
    CHECK_INITIAL_CUSTOMER,
    CHECK_INITIAL_HISTORY,
    CHECK_INITIAL_ORDERS,
    CHECK_INITIAL_NEW_ORDER,
    CHECK_CONDITION_1,
    CHECK_CONDITION_2,
    CHECK_CONDITION_3,
    CHECK_CONDITION_4,
    CHECK_CONDITION_5,
    CHECK_CONDITION_6,
    CHECK_CONDITION_7,
    CHECK_CONDITION_8,
    CHECK_CONDITION_9,
    CHECK_CONDITION_10,
    CHECK_CONDITION_11,
    CHECK_CONDITION_12,
    CHECK_UNCHANGED_ITEM,
    CHECK_UNCHANGED_WAREHOUSE,
    CHECK_UNCHANGED_DISTRICT,
    CHECK_UNCHANGED_STOCK,
    CHECK_UNCHANGED_CUSTOMER,
    CHECK_UNCHANGED_ORDERS,
    CHECK_UNCHANGED_ORDER_LINE,
    CHECK_DELIVERIES,
    CHECK_DELIVERY_DISTRICTS,
    CHECK_PAYMENTS,
    CHECK_ALL_LOCAL,
    CHECK_SUPPLY,
    CHECK_STOCK_QUANTITY,
    CHECK_DIST_INFO,
    CHECK_AMOUNTS,
    CHECK_DELIVERY_DATES,
    CHECK_CREDIT_NOTES,
    CHECK_REMOTE_LINES,
    N_CHECKS,
};

extern const struct audit_def tpcc_checks[N_CHECKS];

/* Adds a check to the audit; NULL when it is not asked for. */
static inline struct audit_check *checks_add(struct audit *audit,
                                             enum audit_item item)
{
    return audit_add(audit, tpcc_checks[item].name, tpcc_checks[item].title);
}

/* What all users of a run drew, and from what. */
struct inputs_drawn {
    const struct tpcc *tpcc;
    const struct mix *mix;
    const struct input_skews *skews;
    const struct input_tally *tally;
};

/* Makes the checks of the inputs. */
void audit_inputs(struct audit *audit, const struct inputs_drawn *drawn);

#endif
