-- Composition procs: what is installed on the server, a routine for each
-- transaction.  This is its text for --call function.  For --call procedure
-- FUNCTION becomes PROCEDURE, dyno_tpcc_ becomes dyno_tpcc_call_, and
-- undoing an order becomes a ROLLBACK instead of an exception caught, which
-- needs a subtransaction but leaves no line in the server's log.  The comment
-- "version" becomes that of this text, by which dyno knows it again.
BEGIN;

DROP FUNCTION IF EXISTS dyno_tpcc_new_order;
DROP FUNCTION IF EXISTS dyno_tpcc_payment;
DROP FUNCTION IF EXISTS dyno_tpcc_order_status;
DROP FUNCTION IF EXISTS dyno_tpcc_delivery;
DROP FUNCTION IF EXISTS dyno_tpcc_stock_level;

-- TPC-C 2.4.2.2.  order_lines: a line for each, number, item, price, amount,
-- stock and brand apart by '|'.
CREATE FUNCTION dyno_tpcc_new_order(
    the_w int, the_d int, the_c int, entry_d timestamp, all_local int,
    items int[], supplies int[], quantities int[],
    INOUT rolled_back int DEFAULT 0,
    INOUT order_id int DEFAULT NULL,
    INOUT district_tax numeric DEFAULT NULL,
    INOUT warehouse_tax numeric DEFAULT NULL,
    INOUT discount numeric DEFAULT NULL,
    INOUT last_name text DEFAULT NULL,
    INOUT credit text DEFAULT NULL,
    INOUT order_lines text DEFAULT NULL)
LANGUAGE plpgsql AS $$
/* version */
DECLARE
    n_inserted int;
BEGIN
    BEGIN
        UPDATE district SET d_next_o_id = d_next_o_id + 1
        FROM warehouse, customer
        WHERE d_w_id = the_w AND d_id = the_d
          AND w_id = the_w
          AND c_w_id = the_w AND c_d_id = the_d AND c_id = the_c
        RETURNING d_next_o_id - 1, d_tax, w_tax, c_discount, c_last, c_credit
        INTO STRICT order_id, district_tax, warehouse_tax, discount,
            last_name, credit;
        INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d,
                            o_carrier_id, o_ol_cnt, o_all_local)
        VALUES (order_id, the_d, the_w, the_c, entry_d, NULL,
                cardinality(items), all_local);
        INSERT INTO new_order (no_o_id, no_d_id, no_w_id)
        VALUES (order_id, the_d, the_w);
        -- Lines of one stock row are added up: a statement changes a row
        -- once.  Stock is locked by key.
        WITH line AS MATERIALIZED (
            SELECT i, s, q, n
            FROM unnest(items, supplies, quantities)
                WITH ORDINALITY AS t (i, s, q, n)),
        wanted AS MATERIALIZED (
            SELECT i, s, sum(q)::int AS q, count(*)::int AS k
            FROM line GROUP BY i, s),
        locked AS MATERIALIZED (
            SELECT s_w_id AS w, s_i_id AS id, wanted.q, wanted.k,
                   i_price, i_name, i_data
            FROM wanted
            JOIN item ON i_id = wanted.i
            JOIN stock ON s_w_id = wanted.s AND s_i_id = wanted.i
            ORDER BY s_w_id, s_i_id
            FOR NO KEY UPDATE OF stock),
        changed AS (
            UPDATE stock SET
                s_quantity = 10 + mod(s_quantity - 10 - locked.q + 182, 91),
                s_ytd = s_ytd + locked.q,
                s_order_cnt = s_order_cnt + locked.k,
                s_remote_cnt = s_remote_cnt
                    + CASE WHEN s_w_id <> the_w THEN locked.k ELSE 0 END
            FROM locked
            WHERE s_w_id = locked.w AND s_i_id = locked.id
            RETURNING s_w_id, s_i_id, s_quantity, s_data, i_price, i_name,
                      i_data,
                      (ARRAY[s_dist_01, s_dist_02, s_dist_03, s_dist_04,
                             s_dist_05, s_dist_06, s_dist_07, s_dist_08,
                             s_dist_09, s_dist_10])[the_d] AS s_dist),
        inserted AS (
            INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number,
                                    ol_i_id, ol_supply_w_id, ol_delivery_d,
                                    ol_quantity, ol_amount, ol_dist_info)
            SELECT order_id, the_d, the_w, n, i, s, NULL, q, q * i_price,
                   s_dist
            FROM line JOIN changed ON s_w_id = s AND s_i_id = i)
        SELECT count(*),
               string_agg(concat_ws('|', n, i_name, i_price, q * i_price,
                                    s_quantity,
                                    CASE
                                        WHEN i_data LIKE '%ORIGINAL%'
                                            AND s_data LIKE '%ORIGINAL%'
                                        THEN 'B'
                                        ELSE 'G'
                                    END), E'\n' ORDER BY n)
        FROM line JOIN changed ON s_w_id = s AND s_i_id = i
        INTO n_inserted, order_lines;
        -- An item is not there: all of it was done, and is undone.
        IF n_inserted < cardinality(items) THEN
            rolled_back := 1;
            RAISE EXCEPTION USING ERRCODE = 'DYN01';
        END IF;
    EXCEPTION WHEN SQLSTATE 'DYN01' THEN
        NULL;
    END;
