-- Composition procs: what is installed on the server, a procedure for each
-- transaction; a function cannot commit here.  dyno_tpcc_ becomes
-- dyno_tpcc_call_, and the comment "version" that of this text, by which dyno
-- knows it again.  Lists are texts, 20 characters an item.
DROP PROCEDURE IF EXISTS dyno_tpcc_new_order;
DROP PROCEDURE IF EXISTS dyno_tpcc_payment;
DROP PROCEDURE IF EXISTS dyno_tpcc_order_status;
DROP PROCEDURE IF EXISTS dyno_tpcc_delivery;
DROP PROCEDURE IF EXISTS dyno_tpcc_stock_level;

-- TPC-C 2.4.2.2.  order_lines: a line for each, number, item, price, amount,
-- stock and brand apart by '|'.  An item that is not there: all of it is done,
-- and undone.
CREATE PROCEDURE dyno_tpcc_new_order(
    the_w int, the_d int, the_c int, entry_date datetime(6), local int,
    items varchar(320), supplies varchar(320), quantities varchar(320))
COMMENT '/* version */'
BEGIN
    DECLARE n_lines int DEFAULT CHAR_LENGTH(items) DIV 20;
    DECLARE is_undone int DEFAULT 0;
    DECLARE order_lines text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
    DECLARE order_id int;
    DECLARE district_tax, warehouse_tax, discount decimal(4, 4);
    DECLARE last_name varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
    DECLARE credit char(2) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

    START TRANSACTION;
    UPDATE district SET d_next_o_id = d_next_o_id + 1
    WHERE d_w_id = the_w AND d_id = the_d;
    SELECT d_next_o_id - 1, d_tax, w_tax, c_discount, c_last, c_credit
    INTO order_id, district_tax, warehouse_tax, discount, last_name, credit
    FROM district
    JOIN warehouse ON w_id = the_w
    JOIN customer ON c_w_id = the_w AND c_d_id = the_d AND c_id = the_c
    WHERE d_w_id = the_w AND d_id = the_d;
    INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_carrier_id,
                        o_ol_cnt, o_all_local)
    VALUES (order_id, the_d, the_w, the_c, entry_date, NULL, n_lines, local);
    INSERT INTO new_order (no_o_id, no_d_id, no_w_id)
    VALUES (order_id, the_d, the_w);
    -- Lines of one stock row are added up: a statement changes a row once.
    -- Stock is locked by key; without the LIMIT some servers do not sort.
    UPDATE (
        SELECT CAST(SUBSTRING(supplies, 20 * k - 19, 20) AS SIGNED) AS s,
               CAST(SUBSTRING(items, 20 * k - 19, 20) AS SIGNED) AS i,
               SUM(CAST(SUBSTRING(quantities, 20 * k - 19, 20) AS SIGNED)) AS q,
               COUNT(*) AS n
        FROM dyno_numbers
        WHERE k <= n_lines
        GROUP BY s, i
        ORDER BY s, i LIMIT 15) AS line
    STRAIGHT_JOIN item ON i_id = line.i
    STRAIGHT_JOIN stock ON s_w_id = line.s AND s_i_id = line.i
    SET s_quantity = 10 + MOD(s_quantity - 10 - line.q + 182, 91),
        s_ytd = s_ytd + line.q,
        s_order_cnt = s_order_cnt + line.n,
        s_remote_cnt = s_remote_cnt
            + CASE WHEN s_w_id <> the_w THEN line.n ELSE 0 END;
    INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id,
                            ol_supply_w_id, ol_delivery_d, ol_quantity,
                            ol_amount, ol_dist_info)
    SELECT order_id, the_d, the_w, k, i_id, s_w_id, NULL,
           CAST(SUBSTRING(quantities, 20 * k - 19, 20) AS SIGNED),
           i_price * CAST(SUBSTRING(quantities, 20 * k - 19, 20) AS SIGNED),
           ELT(the_d, s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05,
               s_dist_06, s_dist_07, s_dist_08, s_dist_09, s_dist_10)
    FROM dyno_numbers
    STRAIGHT_JOIN item
        ON i_id = CAST(SUBSTRING(items, 20 * k - 19, 20) AS SIGNED)
    STRAIGHT_JOIN stock
        ON s_w_id = CAST(SUBSTRING(supplies, 20 * k - 19, 20) AS SIGNED)
       AND s_i_id = i_id
    WHERE k <= n_lines;
    SET is_undone = ROW_COUNT() < n_lines;
    SELECT GROUP_CONCAT(CONCAT_WS('|', k, i_name, i_price,
                                  i_price
                                  * CAST(SUBSTRING(quantities, 20 * k - 19, 20) AS SIGNED),
                                  s_quantity, CASE
                                      WHEN LOCATE('ORIGINAL', i_data) > 0
                                          AND LOCATE('ORIGINAL', s_data) > 0
                                      THEN 'B'
                                      ELSE 'G'
                                  END)
                        ORDER BY k SEPARATOR '\n')
    INTO order_lines
    FROM dyno_numbers
    STRAIGHT_JOIN item
        ON i_id = CAST(SUBSTRING(items, 20 * k - 19, 20) AS SIGNED)
    STRAIGHT_JOIN stock
        ON s_w_id = CAST(SUBSTRING(supplies, 20 * k - 19, 20) AS SIGNED)
       AND s_i_id = i_id
    WHERE k <= n_lines;
    IF is_undone THEN
        ROLLBACK;
    ELSE
        COMMIT;
    END IF;
    SELECT is_undone, order_id, district_tax, warehouse_tax, discount,
           last_name, credit, order_lines;
