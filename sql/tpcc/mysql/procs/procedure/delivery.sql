-- TPC-C 2.7.4.2: the oldest waiting order of each district, in one call
-- (w_id int, carrier_id int, delivery_d time) -> (delivered int, orders text)
CALL dyno_tpcc_call_delivery(:w_id, :carrier_id, :delivery_d);
