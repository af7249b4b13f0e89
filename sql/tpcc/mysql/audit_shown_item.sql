-- audit: what a transaction shows of an item
-- (i_id int) -> (i_price money, i_name text, i_data text)
SELECT i_price, i_name, i_data FROM item WHERE i_id = :i_id;
