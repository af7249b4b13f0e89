-- audit: the order lines of runs, by the stock that supplied them
-- () ->
-- (ol_supply_w_id int, ol_i_id int, ol_w_id int, ol_d_id int, ol_o_id int,
--  ol_number int, ol_quantity int, ol_dist_info text)
SELECT ol_supply_w_id, ol_i_id, ol_w_id, ol_d_id, ol_o_id, ol_number,
       ol_quantity, ol_dist_info
FROM order_line
WHERE ol_o_id > 3000
ORDER BY ol_supply_w_id, ol_i_id, ol_w_id, ol_d_id, ol_o_id, ol_number;
