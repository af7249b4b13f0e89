-- audit: stock, by key
-- (w_lo int, w_hi int, i_lo int, i_hi int) ->
-- (s_w_id int, s_i_id int, s_quantity int, dist_min int, dist_max int,
--  s_ytd int, s_order_cnt int, s_remote_cnt int, data_len int, original int)
SELECT s_w_id, s_i_id, s_quantity,
       LEAST(CHAR_LENGTH(s_dist_01), CHAR_LENGTH(s_dist_02), CHAR_LENGTH(s_dist_03),
           CHAR_LENGTH(s_dist_04), CHAR_LENGTH(s_dist_05), CHAR_LENGTH(s_dist_06),
           CHAR_LENGTH(s_dist_07), CHAR_LENGTH(s_dist_08), CHAR_LENGTH(s_dist_09),
           CHAR_LENGTH(s_dist_10)),
       GREATEST(CHAR_LENGTH(s_dist_01), CHAR_LENGTH(s_dist_02), CHAR_LENGTH(s_dist_03),
           CHAR_LENGTH(s_dist_04), CHAR_LENGTH(s_dist_05), CHAR_LENGTH(s_dist_06),
           CHAR_LENGTH(s_dist_07), CHAR_LENGTH(s_dist_08), CHAR_LENGTH(s_dist_09),
           CHAR_LENGTH(s_dist_10)),
       s_ytd, s_order_cnt, s_remote_cnt, CHAR_LENGTH(s_data),
       instr(s_data, 'ORIGINAL') > 0
FROM stock
WHERE s_w_id >= :w_lo AND s_w_id <= :w_hi
  AND (s_w_id > :w_lo OR s_i_id >= :i_lo)
  AND (s_w_id < :w_hi OR s_i_id <= :i_hi)
ORDER BY s_w_id, s_i_id;
