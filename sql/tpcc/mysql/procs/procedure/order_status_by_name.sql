-- TPC-C 2.6.2.2: customer, newest order and its lines, the middle one of a name
-- (w_id int, d_id int, c_last text) ->
-- (c_id int, c_first text, c_middle text, c_last text, c_balance money, o_id int, o_entry_d time, o_carrier_id int, lines text)
CALL dyno_tpcc_call_order_status(:w_id, :d_id, NULL, :c_last);
