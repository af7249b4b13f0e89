-- TPC-C 2.5.2.2: name and address of the district
-- (w_id int, d_id int) -> (d_name text, d_street_1 text, d_street_2 text, d_city text, d_state text, d_zip text)
SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip
FROM district WHERE d_w_id = :w_id AND d_id = :d_id;
