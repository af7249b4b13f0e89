-- TPC-C 2.7.4.2: the oldest waiting order of each district waits no more
-- (w_id int) -> (d_id int, o_id int)
WITH oldest AS MATERIALIZED (
    SELECT d, no_o_id AS o
    FROM generate_series(1, 10) AS d
    CROSS JOIN LATERAL (
        SELECT n.no_o_id FROM new_order AS n
        WHERE n.no_w_id = :w_id AND n.no_d_id = d
        ORDER BY n.no_o_id LIMIT 1 FOR UPDATE) AS first)
DELETE FROM new_order USING oldest
WHERE no_w_id = :w_id AND no_d_id = oldest.d AND no_o_id = oldest.o
RETURNING no_d_id, no_o_id;
