-- audit: the lines of each order together, by the order's key
-- (w_lo int, w_hi int, d_lo int, d_hi int) ->
-- (ol_w_id int, ol_d_id int, ol_o_id int, n int, n_delivered int,
--  n_remote int, number_min int, number_max int, item_min int, item_max int,
--  quantity_min int, quantity_max int, amount_min money, amount_max money,
--  amount_delivered money, delivery_min time, delivery_max time,
--  dist_info_min int, dist_info_max int)
SELECT ol_w_id, ol_d_id, ol_o_id, COUNT(*), COUNT(ol_delivery_d),
       SUM(ol_supply_w_id <> ol_w_id), MIN(ol_number), MAX(ol_number),
       MIN(ol_i_id), MAX(ol_i_id), MIN(ol_quantity), MAX(ol_quantity),
       MIN(ol_amount), MAX(ol_amount),
       SUM(CASE WHEN ol_delivery_d IS NULL THEN 0 ELSE ol_amount END),
       MIN(ol_delivery_d), MAX(ol_delivery_d), MIN(CHAR_LENGTH(ol_dist_info)),
       MAX(CHAR_LENGTH(ol_dist_info))
FROM order_line
WHERE ol_w_id >= :w_lo AND ol_w_id <= :w_hi
  AND (ol_w_id > :w_lo OR ol_d_id >= :d_lo)
  AND (ol_w_id < :w_hi OR ol_d_id <= :d_hi)
GROUP BY ol_w_id, ol_d_id, ol_o_id
ORDER BY ol_w_id, ol_d_id, ol_o_id;
