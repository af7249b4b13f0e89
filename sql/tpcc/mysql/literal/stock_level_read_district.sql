-- TPC-C 2.8.2.2: the number of the next order
-- (w_id int, d_id int) -> (d_next_o_id int)
SELECT d_next_o_id FROM district WHERE d_w_id = :w_id AND d_id = :d_id;
