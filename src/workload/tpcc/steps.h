/* SPDX-License-Identifier: MIT */
/*
 * The steps of TPC-C: every .sql file that a transaction runs, by number, those
 * of one composition in a row.  The signatures are in the files, the same in
 * every dialect (a test says so); the order of the arguments in C is the order
 * of the signature.
 */
#ifndef WORKLOAD_TPCC_STEPS_H
#define WORKLOAD_TPCC_STEPS_H

/* X(name, file below sql/tpcc/<dialect>/) */
#define TPCC_LITERAL_STEPS(X)                                                 \
    X(LITERAL_NEW_ORDER_READ_WAREHOUSE, "literal/new_order_read_warehouse")   \
    X(LITERAL_NEW_ORDER_READ_DISTRICT, "literal/new_order_read_district")     \
    X(LITERAL_NEW_ORDER_UPDATE_DISTRICT, "literal/new_order_update_district") \
    X(LITERAL_NEW_ORDER_READ_CUSTOMER, "literal/new_order_read_customer")     \
    X(LITERAL_NEW_ORDER_INSERT_ORDER, "literal/new_order_insert_order")       \
    X(LITERAL_NEW_ORDER_INSERT_NEW_ORDER,                                     \
      "literal/new_order_insert_new_order")                                   \
    X(LITERAL_NEW_ORDER_READ_ITEM, "literal/new_order_read_item")             \
    X(LITERAL_NEW_ORDER_READ_STOCK, "literal/new_order_read_stock")           \
    X(LITERAL_NEW_ORDER_UPDATE_STOCK, "literal/new_order_update_stock")       \
    X(LITERAL_NEW_ORDER_INSERT_LINE, "literal/new_order_insert_line")         \
    X(LITERAL_PAYMENT_UPDATE_DISTRICT, "literal/payment_update_district")     \
    X(LITERAL_PAYMENT_READ_DISTRICT, "literal/payment_read_district")         \
    X(LITERAL_PAYMENT_UPDATE_WAREHOUSE, "literal/payment_update_warehouse")   \
    X(LITERAL_PAYMENT_READ_WAREHOUSE, "literal/payment_read_warehouse")       \
    X(LITERAL_PAYMENT_CUSTOMERS_BY_NAME, "literal/payment_customers_by_name") \
    X(LITERAL_PAYMENT_READ_CUSTOMER, "literal/payment_read_customer")         \
    X(LITERAL_PAYMENT_READ_DATA, "literal/payment_read_data")                 \
    X(LITERAL_PAYMENT_UPDATE_CUSTOMER, "literal/payment_update_customer")     \
    X(LITERAL_PAYMENT_UPDATE_BAD_CUSTOMER,                                    \
      "literal/payment_update_bad_customer")                                  \
    X(LITERAL_PAYMENT_INSERT_HISTORY, "literal/payment_insert_history")       \
    X(LITERAL_ORDER_STATUS_CUSTOMER_BY_ID,                                    \
      "literal/order_status_customer_by_id")                                  \
    X(LITERAL_ORDER_STATUS_CUSTOMERS_BY_NAME,                                 \
      "literal/order_status_customers_by_name")                               \
    X(LITERAL_ORDER_STATUS_NEWEST_ORDER, "literal/order_status_newest_order") \
    X(LITERAL_ORDER_STATUS_LINES, "literal/order_status_lines")               \
    X(LITERAL_DELIVERY_OLDEST, "literal/delivery_oldest")                     \
    X(LITERAL_DELIVERY_DELETE, "literal/delivery_delete")                     \
    X(LITERAL_DELIVERY_READ_ORDER, "literal/delivery_read_order")             \
    X(LITERAL_DELIVERY_UPDATE_ORDER, "literal/delivery_update_order")         \
    X(LITERAL_DELIVERY_UPDATE_LINES, "literal/delivery_update_lines")         \
    X(LITERAL_DELIVERY_SUM_LINES, "literal/delivery_sum_lines")               \
    X(LITERAL_DELIVERY_UPDATE_CUSTOMER, "literal/delivery_update_customer")   \
    X(LITERAL_STOCK_LEVEL_READ_DISTRICT, "literal/stock_level_read_district") \
    X(LITERAL_STOCK_LEVEL_COUNT, "literal/stock_level_count")

