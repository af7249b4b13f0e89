-- The routines of composition procs, and the nine tables, children first.
DROP PROCEDURE IF EXISTS dyno_tpcc_call_new_order;
DROP PROCEDURE IF EXISTS dyno_tpcc_call_payment;
DROP PROCEDURE IF EXISTS dyno_tpcc_call_order_status;
DROP PROCEDURE IF EXISTS dyno_tpcc_call_delivery;
DROP PROCEDURE IF EXISTS dyno_tpcc_call_stock_level;
DROP TABLE IF EXISTS order_line;
DROP TABLE IF EXISTS new_order;
DROP TABLE IF EXISTS orders;
DROP TABLE IF EXISTS history;
DROP TABLE IF EXISTS customer;
DROP TABLE IF EXISTS stock;
DROP TABLE IF EXISTS district;
DROP TABLE IF EXISTS warehouse;
DROP TABLE IF EXISTS item;
DROP TABLE IF EXISTS dyno_numbers;
