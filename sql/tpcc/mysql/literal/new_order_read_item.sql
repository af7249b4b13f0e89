-- TPC-C 2.4.2.2: the item; no row makes the order roll back (2.4.2.3)
-- (i_id int) -> (i_price money, i_name text, i_data text)
SELECT i_price, i_name, i_data FROM item WHERE i_id = :i_id;
