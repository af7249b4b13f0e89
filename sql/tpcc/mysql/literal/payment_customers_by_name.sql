-- TPC-C 2.5.2.2: the customers of a last name; the middle one is taken
-- (w_id int, d_id int, c_last text) -> (c_id int)
SELECT c_id FROM customer
WHERE c_w_id = :w_id AND c_d_id = :d_id AND c_last = :c_last
ORDER BY c_first, c_id;
