-- audit: undelivered orders, by key
-- (w_lo int, w_hi int, d_lo int, d_hi int) ->
-- (no_w_id int, no_d_id int, no_o_id int)
SELECT no_w_id, no_d_id, no_o_id
FROM new_order
WHERE (no_w_id, no_d_id) >= (:w_lo::bigint, :d_lo::bigint)
  AND (no_w_id, no_d_id) <= (:w_hi::bigint, :d_hi::bigint)
ORDER BY no_w_id, no_d_id, no_o_id;
