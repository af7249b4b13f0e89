-- audit: undelivered orders, by key
-- (w_lo int, w_hi int, d_lo int, d_hi int) ->
-- (no_w_id int, no_d_id int, no_o_id int)
SELECT no_w_id, no_d_id, no_o_id
FROM new_order
WHERE no_w_id >= :w_lo AND no_w_id <= :w_hi
  AND (no_w_id > :w_lo OR no_d_id >= :d_lo)
  AND (no_w_id < :w_hi OR no_d_id <= :d_hi)
ORDER BY no_w_id, no_d_id, no_o_id;
