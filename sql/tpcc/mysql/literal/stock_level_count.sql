-- TPC-C 2.8.2.2: distinct items of the last 20 orders low in stock
-- (w_id int, d_id int, o_low int, o_end int, threshold int) -> (low_stock int)
SELECT count(DISTINCT s_i_id)
FROM order_line JOIN stock ON s_w_id = :w_id AND s_i_id = ol_i_id
WHERE ol_w_id = :w_id AND ol_d_id = :d_id
  AND ol_o_id >= :o_low AND ol_o_id < :o_end
  AND s_quantity < :threshold;
