-- TPC-C 2.5.2.2: the district's payments, its name and address
-- (w_id int, d_id int, amount money) -> (d_name text, d_street_1 text, d_street_2 text, d_city text, d_state text, d_zip text)
UPDATE district SET d_ytd = d_ytd + :amount
WHERE d_w_id = :w_id AND d_id = :d_id;
SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip
FROM district WHERE d_w_id = :w_id AND d_id = :d_id;
