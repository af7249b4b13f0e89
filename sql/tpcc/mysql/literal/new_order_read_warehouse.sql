-- TPC-C 2.4.2.2: the warehouse's tax
-- (w_id int) -> (w_tax rate)
SELECT w_tax FROM warehouse WHERE w_id = :w_id;
