-- TPC-C 2.4.2.2: the number of the order, the taxes, the customer
-- (w_id int, d_id int, c_id int) -> (o_id int, d_tax rate, w_tax rate, c_discount rate, c_last text, c_credit text)
UPDATE district SET d_next_o_id = d_next_o_id + 1
WHERE d_w_id = :w_id AND d_id = :d_id;
SELECT d_next_o_id - 1, d_tax, w_tax, c_discount, c_last, c_credit
FROM district
JOIN warehouse ON w_id = d_w_id
JOIN customer ON c_w_id = d_w_id AND c_d_id = d_id AND c_id = :c_id
WHERE d_w_id = :w_id AND d_id = :d_id;