END
$$;

-- TPC-C 2.5.2.2.  By name when there is one: the middle customer.
CREATE FUNCTION dyno_tpcc_payment(
    the_w int, the_d int, amount numeric, the_c_w int, the_c_d int, the_c int,
    the_last text, pay_date timestamp,
    INOUT warehouse_name text DEFAULT NULL,
    INOUT warehouse_street_1 text DEFAULT NULL,
    INOUT warehouse_street_2 text DEFAULT NULL,
    INOUT warehouse_city text DEFAULT NULL,
    INOUT warehouse_state text DEFAULT NULL,
    INOUT warehouse_zip text DEFAULT NULL,
    INOUT district_name text DEFAULT NULL,
    INOUT district_street_1 text DEFAULT NULL,
    INOUT district_street_2 text DEFAULT NULL,
    INOUT district_city text DEFAULT NULL,
    INOUT district_state text DEFAULT NULL,
    INOUT district_zip text DEFAULT NULL,
    INOUT id int DEFAULT NULL,
    INOUT first_name text DEFAULT NULL,
    INOUT middle text DEFAULT NULL,
    INOUT last_name text DEFAULT NULL,
    INOUT street_1 text DEFAULT NULL,
    INOUT street_2 text DEFAULT NULL,
    INOUT city text DEFAULT NULL,
    INOUT state text DEFAULT NULL,
    INOUT zip text DEFAULT NULL,
    INOUT phone text DEFAULT NULL,
    INOUT since timestamp DEFAULT NULL,
    INOUT credit text DEFAULT NULL,
    INOUT credit_lim numeric DEFAULT NULL,
    INOUT discount numeric DEFAULT NULL,
    INOUT balance numeric DEFAULT NULL,
    INOUT note text DEFAULT NULL)
LANGUAGE plpgsql AS $$
/* version */
BEGIN
    UPDATE district SET d_ytd = d_ytd + amount
    WHERE d_w_id = the_w AND d_id = the_d
    RETURNING d_name, d_street_1, d_street_2, d_city, d_state, d_zip
    INTO STRICT district_name, district_street_1, district_street_2,
        district_city, district_state, district_zip;
    id := the_c;
    IF the_last IS NOT NULL THEN
        SELECT c FROM (
            SELECT c_id AS c,
                   row_number() OVER (ORDER BY c_first, c_id) AS r,
                   count(*) OVER () AS n
            FROM customer
            WHERE c_w_id = the_c_w AND c_d_id = the_c_d
              AND c_last = the_last) AS x
        WHERE r = (n + 1) / 2
        INTO STRICT id;
    END IF;
    UPDATE customer SET
        c_balance = c_balance - amount,
        c_ytd_payment = c_ytd_payment + amount,
        c_payment_cnt = c_payment_cnt + 1,
        c_data = CASE
            WHEN c_credit = 'BC' THEN
                substr(concat_ws(' ', c_id, c_d_id, c_w_id, the_d, the_w,
                                 amount::numeric(6, 2))
                       || '|' || c_data, 1, 500)
            ELSE c_data
        END
    WHERE c_w_id = the_c_w AND c_d_id = the_c_d AND c_id = id
    RETURNING c_first, c_middle, c_last, c_street_1, c_street_2, c_city,
        c_state, c_zip, c_phone, c_since, c_credit, c_credit_lim, c_discount,
        c_balance, CASE WHEN c_credit = 'BC' THEN substr(c_data, 1, 200) END
    INTO STRICT first_name, middle, last_name, street_1, street_2, city,
        state, zip, phone, since, credit, credit_lim, discount, balance,
        note;
    -- As late as possible: all payments of a warehouse meet on this row.
    UPDATE warehouse SET w_ytd = w_ytd + amount
    WHERE w_id = the_w
    RETURNING w_name, w_street_1, w_street_2, w_city, w_state, w_zip
    INTO STRICT warehouse_name, warehouse_street_1, warehouse_street_2,
        warehouse_city, warehouse_state, warehouse_zip;
    INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date,
                         h_amount, h_data)
    VALUES (id, the_c_d, the_c_w, the_d, the_w, pay_date, amount,
            warehouse_name || '    ' || district_name);
END
$$;

-- TPC-C 2.6.2.2.  order_lines: a line for each, item, supplying warehouse,
-- quantity, amount and date of delivery apart by '|'.
CREATE FUNCTION dyno_tpcc_order_status(
    the_w int, the_d int, the_c int, the_last text,
    INOUT id int DEFAULT NULL,
    INOUT first_name text DEFAULT NULL,
    INOUT middle text DEFAULT NULL,
    INOUT last_name text DEFAULT NULL,
    INOUT balance numeric DEFAULT NULL,
    INOUT order_id int DEFAULT NULL,
    INOUT entry_d timestamp DEFAULT NULL,
    INOUT carrier int DEFAULT NULL,
    INOUT order_lines text DEFAULT NULL)
