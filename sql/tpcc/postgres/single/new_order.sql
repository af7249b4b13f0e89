-- TPC-C 2.4.2.2: the whole order, in one statement
-- (w_id int, d_id int, c_id int, entry_d time, all_local int, items ints, supplies ints, quantities ints) ->
-- (o_id int, d_tax rate, w_tax rate, c_discount rate, c_last text, c_credit text, ol_number int, i_name text, i_price money, ol_amount money, s_quantity int, brand text)
--
-- Lines are numbered as they come; those of one stock row are added up, since
-- a statement changes a row once.  "locked" reads "d" so that DISTRICT is
-- locked before STOCK, and STOCK by key.  An item that is not there has no
-- price, and ol_amount must not be null: the intended rollback is this error.
WITH line AS MATERIALIZED (
    SELECT i, s, q, n
    FROM unnest(:items::int[], :supplies::int[], :quantities::int[])
        WITH ORDINALITY AS t (i, s, q, n)),
wanted AS MATERIALIZED (
    SELECT i, s, sum(q)::int AS q, count(*)::int AS k
    FROM line GROUP BY i, s),
d AS (
    UPDATE district SET d_next_o_id = d_next_o_id + 1
    WHERE d_w_id = :w_id::int AND d_id = :d_id::int
    RETURNING d_next_o_id - 1 AS o_id, d_tax),
o AS (
    INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_carrier_id,
                        o_ol_cnt, o_all_local)
    SELECT o_id, :d_id::int, :w_id::int, :c_id::int, :entry_d::timestamp, NULL,
           cardinality(:items::int[]), :all_local::int
    FROM d),
waiting AS (
    INSERT INTO new_order (no_o_id, no_d_id, no_w_id)
    SELECT o_id, :d_id::int, :w_id::int FROM d),
locked AS MATERIALIZED (
    SELECT s_w_id AS w, s_i_id AS id, wanted.q, wanted.k
    FROM d CROSS JOIN wanted
    JOIN stock ON s_w_id = wanted.s AND s_i_id = wanted.i
    ORDER BY s_w_id, s_i_id
    FOR NO KEY UPDATE OF stock),
changed AS (
    UPDATE stock SET
        s_quantity = 10 + mod(s_quantity - 10 - locked.q + 182, 91),
        s_ytd = s_ytd + locked.q,
        s_order_cnt = s_order_cnt + locked.k,
        s_remote_cnt = s_remote_cnt
            + CASE WHEN s_w_id <> :w_id::int THEN locked.k ELSE 0 END
    FROM locked
    WHERE s_w_id = locked.w AND s_i_id = locked.id
    RETURNING s_w_id, s_i_id, s_quantity, s_data,
              (ARRAY[s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05,
                     s_dist_06, s_dist_07, s_dist_08, s_dist_09, s_dist_10]
              )[:d_id::int] AS s_dist),
ol AS (
    INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id,
                            ol_supply_w_id, ol_delivery_d, ol_quantity,
                            ol_amount, ol_dist_info)
    SELECT o_id, :d_id::int, :w_id::int, n, i, s, NULL, q, q * i_price, s_dist
    FROM d CROSS JOIN line
    LEFT JOIN item ON i_id = i
    LEFT JOIN changed ON s_w_id = s AND s_i_id = i
    RETURNING ol_number, ol_amount)
SELECT o_id, d_tax, w_tax, c_discount, c_last, c_credit, ol_number, i_name,
       i_price, ol_amount, s_quantity,
       CASE
           WHEN i_data LIKE '%ORIGINAL%' AND s_data LIKE '%ORIGINAL%' THEN 'B'
           ELSE 'G'
       END
FROM d
JOIN warehouse ON w_id = :w_id::int
JOIN customer ON c_w_id = :w_id::int AND c_d_id = :d_id::int
    AND c_id = :c_id::int
CROSS JOIN line
JOIN item ON i_id = i
JOIN changed ON s_w_id = s AND s_i_id = i
JOIN ol ON ol_number = n
ORDER BY n;
