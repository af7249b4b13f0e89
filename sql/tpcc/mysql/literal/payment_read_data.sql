-- TPC-C 2.5.2.2: what is noted about a customer of bad credit
-- (w_id int, d_id int, c_id int) -> (c_data text)
SELECT c_data FROM customer
WHERE c_w_id = :w_id AND c_d_id = :d_id AND c_id = :c_id;
