-- TPC-C 2.4.2.2: the stock of the supplying warehouse, with the text for this district
-- (d_id int, supply_w_id int, i_id int) -> (s_quantity int, s_dist text, s_data text)
SELECT s_quantity,
       ELT(:d_id, s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05,
           s_dist_06, s_dist_07, s_dist_08, s_dist_09, s_dist_10),
       s_data
FROM stock WHERE s_w_id = :supply_w_id AND s_i_id = :i_id
FOR UPDATE;
