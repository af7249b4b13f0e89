-- TPC-C 2.7.4.2: the oldest waiting order of each district waits no more
-- (w_id int) -> (d_id int, o_id int)
DELETE FROM new_order
WHERE no_w_id = :w_id AND (no_d_id, no_o_id) IN (
    SELECT d_id, (SELECT min(n.no_o_id) FROM new_order AS n
                  WHERE n.no_w_id = :w_id AND n.no_d_id = d_id)
    FROM district WHERE d_w_id = :w_id)
RETURNING no_d_id, no_o_id;
