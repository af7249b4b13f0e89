-- TPC-C 2.5.2.2: the whole payment in one statement, the middle customer of a name
-- (w_id int, d_id int, amount money, c_w_id int, c_d_id int, c_last text, date time) ->
-- (w_name text, w_street_1 text, w_street_2 text, w_city text, w_state text, w_zip text, d_name text, d_street_1 text, d_street_2 text, d_city text, d_state text, d_zip text, c_id int, c_first text, c_middle text, c_last text, c_street_1 text, c_street_2 text, c_city text, c_state text, c_zip text, c_phone text, c_since time, c_credit text, c_credit_lim money, c_discount rate, c_balance money, c_data text)
--
-- Each part reads the one before it, so that DISTRICT is locked before CUSTOMER
-- and the warehouse, where all payments meet, last.
WITH d AS (
    UPDATE district SET d_ytd = d_ytd + :amount::numeric
    WHERE d_w_id = :w_id::int AND d_id = :d_id::int
    RETURNING d_name, d_street_1, d_street_2, d_city, d_state, d_zip),
c AS (
    UPDATE customer SET
        c_balance = c_balance - :amount::numeric,
        c_ytd_payment = c_ytd_payment + :amount::numeric,
        c_payment_cnt = c_payment_cnt + 1,
        c_data = CASE
            WHEN c_credit = 'BC' THEN
                substr(concat_ws(' ', c_id, c_d_id, c_w_id, :d_id::int,
                                 :w_id::int, :amount::numeric(6, 2))
                       || '|' || c_data, 1, 500)
            ELSE c_data
        END
    FROM d
    WHERE c_w_id = :c_w_id::int AND c_d_id = :c_d_id::int
      AND c_id = (
          SELECT id FROM (
              SELECT m.c_id AS id,
                     row_number() OVER (ORDER BY m.c_first, m.c_id) AS r,
                     count(*) OVER () AS n
              FROM customer AS m
              WHERE m.c_w_id = :c_w_id::int AND m.c_d_id = :c_d_id::int
                AND m.c_last = :c_last::text) AS x
          WHERE r = (n + 1) / 2)
    RETURNING d.*, c_id, c_first, c_middle, c_last, c_street_1, c_street_2,
              c_city, c_state, c_zip, c_phone, c_since, c_credit,
              c_credit_lim, c_discount, c_balance,
              CASE WHEN c_credit = 'BC' THEN substr(c_data, 1, 200) END
                  AS c_data),
w AS (
    UPDATE warehouse SET w_ytd = w_ytd + :amount::numeric
    FROM c
    WHERE w_id = :w_id::int
    RETURNING w_name, w_street_1, w_street_2, w_city, w_state, w_zip, c.*),
h AS (
    INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date,
                         h_amount, h_data)
    SELECT c_id, :c_d_id::int, :c_w_id::int, :d_id::int, :w_id::int,
           :date::timestamp, :amount::numeric, w_name || '    ' || d_name
    FROM w)
SELECT * FROM w;
