-- TPC-C 2.4.2.2: items and stock of all lines, those of one stock row added up
-- (d_id int, w_id int, items ints, supplies ints, quantities ints) -> (s_w_id int, s_i_id int, s_quantity int, s_dist text, s_data text, i_price money, i_name text, i_data text)
--
-- The lines come in the order of the key, and so are locked in it.
UPDATE (
    SELECT CAST(SUBSTRING(:supplies, 20 * k - 19, 20) AS SIGNED) AS s,
           CAST(SUBSTRING(:items, 20 * k - 19, 20) AS SIGNED) AS i,
           SUM(CAST(SUBSTRING(:quantities, 20 * k - 19, 20) AS SIGNED)) AS q,
           COUNT(*) AS n
    FROM dyno_numbers
    WHERE k <= CHAR_LENGTH(:items) DIV 20
    GROUP BY s, i) AS line
STRAIGHT_JOIN item ON i_id = line.i
STRAIGHT_JOIN stock ON s_w_id = line.s AND s_i_id = line.i
SET s_quantity = 10 + MOD(s_quantity - 10 - line.q + 182, 91),
    s_ytd = s_ytd + line.q,
    s_order_cnt = s_order_cnt + line.n,
    s_remote_cnt = s_remote_cnt
        + CASE WHEN s_w_id <> :w_id THEN line.n ELSE 0 END;
SELECT s_w_id, s_i_id, s_quantity,
       ELT(:d_id, s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05,
           s_dist_06, s_dist_07, s_dist_08, s_dist_09, s_dist_10),
       s_data, i_price, i_name, i_data
FROM dyno_numbers
STRAIGHT_JOIN stock
    ON s_w_id = CAST(SUBSTRING(:supplies, 20 * k - 19, 20) AS SIGNED)
   AND s_i_id = CAST(SUBSTRING(:items, 20 * k - 19, 20) AS SIGNED)
STRAIGHT_JOIN item ON i_id = s_i_id
WHERE k <= CHAR_LENGTH(:items) DIV 20;
