-- audit: what a transaction shows of a warehouse
-- (w_id int) ->
-- (w_name text, w_street_1 text, w_street_2 text, w_city text, w_state text,
--  w_zip text, w_tax rate)
SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip, w_tax
FROM warehouse WHERE w_id = :w_id;
