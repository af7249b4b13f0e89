-- TPC-C 2.6.2.2: the customer's newest order
-- (w_id int, d_id int, c_id int) -> (o_id int, o_entry_d time, o_carrier_id int)
SELECT o_id, o_entry_d, o_carrier_id FROM orders
WHERE o_w_id = :w_id AND o_d_id = :d_id AND o_c_id = :c_id
ORDER BY o_id DESC LIMIT 1;
