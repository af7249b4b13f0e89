-- TPC-C 2.5.2.2: the same, and the note, of a customer of bad credit
-- (amount money, c_data text, w_id int, d_id int, c_id int)
UPDATE customer SET
    c_balance = c_balance - :amount,
    c_ytd_payment = c_ytd_payment + :amount,
    c_payment_cnt = c_payment_cnt + 1,
    c_data = :c_data
WHERE c_w_id = :w_id AND c_d_id = :d_id AND c_id = :c_id;
