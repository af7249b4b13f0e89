-- TPC-C 2.7.4.2: the oldest waiting order of each district, in one statement
-- (w_id int, carrier_id int, delivery_d time) -> (delivered int, orders text)
--
-- The oldest row is locked before it is deleted: who waits for another delivery
-- finds it gone and takes the next.  "orders" is d_id:o_id for each district
-- that had one.
WITH oldest AS MATERIALIZED (
    SELECT d, no_o_id AS o
    FROM generate_series(1, 10) AS d
    CROSS JOIN LATERAL (
        SELECT n.no_o_id FROM new_order AS n
        WHERE n.no_w_id = :w_id::int AND n.no_d_id = d
        ORDER BY n.no_o_id LIMIT 1 FOR UPDATE) AS first),
gone AS (
    DELETE FROM new_order USING oldest
    WHERE no_w_id = :w_id::int AND no_d_id = oldest.d AND no_o_id = oldest.o
    RETURNING no_d_id AS d, no_o_id AS o),
sent AS (
    UPDATE orders SET o_carrier_id = :carrier_id::int
    FROM gone
    WHERE o_w_id = :w_id::int AND o_d_id = gone.d AND o_id = gone.o
    RETURNING o_d_id AS d, o_c_id AS c),
lines AS (
    UPDATE order_line SET ol_delivery_d = :delivery_d::timestamp
    FROM gone
    WHERE ol_w_id = :w_id::int AND ol_d_id = gone.d AND ol_o_id = gone.o
    RETURNING ol_d_id AS d, ol_amount AS a),
owed AS (
    UPDATE customer SET
        c_balance = c_balance + total.a,
        c_delivery_cnt = c_delivery_cnt + 1
    FROM sent
    JOIN (SELECT d, sum(a) AS a FROM lines GROUP BY d) AS total USING (d)
    WHERE c_w_id = :w_id::int AND c_d_id = sent.d AND c_id = sent.c)
SELECT count(*), string_agg(d || ':' || o, ' ' ORDER BY d) FROM gone;
