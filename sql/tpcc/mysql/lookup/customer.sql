-- Look-up mix: a customer by its key
-- (w_id int, d_id int, c_id int) -> (c_first text, c_last text, c_credit text, c_balance money, c_data text)
SELECT c_first, c_last, c_credit, c_balance, c_data FROM customer
WHERE c_w_id = :w_id AND c_d_id = :d_id AND c_id = :c_id;
