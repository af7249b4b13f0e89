-- TPC-C 2.4.2.2: the next order of the district gets the next number
-- (w_id int, d_id int)
UPDATE district SET d_next_o_id = d_next_o_id + 1
WHERE d_w_id = :w_id AND d_id = :d_id;
