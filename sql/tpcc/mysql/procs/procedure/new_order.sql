-- TPC-C 2.4.2.2: the whole order, in one call
-- (w_id int, d_id int, c_id int, entry_d time, all_local int, items ints, supplies ints, quantities ints) ->
-- (rolled_back int, o_id int, d_tax rate, w_tax rate, c_discount rate, c_last text, c_credit text, lines text)
CALL dyno_tpcc_call_new_order(
    :w_id, :d_id, :c_id, :entry_d, :all_local,
    :items, :supplies, :quantities);
