-- audit: what a transaction shows of a district
-- (w_id int, d_id int) ->
-- (d_name text, d_street_1 text, d_street_2 text, d_city text, d_state text,
--  d_zip text, d_tax rate)
SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip, d_tax
FROM district WHERE d_w_id = :w_id AND d_id = :d_id;
