-- audit: districts, by key
-- (w_lo int, w_hi int, d_lo int, d_hi int) ->
-- (d_w_id int, d_id int, d_name text, d_street_1 text, d_street_2 text,
--  d_city text, d_state text, d_zip text, d_tax rate, d_ytd money,
--  d_next_o_id int)
SELECT d_w_id, d_id, d_name, d_street_1, d_street_2, d_city, d_state, d_zip,
       d_tax, d_ytd, d_next_o_id
FROM district
WHERE d_w_id >= :w_lo AND d_w_id <= :w_hi
  AND (d_w_id > :w_lo OR d_id >= :d_lo)
  AND (d_w_id < :w_hi OR d_id <= :d_hi)
ORDER BY d_w_id, d_id;
