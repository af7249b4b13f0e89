-- TPC-C 2.5.2.2: the district's payments
-- (w_id int, d_id int, amount money)
UPDATE district SET d_ytd = d_ytd + :amount
WHERE d_w_id = :w_id AND d_id = :d_id;
