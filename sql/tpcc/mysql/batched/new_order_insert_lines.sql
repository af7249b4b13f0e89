-- TPC-C 2.4.2.2: the lines; dists holds their texts of 24 characters in a row
-- (o_id int, d_id int, w_id int, numbers ints, items ints, supplies ints, quantities ints, amounts_cents ints, dists text)
INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id,
                        ol_supply_w_id, ol_delivery_d, ol_quantity,
                        ol_amount, ol_dist_info)
SELECT :o_id, :d_id, :w_id,
       CAST(SUBSTRING(:numbers, 20 * k - 19, 20) AS SIGNED),
       CAST(SUBSTRING(:items, 20 * k - 19, 20) AS SIGNED),
       CAST(SUBSTRING(:supplies, 20 * k - 19, 20) AS SIGNED), NULL,
       CAST(SUBSTRING(:quantities, 20 * k - 19, 20) AS SIGNED),
       CAST(SUBSTRING(:amounts_cents, 20 * k - 19, 20) AS SIGNED) / 100,
       SUBSTRING(:dists, 24 * k - 23, 24)
FROM dyno_numbers
WHERE k <= CHAR_LENGTH(:numbers) DIV 20;
