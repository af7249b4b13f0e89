-- audit: every warehouse, by key
-- () ->
-- (w_id int, w_name text, w_street_1 text, w_street_2 text, w_city text,
--  w_state text, w_zip text, w_tax rate, w_ytd money)
SELECT w_id, w_name, w_street_1, w_street_2, w_city, w_state, w_zip, w_tax,
       w_ytd
FROM warehouse
ORDER BY w_id;