END;

-- TPC-C 2.5.2.2.  By name when there is one: the middle customer.
CREATE PROCEDURE dyno_tpcc_payment(
    the_w int, the_d int, paid decimal(6, 2), the_c_w int, the_c_d int,
    the_c int, the_last varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    pay_date datetime(6))
COMMENT '/* version */'
BEGIN
    DECLARE id int DEFAULT the_c;

    START TRANSACTION;
    UPDATE district SET d_ytd = d_ytd + paid
    WHERE d_w_id = the_w AND d_id = the_d;
    IF the_last IS NOT NULL THEN
        SELECT CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(
                        GROUP_CONCAT(c_id ORDER BY c_first, c_id), ',',
                        (COUNT(*) + 1) DIV 2), ',', -1) AS SIGNED)
        INTO id
        FROM customer
        WHERE c_w_id = the_c_w AND c_d_id = the_c_d AND c_last = the_last;
    END IF;
    UPDATE customer SET
        c_balance = c_balance - paid,
        c_ytd_payment = c_ytd_payment + paid,
        c_payment_cnt = c_payment_cnt + 1,
        c_data = CASE
            WHEN c_credit = 'BC' THEN
                LEFT(CONCAT(CONCAT_WS(' ', c_id, c_d_id, c_w_id, the_d, the_w,
                                      CAST(paid AS DECIMAL(6, 2))),
                            '|', c_data), 500)
            ELSE c_data
        END
    WHERE c_w_id = the_c_w AND c_d_id = the_c_d AND c_id = id;
    -- As late as possible: all payments of a warehouse meet on this row.
    UPDATE warehouse SET w_ytd = w_ytd + paid WHERE w_id = the_w;
    INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date,
                         h_amount, h_data)
    SELECT id, the_c_d, the_c_w, the_d, the_w, pay_date, paid,
           CONCAT(w_name, '    ', d_name)
    FROM warehouse JOIN district ON d_w_id = w_id AND d_id = the_d
    WHERE w_id = the_w;
    SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip, d_name,
           d_street_1, d_street_2, d_city, d_state, d_zip, c_id, c_first,
           c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip,
           c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance,
           CASE WHEN c_credit = 'BC' THEN LEFT(c_data, 200) END
    FROM warehouse
    JOIN district ON d_w_id = w_id AND d_id = the_d
    JOIN customer ON c_w_id = the_c_w AND c_d_id = the_c_d AND c_id = id
    WHERE w_id = the_w;
    COMMIT;
END;

-- TPC-C 2.6.2.2.  order_lines: a line for each, item, supplying warehouse,
-- quantity, amount and date of delivery apart by '|'.
CREATE PROCEDURE dyno_tpcc_order_status(
    the_w int, the_d int, the_c int,
    the_last varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin)
COMMENT '/* version */'
BEGIN
    DECLARE id int DEFAULT the_c;

    START TRANSACTION READ ONLY;
    IF the_last IS NOT NULL THEN
        SELECT CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(
                        GROUP_CONCAT(c_id ORDER BY c_first, c_id), ',',
                        (COUNT(*) + 1) DIV 2), ',', -1) AS SIGNED)
        INTO id
        FROM customer
        WHERE c_w_id = the_w AND c_d_id = the_d AND c_last = the_last;
    END IF;
    SELECT c_id, c_first, c_middle, c_last, c_balance, o_id, o_entry_d,
           o_carrier_id,
           (SELECT GROUP_CONCAT(CONCAT_WS('|', ol_i_id, ol_supply_w_id,
                                          ol_quantity, ol_amount, ol_delivery_d)
                                ORDER BY ol_number SEPARATOR '\n')
            FROM order_line
            WHERE ol_w_id = the_w AND ol_d_id = the_d AND ol_o_id = o_id)
    FROM customer
    STRAIGHT_JOIN orders ON o_w_id = the_w AND o_d_id = the_d AND o_id = (
        SELECT MAX(n.o_id) FROM orders AS n
        WHERE n.o_w_id = the_w AND n.o_d_id = the_d AND n.o_c_id = id)
    WHERE c_w_id = the_w AND c_d_id = the_d AND c_id = id;
    COMMIT;
END;

-- TPC-C 2.7.4.2.  delivered_orders: d_id:o_id for each district that had one.
CREATE PROCEDURE dyno_tpcc_delivery(
    the_w int, carrier int, delivery_date datetime(6))
COMMENT '/* version */'
BEGIN
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

-- TPC-C 2.8.2.2: distinct items of the last 20 orders low in stock.
CREATE PROCEDURE dyno_tpcc_stock_level(the_w int, the_d int, threshold int)
COMMENT '/* version */'
BEGIN
    SELECT COUNT(DISTINCT s_i_id)
    FROM district
    STRAIGHT_JOIN order_line ON ol_w_id = d_w_id AND ol_d_id = d_id
        AND ol_o_id >= d_next_o_id - 20 AND ol_o_id < d_next_o_id
    STRAIGHT_JOIN stock ON s_w_id = d_w_id AND s_i_id = ol_i_id
    WHERE d_w_id = the_w AND d_id = the_d AND s_quantity < threshold;
END;
