-- TPC-C 2.4.2.2: the whole order, in one statement
-- (w_id int, d_id int, c_id int, entry_d time, all_local int, items ints, supplies ints, quantities ints) ->
-- (o_id int, d_tax rate, w_tax rate, c_discount rate, c_last text, c_credit text, ol_number int, i_name text, i_price money, ol_amount money, s_quantity int, brand text)
--
-- A block of MariaDB's.  Lines are numbered as they come.  The intended rollback
-- is an error, sent when all has been done and undone.
BEGIN NOT ATOMIC
    DECLARE the_w int DEFAULT :w_id;
    DECLARE the_d int DEFAULT :d_id;
    DECLARE the_c int DEFAULT :c_id;
    DECLARE entry_date datetime(6) DEFAULT :entry_d;
    DECLARE local int DEFAULT :all_local;
    DECLARE items varchar(320) DEFAULT :items;
    DECLARE supplies varchar(320) DEFAULT :supplies;
    DECLARE quantities varchar(320) DEFAULT :quantities;
    DECLARE n_lines int DEFAULT CHAR_LENGTH(items) DIV 20;
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
    IF ROW_COUNT() < n_lines THEN
        ROLLBACK;
        SIGNAL SQLSTATE '23502' SET MYSQL_ERRNO = 1048,
            MESSAGE_TEXT = 'an item is not there';
    END IF;
    SELECT order_id, district_tax, warehouse_tax, discount, last_name, credit,
           k, i_name, i_price,
           i_price * CAST(SUBSTRING(quantities, 20 * k - 19, 20) AS SIGNED),
           s_quantity, CASE
               WHEN LOCATE('ORIGINAL', i_data) > 0
                   AND LOCATE('ORIGINAL', s_data) > 0
               THEN 'B'
               ELSE 'G'
           END
    FROM dyno_numbers
    STRAIGHT_JOIN item
        ON i_id = CAST(SUBSTRING(items, 20 * k - 19, 20) AS SIGNED)
    STRAIGHT_JOIN stock
        ON s_w_id = CAST(SUBSTRING(supplies, 20 * k - 19, 20) AS SIGNED)
       AND s_i_id = i_id
    WHERE k <= n_lines
    ORDER BY k;
    COMMIT;
END;
