-- TPC-C 2.5.2.2: the warehouse's payments, its name and address
-- (w_id int, amount money) -> (w_name text, w_street_1 text, w_street_2 text, w_city text, w_state text, w_zip text)
UPDATE warehouse SET w_ytd = w_ytd + :amount
WHERE w_id = :w_id;
SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip
FROM warehouse WHERE w_id = :w_id;
