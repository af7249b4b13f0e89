-- audit: what a transaction shows of the stock of an item
-- (w_id int, i_id int) -> (s_data text)
SELECT s_data FROM stock WHERE s_w_id = :w_id AND s_i_id = :i_id;
