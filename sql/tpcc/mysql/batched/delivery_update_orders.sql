-- TPC-C 2.7.4.2: the carrier; who ordered
-- (carrier_id int, w_id int, districts ints, orders ints) -> (d_id int, c_id int)
DELETE new_order FROM dyno_numbers
STRAIGHT_JOIN new_order
    ON no_w_id = :w_id
   AND no_d_id = CAST(SUBSTRING(:districts, 20 * k - 19, 20) AS SIGNED)
   AND no_o_id = CAST(SUBSTRING(:orders, 20 * k - 19, 20) AS SIGNED)
WHERE k <= CHAR_LENGTH(:districts) DIV 20;
UPDATE dyno_numbers
STRAIGHT_JOIN orders
    ON o_w_id = :w_id
   AND o_d_id = CAST(SUBSTRING(:districts, 20 * k - 19, 20) AS SIGNED)
   AND o_id = CAST(SUBSTRING(:orders, 20 * k - 19, 20) AS SIGNED)
SET o_carrier_id = :carrier_id
WHERE k <= CHAR_LENGTH(:districts) DIV 20;
SELECT o_d_id, o_c_id
FROM dyno_numbers
STRAIGHT_JOIN orders
    ON o_w_id = :w_id
   AND o_d_id = CAST(SUBSTRING(:districts, 20 * k - 19, 20) AS SIGNED)
   AND o_id = CAST(SUBSTRING(:orders, 20 * k - 19, 20) AS SIGNED)
WHERE k <= CHAR_LENGTH(:districts) DIV 20;
