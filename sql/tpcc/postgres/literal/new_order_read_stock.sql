-- TPC-C 2.4.2.2: the stock of the supplying warehouse, with the text for this district
-- (d_id int, supply_w_id int, i_id int) -> (s_quantity int, s_dist text, s_data text)
SELECT s_quantity,
       CASE :d_id::int
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
       s_data
FROM stock WHERE s_w_id = :supply_w_id AND s_i_id = :i_id
FOR NO KEY UPDATE;
