-- TPC-C 2.5.2.2: the whole payment in one call, the middle customer of a name
-- (w_id int, d_id int, amount money, c_w_id int, c_d_id int, c_last text, date time) ->
-- (w_name text, w_street_1 text, w_street_2 text, w_city text, w_state text, w_zip text, d_name text, d_street_1 text, d_street_2 text, d_city text, d_state text, d_zip text, c_id int, c_first text, c_middle text, c_last text, c_street_1 text, c_street_2 text, c_city text, c_state text, c_zip text, c_phone text, c_since time, c_credit text, c_credit_lim money, c_discount rate, c_balance money, c_data text)
CALL dyno_tpcc_call_payment(
    :w_id, :d_id, :amount, :c_w_id, :c_d_id, NULL,
    :c_last, :date);
