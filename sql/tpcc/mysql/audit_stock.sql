-- audit: stock, by key
-- (w_lo int, w_hi int, i_lo int, i_hi int) ->
-- (s_w_id int, s_i_id int, s_quantity int, s_dist_01 text, s_dist_02 text,
--  s_dist_03 text, s_dist_04 text, s_dist_05 text, s_dist_06 text,
--  s_dist_07 text, s_dist_08 text, s_dist_09 text, s_dist_10 text,
--  s_ytd int, s_order_cnt int, s_remote_cnt int, s_data text)
SELECT s_w_id, s_i_id, s_quantity, s_dist_01, s_dist_02, s_dist_03, s_dist_04,
       s_dist_05, s_dist_06, s_dist_07, s_dist_08, s_dist_09, s_dist_10, s_ytd,
       s_order_cnt, s_remote_cnt, s_data
FROM stock
WHERE s_w_id >= :w_lo AND s_w_id <= :w_hi
  AND (s_w_id > :w_lo OR s_i_id >= :i_lo)
  AND (s_w_id < :w_hi OR s_i_id <= :i_hi)
ORDER BY s_w_id, s_i_id;
