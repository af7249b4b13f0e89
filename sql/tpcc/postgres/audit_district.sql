-- audit: districts, by key
-- (w_lo int, w_hi int, d_lo int, d_hi int) ->
-- (d_w_id int, d_id int, name_len int, street_1_len int, street_2_len int,
--  city_len int, d_state text, d_zip text, d_tax rate, d_ytd money,
--  d_next_o_id int)
SELECT d_w_id, d_id, length(d_name), length(d_street_1), length(d_street_2),
       length(d_city), d_state, d_zip, d_tax, d_ytd, d_next_o_id
FROM district
WHERE (d_w_id, d_id) >= (:w_lo::bigint, :d_lo::bigint)
  AND (d_w_id, d_id) <= (:w_hi::bigint, :d_hi::bigint)
ORDER BY d_w_id, d_id;
