/* SPDX-License-Identifier: MIT */
/*
 * The steps of TPC-C: every .sql file that a transaction runs, by number.  The
 * signatures are in the files, the same in every dialect (a test says so); the
 * order of the arguments in C is the order of the signature.
 */
#ifndef WORKLOAD_TPCC_STEPS_H
#define WORKLOAD_TPCC_STEPS_H

/* X(name, file below sql/tpcc/<dialect>/) */
#define TPCC_STEP_MAP(X) \
    X(NEW_ORDER_READ_WAREHOUSE, "literal/new_order_read_warehouse") \
    X(NEW_ORDER_READ_DISTRICT, "literal/new_order_read_district") \
    X(NEW_ORDER_UPDATE_DISTRICT, "literal/new_order_update_district") \
    X(NEW_ORDER_READ_CUSTOMER, "literal/new_order_read_customer") \
    X(NEW_ORDER_INSERT_ORDER, "literal/new_order_insert_order") \
    X(NEW_ORDER_INSERT_NEW_ORDER, "literal/new_order_insert_new_order") \
    X(NEW_ORDER_READ_ITEM, "literal/new_order_read_item") \
    X(NEW_ORDER_READ_STOCK, "literal/new_order_read_stock") \
    X(NEW_ORDER_UPDATE_STOCK, "literal/new_order_update_stock") \
    X(NEW_ORDER_INSERT_LINE, "literal/new_order_insert_line") \
    X(PAYMENT_UPDATE_DISTRICT, "literal/payment_update_district") \
    X(PAYMENT_READ_DISTRICT, "literal/payment_read_district") \
    X(PAYMENT_UPDATE_WAREHOUSE, "literal/payment_update_warehouse") \
    X(PAYMENT_READ_WAREHOUSE, "literal/payment_read_warehouse") \
    X(PAYMENT_CUSTOMERS_BY_NAME, "literal/payment_customers_by_name") \
    X(PAYMENT_READ_CUSTOMER, "literal/payment_read_customer") \
    X(PAYMENT_READ_DATA, "literal/payment_read_data") \
    X(PAYMENT_UPDATE_CUSTOMER, "literal/payment_update_customer") \
    X(PAYMENT_UPDATE_BAD_CUSTOMER, "literal/payment_update_bad_customer") \
    X(PAYMENT_INSERT_HISTORY, "literal/payment_insert_history") \
    X(ORDER_STATUS_CUSTOMER_BY_ID, "literal/order_status_customer_by_id") \
    X(ORDER_STATUS_CUSTOMERS_BY_NAME, "literal/order_status_customers_by_name") \
    X(ORDER_STATUS_NEWEST_ORDER, "literal/order_status_newest_order") \
    X(ORDER_STATUS_LINES, "literal/order_status_lines") \
    X(DELIVERY_OLDEST, "literal/delivery_oldest") \
    X(DELIVERY_DELETE, "literal/delivery_delete") \
    X(DELIVERY_READ_ORDER, "literal/delivery_read_order") \
    X(DELIVERY_UPDATE_ORDER, "literal/delivery_update_order") \
    X(DELIVERY_UPDATE_LINES, "literal/delivery_update_lines") \
    X(DELIVERY_SUM_LINES, "literal/delivery_sum_lines") \
    X(DELIVERY_UPDATE_CUSTOMER, "literal/delivery_update_customer") \
    X(STOCK_LEVEL_READ_DISTRICT, "literal/stock_level_read_district") \
    X(STOCK_LEVEL_COUNT, "literal/stock_level_count") \
    X(LOOKUP_WAREHOUSE, "lookup/warehouse") \
    X(LOOKUP_DISTRICT, "lookup/district") \
    X(LOOKUP_CUSTOMER, "lookup/customer") \
    X(LOOKUP_STOCK, "lookup/stock") \
    X(LOOKUP_ORDER_LINE, "lookup/order_line") \
    X(LOOKUP_NEW_ORDER, "lookup/new_order") \
    X(COUNT_ORDERS, "count_orders")

enum tpcc_step {
#define X(name, file) STEP_##name,
    TPCC_STEP_MAP(X)
#undef X
        TPCC_N_STEPS
};

#endif
