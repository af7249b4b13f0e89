-- TPC-C 2.5.2.2: the warehouse's payments
-- (w_id int, amount money)
UPDATE warehouse SET w_ytd = w_ytd + :amount WHERE w_id = :w_id;
