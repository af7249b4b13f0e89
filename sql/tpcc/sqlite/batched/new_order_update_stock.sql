-- TPC-C 2.4.2.2: items and stock of all lines, those of one stock row added up
-- (d_id int, w_id int, items ints, supplies ints, quantities ints) -> (s_w_id int, s_i_id int, s_quantity int, s_dist text, s_data text, i_price money, i_name text, i_data text)
UPDATE stock SET
    s_quantity = 10 + (s_quantity - 10 - q + 182) % 91,
    s_ytd = s_ytd + q,
    s_order_cnt = s_order_cnt + k,
    s_remote_cnt = s_remote_cnt + CASE WHEN s <> :w_id THEN k ELSE 0 END
FROM (SELECT i.value AS i, s.value AS s, sum(q.value) AS q, count(*) AS k
      FROM json_each(:items) AS i
      JOIN json_each(:supplies) AS s ON s.key = i.key
      JOIN json_each(:quantities) AS q ON q.key = i.key
      WHERE EXISTS (SELECT 1 FROM item WHERE i_id = i.value)
      GROUP BY 1, 2)
WHERE s_w_id = s AND s_i_id = i;
SELECT s_w_id, s_i_id, s_quantity,
       CASE :d_id
           WHEN 1 THEN s_dist_01
           WHEN 2 THEN s_dist_02
           WHEN 3 THEN s_dist_03
           WHEN 4 THEN s_dist_04
           WHEN 5 THEN s_dist_05
           WHEN 6 THEN s_dist_06
           WHEN 7 THEN s_dist_07
           WHEN 8 THEN s_dist_08
           WHEN 9 THEN s_dist_09
           WHEN 10 THEN s_dist_10
       END,
       s_data, i_price, i_name, i_data
FROM (SELECT DISTINCT i.value AS i, s.value AS s
      FROM json_each(:items) AS i
      JOIN json_each(:supplies) AS s ON s.key = i.key) AS line
CROSS JOIN stock ON s_w_id = line.s AND s_i_id = line.i
CROSS JOIN item ON i_id = line.i;
