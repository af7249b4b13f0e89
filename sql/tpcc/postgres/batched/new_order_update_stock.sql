-- TPC-C 2.4.2.2: items and stock of all lines, those of one stock row added up
-- (d_id int, w_id int, items ints, supplies ints, quantities ints) -> (s_w_id int, s_i_id int, s_quantity int, s_dist text, s_data text, i_price money, i_name text, i_data text)
WITH line AS MATERIALIZED (
    SELECT i, s, sum(q)::int AS q, count(*)::int AS k
    FROM unnest(:items::int[], :supplies::int[], :quantities::int[])
        AS t (i, s, q)
    GROUP BY i, s),
locked AS MATERIALIZED (
    SELECT stock.s_w_id AS w, stock.s_i_id AS id, line.q, line.k,
           i_price, i_name, i_data
    FROM line
    JOIN item ON i_id = line.i
    JOIN stock ON stock.s_w_id = line.s AND stock.s_i_id = line.i
    ORDER BY stock.s_w_id, stock.s_i_id
    FOR NO KEY UPDATE OF stock)
UPDATE stock SET
    s_quantity = 10 + mod(s_quantity - 10 - locked.q + 182, 91),
    s_ytd = s_ytd + locked.q,
    s_order_cnt = s_order_cnt + locked.k,
    s_remote_cnt = s_remote_cnt
        + CASE WHEN s_w_id <> :w_id::int THEN locked.k ELSE 0 END
FROM locked
WHERE s_w_id = locked.w AND s_i_id = locked.id
RETURNING s_w_id, s_i_id, s_quantity,
          (ARRAY[s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05,
                 s_dist_06, s_dist_07, s_dist_08, s_dist_09, s_dist_10]
          )[:d_id::int],
          s_data, i_price, i_name, i_data;
