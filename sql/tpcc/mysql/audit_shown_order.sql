-- audit: what a transaction shows of an order
-- (w_id int, d_id int, o_id int) ->
-- (o_c_id int, o_entry_d time, o_carrier_id int)
SELECT o_c_id, o_entry_d, o_carrier_id FROM orders
WHERE o_w_id = :w_id AND o_d_id = :d_id AND o_id = :o_id;
