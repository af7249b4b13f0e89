-- Look-up mix: the stock of an item by its key
-- (w_id int, i_id int) -> (s_quantity int, s_dist_01 text, s_data text)
SELECT s_quantity, s_dist_01, s_data FROM stock
WHERE s_w_id = :w_id AND s_i_id = :i_id;
