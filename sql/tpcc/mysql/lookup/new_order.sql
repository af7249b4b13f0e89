-- Look-up mix: the oldest order of a district not yet delivered
-- (w_id int, d_id int) -> (no_o_id int)
SELECT no_o_id FROM new_order
WHERE no_w_id = :w_id AND no_d_id = :d_id
ORDER BY no_o_id LIMIT 1;
