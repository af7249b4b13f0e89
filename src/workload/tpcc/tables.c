/* SPDX-License-Identifier: MIT */
/*
 * The nine tables of clause 1.3.  Columns stand in the order in which rows are
 * made and loaded; nullable are o_carrier_id and ol_delivery_d alone.
 */
#include "workload/tpcc/tpcc.h"

static const struct column item_cols[] = {
    {"i_id", VALUE_INT},      {"i_im_id", VALUE_INT}, {"i_name", VALUE_TEXT},
    {"i_price", VALUE_MONEY}, {"i_data", VALUE_TEXT},
};

static const struct column warehouse_cols[] = {
    {"w_id", VALUE_INT},        {"w_name", VALUE_TEXT},
    {"w_street_1", VALUE_TEXT}, {"w_street_2", VALUE_TEXT},
    {"w_city", VALUE_TEXT},     {"w_state", VALUE_TEXT},
    {"w_zip", VALUE_TEXT},      {"w_tax", VALUE_RATE},
    {"w_ytd", VALUE_MONEY},
};

static const struct column district_cols[] = {
    {"d_id", VALUE_INT},        {"d_w_id", VALUE_INT},
    {"d_name", VALUE_TEXT},     {"d_street_1", VALUE_TEXT},
    {"d_street_2", VALUE_TEXT}, {"d_city", VALUE_TEXT},
    {"d_state", VALUE_TEXT},    {"d_zip", VALUE_TEXT},
    {"d_tax", VALUE_RATE},      {"d_ytd", VALUE_MONEY},
    {"d_next_o_id", VALUE_INT},
};

static const struct column stock_cols[] = {
    {"s_i_id", VALUE_INT},      {"s_w_id", VALUE_INT},
    {"s_quantity", VALUE_INT},  {"s_dist_01", VALUE_TEXT},
    {"s_dist_02", VALUE_TEXT},  {"s_dist_03", VALUE_TEXT},
    {"s_dist_04", VALUE_TEXT},  {"s_dist_05", VALUE_TEXT},
    {"s_dist_06", VALUE_TEXT},  {"s_dist_07", VALUE_TEXT},
    {"s_dist_08", VALUE_TEXT},  {"s_dist_09", VALUE_TEXT},
    {"s_dist_10", VALUE_TEXT},  {"s_ytd", VALUE_INT},
    {"s_order_cnt", VALUE_INT}, {"s_remote_cnt", VALUE_INT},
    {"s_data", VALUE_TEXT},
};

static const struct column customer_cols[] = {
    {"c_id", VALUE_INT},           {"c_d_id", VALUE_INT},
    {"c_w_id", VALUE_INT},         {"c_first", VALUE_TEXT},
    {"c_middle", VALUE_TEXT},      {"c_last", VALUE_TEXT},
    {"c_street_1", VALUE_TEXT},    {"c_street_2", VALUE_TEXT},
    {"c_city", VALUE_TEXT},        {"c_state", VALUE_TEXT},
    {"c_zip", VALUE_TEXT},         {"c_phone", VALUE_TEXT},
    {"c_since", VALUE_TIME},       {"c_credit", VALUE_TEXT},
    {"c_credit_lim", VALUE_MONEY}, {"c_discount", VALUE_RATE},
    {"c_balance", VALUE_MONEY},    {"c_ytd_payment", VALUE_MONEY},
    {"c_payment_cnt", VALUE_INT},  {"c_delivery_cnt", VALUE_INT},
    {"c_data", VALUE_TEXT},
};

static const struct column history_cols[] = {
    {"h_c_id", VALUE_INT},     {"h_c_d_id", VALUE_INT}, {"h_c_w_id", VALUE_INT},
    {"h_d_id", VALUE_INT},     {"h_w_id", VALUE_INT},   {"h_date", VALUE_TIME},
    {"h_amount", VALUE_MONEY}, {"h_data", VALUE_TEXT},
};

static const struct column orders_cols[] = {
    {"o_id", VALUE_INT},       {"o_d_id", VALUE_INT},
    {"o_w_id", VALUE_INT},     {"o_c_id", VALUE_INT},
    {"o_entry_d", VALUE_TIME}, {"o_carrier_id", VALUE_INT},
    {"o_ol_cnt", VALUE_INT},   {"o_all_local", VALUE_INT},
};

static const struct column new_order_cols[] = {
    {"no_o_id", VALUE_INT},
    {"no_d_id", VALUE_INT},
    {"no_w_id", VALUE_INT},
};

static const struct column order_line_cols[] = {
    {"ol_o_id", VALUE_INT},        {"ol_d_id", VALUE_INT},
    {"ol_w_id", VALUE_INT},        {"ol_number", VALUE_INT},
    {"ol_i_id", VALUE_INT},        {"ol_supply_w_id", VALUE_INT},
    {"ol_delivery_d", VALUE_TIME}, {"ol_quantity", VALUE_INT},
    {"ol_amount", VALUE_MONEY},    {"ol_dist_info", VALUE_TEXT},
};

const struct table_def tpcc_tables[TPCC_N_TABLES] = {
    [TPCC_ITEM] = {"item", item_cols, ARRAY_LEN(item_cols)},
    [TPCC_WAREHOUSE] = {"warehouse", warehouse_cols, ARRAY_LEN(warehouse_cols)},
    [TPCC_DISTRICT] = {"district", district_cols, ARRAY_LEN(district_cols)},
    [TPCC_STOCK] = {"stock", stock_cols, ARRAY_LEN(stock_cols)},
    [TPCC_CUSTOMER] = {"customer", customer_cols, ARRAY_LEN(customer_cols)},
    [TPCC_HISTORY] = {"history", history_cols, ARRAY_LEN(history_cols)},
    [TPCC_ORDER_TABLE] = {"orders", orders_cols, ARRAY_LEN(orders_cols)},
    [TPCC_NEW_ORDER_TABLE] = {"new_order", new_order_cols,
                              ARRAY_LEN(new_order_cols)},
    [TPCC_ORDER_LINE] = {"order_line", order_line_cols,
                         ARRAY_LEN(order_line_cols)},
};
