-- TPC-C 2.8.2.2: distinct items of the last 20 orders low in stock
-- (w_id int, d_id int, threshold int) -> (low_stock int)
CALL dyno_tpcc_call_stock_level(:w_id, :d_id, :threshold);
