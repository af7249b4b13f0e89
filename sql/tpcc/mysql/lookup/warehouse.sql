-- Look-up mix: a warehouse by its key
-- (w_id int) -> (w_name text, w_city text, w_tax rate, w_ytd money)
SELECT w_name, w_city, w_tax, w_ytd FROM warehouse WHERE w_id = :w_id;
