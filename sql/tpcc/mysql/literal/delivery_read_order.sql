-- TPC-C 2.7.4.2: who ordered
-- (w_id int, d_id int, o_id int) -> (o_c_id int)
--
-- FOR UPDATE reads what is there now, as the statement that found the order
-- has; the snapshot of repeatable read may be older than the order.
SELECT o_c_id FROM orders
WHERE o_w_id = :w_id AND o_d_id = :d_id AND o_id = :o_id
FOR UPDATE;
