-- TPC-C 2.6.2.2: the customer, by number
-- (w_id int, d_id int, c_id int) -> (c_id int, c_first text, c_middle text, c_last text, c_balance money)
SELECT c_id, c_first, c_middle, c_last, c_balance FROM customer
WHERE c_w_id = :w_id AND c_d_id = :d_id AND c_id = :c_id;
