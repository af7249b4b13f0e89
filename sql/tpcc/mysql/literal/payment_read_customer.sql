-- TPC-C 2.5.2.2: the customer who pays
-- (w_id int, d_id int, c_id int) -> (c_first text, c_middle text, c_last text, c_street_1 text, c_street_2 text, c_city text, c_state text, c_zip text, c_phone text, c_since time, c_credit text, c_credit_lim money, c_discount rate, c_balance money)
SELECT c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state,
       c_zip, c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance
FROM customer WHERE c_w_id = :w_id AND c_d_id = :d_id AND c_id = :c_id;