#define TPCC_BATCHED_STEPS(X)                                                 \
    X(BATCHED_NEW_ORDER_HEAD, "batched/new_order_head")                       \
    X(BATCHED_NEW_ORDER_INSERT_ORDER, "batched/new_order_insert_order")       \
    X(BATCHED_NEW_ORDER_INSERT_NEW_ORDER,                                     \
      "batched/new_order_insert_new_order")                                   \
    X(BATCHED_NEW_ORDER_UPDATE_STOCK, "batched/new_order_update_stock")       \
    X(BATCHED_NEW_ORDER_INSERT_LINES, "batched/new_order_insert_lines")       \
    X(BATCHED_PAYMENT_UPDATE_DISTRICT, "batched/payment_update_district")     \
    X(BATCHED_PAYMENT_UPDATE_WAREHOUSE, "batched/payment_update_warehouse")   \
    X(BATCHED_PAYMENT_UPDATE_CUSTOMER_BY_ID,                                  \
      "batched/payment_update_customer_by_id")                                \
    X(BATCHED_PAYMENT_UPDATE_CUSTOMER_BY_NAME,                                \
      "batched/payment_update_customer_by_name")                              \
    X(BATCHED_PAYMENT_INSERT_HISTORY, "batched/payment_insert_history")       \
    X(BATCHED_ORDER_STATUS_BY_ID, "batched/order_status_by_id")               \
    X(BATCHED_ORDER_STATUS_BY_NAME, "batched/order_status_by_name")           \
    X(BATCHED_DELIVERY_DELETE_OLDEST, "batched/delivery_delete_oldest")       \
    X(BATCHED_DELIVERY_UPDATE_ORDERS, "batched/delivery_update_orders")       \
    X(BATCHED_DELIVERY_UPDATE_LINES, "batched/delivery_update_lines")         \
    X(BATCHED_DELIVERY_UPDATE_CUSTOMERS, "batched/delivery_update_customers") \
    X(BATCHED_STOCK_LEVEL, "batched/stock_level")

/* Compositions whose transactions are one call each: in the order of calls.h.
 */
#define TPCC_SINGLE_STEPS(X)                                       \
    X(SINGLE_NEW_ORDER, "single/new_order")                        \
    X(SINGLE_PAYMENT_BY_ID, "single/payment_by_id")                \
    X(SINGLE_PAYMENT_BY_NAME, "single/payment_by_name")            \
    X(SINGLE_ORDER_STATUS_BY_ID, "batched/order_status_by_id")     \
    X(SINGLE_ORDER_STATUS_BY_NAME, "batched/order_status_by_name") \
    X(SINGLE_DELIVERY, "single/delivery")                          \
    X(SINGLE_STOCK_LEVEL, "batched/stock_level")

#define TPCC_PROCS_FUNCTION_STEPS(X)                                          \
    X(PROCS_FUNCTION_NEW_ORDER, "procs/function/new_order")                   \
    X(PROCS_FUNCTION_PAYMENT_BY_ID, "procs/function/payment_by_id")           \
    X(PROCS_FUNCTION_PAYMENT_BY_NAME, "procs/function/payment_by_name")       \
    X(PROCS_FUNCTION_ORDER_STATUS_BY_ID, "procs/function/order_status_by_id") \
    X(PROCS_FUNCTION_ORDER_STATUS_BY_NAME,                                    \
      "procs/function/order_status_by_name")                                  \
    X(PROCS_FUNCTION_DELIVERY, "procs/function/delivery")                     \
    X(PROCS_FUNCTION_STOCK_LEVEL, "procs/function/stock_level")

#define TPCC_PROCS_PROCEDURE_STEPS(X)                                     \
    X(PROCS_PROCEDURE_NEW_ORDER, "procs/procedure/new_order")             \
    X(PROCS_PROCEDURE_PAYMENT_BY_ID, "procs/procedure/payment_by_id")     \
    X(PROCS_PROCEDURE_PAYMENT_BY_NAME, "procs/procedure/payment_by_name") \
    X(PROCS_PROCEDURE_ORDER_STATUS_BY_ID,                                 \
      "procs/procedure/order_status_by_id")                               \
    X(PROCS_PROCEDURE_ORDER_STATUS_BY_NAME,                               \
      "procs/procedure/order_status_by_name")                             \
    X(PROCS_PROCEDURE_DELIVERY, "procs/procedure/delivery")               \
    X(PROCS_PROCEDURE_STOCK_LEVEL, "procs/procedure/stock_level")

#define TPCC_LOOKUP_STEPS(X)                  \
    X(LOOKUP_WAREHOUSE, "lookup/warehouse")   \
    X(LOOKUP_DISTRICT, "lookup/district")     \
    X(LOOKUP_CUSTOMER, "lookup/customer")     \
    X(LOOKUP_STOCK, "lookup/stock")           \
    X(LOOKUP_ORDER_LINE, "lookup/order_line") \
    X(LOOKUP_NEW_ORDER, "lookup/new_order")

#define TPCC_OTHER_STEPS(X) X(COUNT_ORDERS, "count_orders")

#define TPCC_STEP_MAP(X)          \
    TPCC_LITERAL_STEPS(X)         \
    TPCC_BATCHED_STEPS(X)         \
    TPCC_SINGLE_STEPS(X)          \
    TPCC_PROCS_FUNCTION_STEPS(X)  \
    TPCC_PROCS_PROCEDURE_STEPS(X) \
    TPCC_LOOKUP_STEPS(X)          \
    TPCC_OTHER_STEPS(X)

enum tpcc_step {
#define X(name, file) STEP_##name,
    TPCC_STEP_MAP(X)
#undef X
        TPCC_N_STEPS
};

/* The steps from..end-1 of a composition. */
struct step_range {
    enum tpcc_step from, end;
};

#endif
