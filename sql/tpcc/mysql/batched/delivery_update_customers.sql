-- TPC-C 2.7.4.2: the customers owe it
-- (w_id int, districts ints, customers ints, amounts_cents ints)
UPDATE dyno_numbers
STRAIGHT_JOIN customer
    ON c_w_id = :w_id
   AND c_d_id = CAST(SUBSTRING(:districts, 20 * k - 19, 20) AS SIGNED)
   AND c_id = CAST(SUBSTRING(:customers, 20 * k - 19, 20) AS SIGNED)
SET c_balance = c_balance
        + CAST(SUBSTRING(:amounts_cents, 20 * k - 19, 20) AS SIGNED) / 100,
    c_delivery_cnt = c_delivery_cnt + 1
WHERE k <= CHAR_LENGTH(:districts) DIV 20;