LANGUAGE plpgsql AS $$
/* version */
BEGIN
    -- One statement, for all of it must come from one state of the data.
    WITH who AS MATERIALIZED (
        SELECT c_id, c_first, c_middle, c_last, c_balance
        FROM customer
        WHERE the_last IS NULL
          AND c_w_id = the_w AND c_d_id = the_d AND c_id = the_c
        UNION ALL
        SELECT c_id, c_first, c_middle, c_last, c_balance
        FROM (
            SELECT c_id, c_first, c_middle, c_last, c_balance,
                   row_number() OVER (ORDER BY c_first, c_id) AS r,
                   count(*) OVER () AS n
            FROM customer
            WHERE the_last IS NOT NULL
              AND c_w_id = the_w AND c_d_id = the_d
              AND c_last = the_last) AS x
        WHERE r = (n + 1) / 2)
    SELECT c_id, c_first, c_middle, c_last, c_balance, o_id, o_entry_d,
           o_carrier_id,
           (SELECT string_agg(concat_ws('|', ol_i_id, ol_supply_w_id,
                                        ol_quantity, ol_amount,
                                        ol_delivery_d), E'\n'
                              ORDER BY ol_number)
            FROM order_line
            WHERE ol_w_id = the_w AND ol_d_id = the_d AND ol_o_id = o_id)
    FROM who
    CROSS JOIN LATERAL (
        SELECT o_id, o_entry_d, o_carrier_id FROM orders
        WHERE o_w_id = the_w AND o_d_id = the_d AND o_c_id = c_id
        ORDER BY o_id DESC LIMIT 1) AS newest
    INTO STRICT id, first_name, middle, last_name, balance, order_id,
        entry_d, carrier, order_lines;
END
$$;

-- TPC-C 2.7.4.2.  delivered_orders: d_id:o_id for each district that had one.
CREATE FUNCTION dyno_tpcc_delivery(
    the_w int, carrier int, delivery_d timestamp,
    INOUT delivered int DEFAULT NULL,
    INOUT delivered_orders text DEFAULT NULL)
LANGUAGE plpgsql AS $$
/* version */
DECLARE
    districts int[];
    order_ids int[];
    customers int[];
    amounts numeric[];
BEGIN
    -- The oldest is locked before it is deleted: who waits for another
    -- delivery finds it gone and takes the next.
    WITH oldest AS MATERIALIZED (
        SELECT d, no_o_id AS o
        FROM generate_series(1, 10) AS d
        CROSS JOIN LATERAL (
            SELECT n.no_o_id FROM new_order AS n
            WHERE n.no_w_id = the_w AND n.no_d_id = d
            ORDER BY n.no_o_id LIMIT 1 FOR UPDATE) AS first),
    gone AS (
        DELETE FROM new_order USING oldest
        WHERE no_w_id = the_w AND no_d_id = oldest.d AND no_o_id = oldest.o
        RETURNING no_d_id AS d, no_o_id AS o)
    SELECT count(*), array_agg(d ORDER BY d), array_agg(o ORDER BY d),
           string_agg(d || ':' || o, ' ' ORDER BY d)
    FROM gone
    INTO delivered, districts, order_ids, delivered_orders;
    WITH sent AS (
        UPDATE orders SET o_carrier_id = carrier
        FROM unnest(districts, order_ids) AS t (d, o)
        WHERE o_w_id = the_w AND o_d_id = d AND o_id = o
        RETURNING o_d_id AS d, o_c_id AS c)
    SELECT array_agg(c ORDER BY d) FROM sent INTO customers;
    WITH line AS (
        UPDATE order_line SET ol_delivery_d = delivery_d
        FROM unnest(districts, order_ids) AS t (d, o)
        WHERE ol_w_id = the_w AND ol_d_id = d AND ol_o_id = o
        RETURNING ol_d_id AS d, ol_amount AS a)
    SELECT array_agg(a ORDER BY d)
    FROM (SELECT d, sum(a) AS a FROM line GROUP BY d) AS total
    INTO amounts;
    UPDATE customer SET
        c_balance = c_balance + a,
        c_delivery_cnt = c_delivery_cnt + 1
    FROM unnest(districts, customers, amounts) AS t (d, c, a)
    WHERE c_w_id = the_w AND c_d_id = d AND c_id = c;
END
$$;

-- TPC-C 2.8.2.2: distinct items of the last 20 orders low in stock.
CREATE FUNCTION dyno_tpcc_stock_level(
    the_w int, the_d int, threshold int,
    INOUT low_stock int DEFAULT NULL)
LANGUAGE plpgsql AS $$
/* version */
BEGIN
    SELECT count(DISTINCT s_i_id)
    FROM district
    JOIN order_line ON ol_w_id = d_w_id AND ol_d_id = d_id
        AND ol_o_id >= d_next_o_id - 20 AND ol_o_id < d_next_o_id
    JOIN stock ON s_w_id = d_w_id AND s_i_id = ol_i_id
    WHERE d_w_id = the_w AND d_id = the_d AND s_quantity < threshold
    INTO STRICT low_stock;
END
$$;

COMMIT;
