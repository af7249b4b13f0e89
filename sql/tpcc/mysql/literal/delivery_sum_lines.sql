-- TPC-C 2.7.4.2: what the order costs
-- (w_id int, d_id int, o_id int) -> (amount money)
SELECT sum(ol_amount) FROM order_line
WHERE ol_w_id = :w_id AND ol_d_id = :d_id AND ol_o_id = :o_id;
