-- TPC-C 2.4.2.2: the district's tax and the number of the new order
-- (w_id int, d_id int) -> (d_tax rate, d_next_o_id int)
SELECT d_tax, d_next_o_id FROM district WHERE d_w_id = :w_id AND d_id = :d_id
FOR UPDATE;
