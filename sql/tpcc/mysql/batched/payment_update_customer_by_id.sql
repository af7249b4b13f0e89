-- TPC-C 2.5.2.2: the customer who pays, by number
-- (w_id int, d_id int, amount money, c_w_id int, c_d_id int, c_id int) -> (c_id int, c_first text, c_middle text, c_last text, c_street_1 text, c_street_2 text, c_city text, c_state text, c_zip text, c_phone text, c_since time, c_credit text, c_credit_lim money, c_discount rate, c_balance money, c_data text)
UPDATE customer SET
    c_balance = c_balance - :amount,
    c_ytd_payment = c_ytd_payment + :amount,
    c_payment_cnt = c_payment_cnt + 1,
    c_data = CASE
        WHEN c_credit = 'BC' THEN
            LEFT(CONCAT(CONCAT_WS(' ', c_id, c_d_id, c_w_id, :d_id, :w_id,
                                  CAST(:amount AS DECIMAL(6, 2))),
                        '|', c_data), 500)
        ELSE c_data
    END
WHERE c_w_id = :c_w_id AND c_d_id = :c_d_id AND c_id = :c_id;
SELECT c_id, c_first, c_middle, c_last, c_street_1, c_street_2, c_city,
       c_state, c_zip, c_phone, c_since, c_credit, c_credit_lim,
       c_discount, c_balance,
       CASE WHEN c_credit = 'BC' THEN LEFT(c_data, 200) END
FROM customer
WHERE c_w_id = :c_w_id AND c_d_id = :c_d_id AND c_id = :c_id;
