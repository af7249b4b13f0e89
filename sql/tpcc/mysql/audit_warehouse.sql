-- audit: every warehouse, by key
-- () ->
-- (w_id int, name_len int, street_1_len int, street_2_len int, city_len int,
--  w_state text, w_zip text, w_tax rate, w_ytd money)
SELECT w_id, CHAR_LENGTH(w_name), CHAR_LENGTH(w_street_1), CHAR_LENGTH(w_street_2),
       CHAR_LENGTH(w_city), w_state, w_zip, w_tax, w_ytd
FROM warehouse
ORDER BY w_id;
