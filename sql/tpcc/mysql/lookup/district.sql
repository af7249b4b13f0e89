-- Look-up mix: a district by its key
-- (w_id int, d_id int) -> (d_name text, d_city text, d_tax rate, d_next_o_id int)
SELECT d_name, d_city, d_tax, d_next_o_id FROM district
WHERE d_w_id = :w_id AND d_id = :d_id;
