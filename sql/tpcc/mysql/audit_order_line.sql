-- audit: order lines, by key
-- (w_lo int, w_hi int, d_lo int, d_hi int) ->
-- (ol_w_id int, ol_d_id int, ol_o_id int, ol_number int, ol_i_id int,
--  ol_supply_w_id int, ol_delivery_d time, ol_quantity int, ol_amount money,
--  ol_dist_info text)
SELECT ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id,
       ol_delivery_d, ol_quantity, ol_amount, ol_dist_info
FROM order_line
WHERE ol_w_id >= :w_lo AND ol_w_id <= :w_hi
  AND (ol_w_id > :w_lo OR ol_d_id >= :d_lo)
  AND (ol_w_id < :w_hi OR ol_d_id <= :d_hi)
ORDER BY ol_w_id, ol_d_id, ol_o_id, ol_number;
