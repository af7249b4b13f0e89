-- audit: orders, by key
-- (w_lo int, w_hi int, d_lo int, d_hi int) ->
-- (o_w_id int, o_d_id int, o_id int, o_c_id int, o_entry_d time,
--  o_carrier_id int, o_ol_cnt int, o_all_local int)
SELECT o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt,
       o_all_local
FROM orders
WHERE o_w_id >= :w_lo AND o_w_id <= :w_hi
  AND (o_w_id > :w_lo OR o_d_id >= :d_lo)
  AND (o_w_id < :w_hi OR o_d_id <= :d_hi)
ORDER BY o_w_id, o_d_id, o_id;
