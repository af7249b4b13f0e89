-- TPC-C 2.4.2.2: the customer who orders
-- (w_id int, d_id int, c_id int) -> (c_discount rate, c_last text, c_credit text)
SELECT c_discount, c_last, c_credit FROM customer
WHERE c_w_id = :w_id AND c_d_id = :d_id AND c_id = :c_id;
