-- TPC-C 2.7.4.2: the oldest waiting order of each district, in one statement
-- (w_id int, carrier_id int, delivery_d time) -> (delivered int, orders text)
--
-- "orders" is d_id:o_id for each district that had one.
BEGIN NOT ATOMIC
    DECLARE the_w int DEFAULT :w_id;
    DECLARE carrier int DEFAULT :carrier_id;
    DECLARE delivery_date datetime(6) DEFAULT :delivery_d;
    DECLARE n_delivered int;
    DECLARE districts, order_ids varchar(200);
    DECLARE delivered_orders varchar(200);

    START TRANSACTION;
    -- The oldest are locked first: who waits for another delivery finds them
    -- gone and takes the next.
    SELECT COUNT(*),
           COALESCE(GROUP_CONCAT(LPAD(no_d_id, 20, ' ') ORDER BY no_d_id
                                 SEPARATOR ''), ''),
           COALESCE(GROUP_CONCAT(LPAD(no_o_id, 20, ' ') ORDER BY no_d_id
                                 SEPARATOR ''), ''),
           GROUP_CONCAT(CONCAT(no_d_id, ':', no_o_id) ORDER BY no_d_id
                        SEPARATOR ' ')
    INTO n_delivered, districts, order_ids, delivered_orders
    FROM (
        (SELECT no_d_id, no_o_id FROM new_order
         WHERE no_w_id = the_w AND no_d_id = 1
         ORDER BY no_o_id LIMIT 1 FOR UPDATE)
        UNION ALL
        (SELECT no_d_id, no_o_id FROM new_order
         WHERE no_w_id = the_w AND no_d_id = 2
         ORDER BY no_o_id LIMIT 1 FOR UPDATE)
        UNION ALL
        (SELECT no_d_id, no_o_id FROM new_order
         WHERE no_w_id = the_w AND no_d_id = 3
         ORDER BY no_o_id LIMIT 1 FOR UPDATE)
        UNION ALL
        (SELECT no_d_id, no_o_id FROM new_order
         WHERE no_w_id = the_w AND no_d_id = 4
         ORDER BY no_o_id LIMIT 1 FOR UPDATE)
        UNION ALL
        (SELECT no_d_id, no_o_id FROM new_order
         WHERE no_w_id = the_w AND no_d_id = 5
         ORDER BY no_o_id LIMIT 1 FOR UPDATE)
        UNION ALL
        (SELECT no_d_id, no_o_id FROM new_order
         WHERE no_w_id = the_w AND no_d_id = 6
         ORDER BY no_o_id LIMIT 1 FOR UPDATE)
        UNION ALL
        (SELECT no_d_id, no_o_id FROM new_order
         WHERE no_w_id = the_w AND no_d_id = 7
         ORDER BY no_o_id LIMIT 1 FOR UPDATE)
        UNION ALL
        (SELECT no_d_id, no_o_id FROM new_order
         WHERE no_w_id = the_w AND no_d_id = 8
         ORDER BY no_o_id LIMIT 1 FOR UPDATE)
        UNION ALL
        (SELECT no_d_id, no_o_id FROM new_order
         WHERE no_w_id = the_w AND no_d_id = 9
         ORDER BY no_o_id LIMIT 1 FOR UPDATE)
        UNION ALL
        (SELECT no_d_id, no_o_id FROM new_order
         WHERE no_w_id = the_w AND no_d_id = 10
         ORDER BY no_o_id LIMIT 1 FOR UPDATE)) AS oldest;
    DELETE new_order FROM dyno_numbers
    STRAIGHT_JOIN new_order
        ON no_w_id = the_w
       AND no_d_id = CAST(SUBSTRING(districts, 20 * k - 19, 20) AS SIGNED)
       AND no_o_id = CAST(SUBSTRING(order_ids, 20 * k - 19, 20) AS SIGNED)
    WHERE k <= n_delivered;
    UPDATE dyno_numbers
    STRAIGHT_JOIN orders
        ON o_w_id = the_w
       AND o_d_id = CAST(SUBSTRING(districts, 20 * k - 19, 20) AS SIGNED)
       AND o_id = CAST(SUBSTRING(order_ids, 20 * k - 19, 20) AS SIGNED)
    SET o_carrier_id = carrier
    WHERE k <= n_delivered;
    UPDATE dyno_numbers
    STRAIGHT_JOIN order_line
        ON ol_w_id = the_w
       AND ol_d_id = CAST(SUBSTRING(districts, 20 * k - 19, 20) AS SIGNED)
       AND ol_o_id = CAST(SUBSTRING(order_ids, 20 * k - 19, 20) AS SIGNED)
    SET ol_delivery_d = delivery_date
    WHERE k <= n_delivered;
    UPDATE (
        SELECT o_d_id AS d, o_c_id AS c, SUM(ol_amount) AS amount
        FROM dyno_numbers
        STRAIGHT_JOIN orders
            ON o_w_id = the_w
           AND o_d_id = CAST(SUBSTRING(districts, 20 * k - 19, 20) AS SIGNED)
           AND o_id = CAST(SUBSTRING(order_ids, 20 * k - 19, 20) AS SIGNED)
        STRAIGHT_JOIN order_line
            ON ol_w_id = the_w AND ol_d_id = o_d_id AND ol_o_id = o_id
        WHERE k <= n_delivered
        GROUP BY o_d_id, o_c_id
        ORDER BY o_d_id LIMIT 15) AS owed
    STRAIGHT_JOIN customer
        ON c_w_id = the_w AND c_d_id = owed.d AND c_id = owed.c
    SET c_balance = c_balance + owed.amount,
        c_delivery_cnt = c_delivery_cnt + 1;
    COMMIT;
    SELECT n_delivered, delivered_orders;
END;
