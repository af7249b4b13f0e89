-- TPC-C 2.7.4.2: the customer owes it
-- (amount money, w_id int, d_id int, c_id int)
UPDATE customer SET
    c_balance = c_balance + :amount,
    c_delivery_cnt = c_delivery_cnt + 1
WHERE c_w_id = :w_id AND c_d_id = :d_id AND c_id = :c_id;
