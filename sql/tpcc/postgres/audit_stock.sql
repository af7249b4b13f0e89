-- audit: stock, by key
-- (w_lo int, w_hi int, i_lo int, i_hi int) ->
-- (s_w_id int, s_i_id int, s_quantity int, dist_min int, dist_max int,
--  s_ytd int, s_order_cnt int, s_remote_cnt int, data_len int, original int)
SELECT s_w_id, s_i_id, s_quantity,
       LEAST(length(s_dist_01), length(s_dist_02), length(s_dist_03),
             length(s_dist_04), length(s_dist_05), length(s_dist_06),
             length(s_dist_07), length(s_dist_08), length(s_dist_09),
             length(s_dist_10)),
       GREATEST(length(s_dist_01), length(s_dist_02), length(s_dist_03),
                length(s_dist_04), length(s_dist_05), length(s_dist_06),
                length(s_dist_07), length(s_dist_08), length(s_dist_09),
                length(s_dist_10)),
       s_ytd, s_order_cnt, s_remote_cnt, length(s_data),
       CASE WHEN s_data LIKE '%ORIGINAL%' THEN 1 ELSE 0 END
FROM stock
WHERE (s_w_id, s_i_id) >= (:w_lo::bigint, :i_lo::bigint)
  AND (s_w_id, s_i_id) <= (:w_hi::bigint, :i_hi::bigint)
ORDER BY s_w_id, s_i_id;
