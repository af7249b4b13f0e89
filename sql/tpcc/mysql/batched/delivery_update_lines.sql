-- TPC-C 2.7.4.2: when the lines are delivered; what they cost
-- (delivery_d time, w_id int, districts ints, orders ints) -> (d_id int, amount money)
UPDATE dyno_numbers
STRAIGHT_JOIN order_line
    ON ol_w_id = :w_id
   AND ol_d_id = CAST(SUBSTRING(:districts, 20 * k - 19, 20) AS SIGNED)
   AND ol_o_id = CAST(SUBSTRING(:orders, 20 * k - 19, 20) AS SIGNED)
SET ol_delivery_d = :delivery_d
WHERE k <= CHAR_LENGTH(:districts) DIV 20;
SELECT ol_d_id, SUM(ol_amount)
FROM dyno_numbers
STRAIGHT_JOIN order_line
    ON ol_w_id = :w_id
   AND ol_d_id = CAST(SUBSTRING(:districts, 20 * k - 19, 20) AS SIGNED)
   AND ol_o_id = CAST(SUBSTRING(:orders, 20 * k - 19, 20) AS SIGNED)
WHERE k <= CHAR_LENGTH(:districts) DIV 20
GROUP BY ol_d_id;
