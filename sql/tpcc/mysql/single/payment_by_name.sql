-- TPC-C 2.5.2.2: the whole payment in one statement, the middle customer of a name
-- (w_id int, d_id int, amount money, c_w_id int, c_d_id int, c_last text, date time) ->
-- (w_name text, w_street_1 text, w_street_2 text, w_city text, w_state text, w_zip text, d_name text, d_street_1 text, d_street_2 text, d_city text, d_state text, d_zip text, c_id int, c_first text, c_middle text, c_last text, c_street_1 text, c_street_2 text, c_city text, c_state text, c_zip text, c_phone text, c_since time, c_credit text, c_credit_lim money, c_discount rate, c_balance money, c_data text)
BEGIN NOT ATOMIC
    DECLARE the_w int DEFAULT :w_id;
    DECLARE the_d int DEFAULT :d_id;
    DECLARE paid decimal(6, 2) DEFAULT :amount;
    DECLARE the_c_w int DEFAULT :c_w_id;
    DECLARE the_c_d int DEFAULT :c_d_id;
    DECLARE the_last varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT :c_last;
    DECLARE id int;
    DECLARE pay_date datetime(6) DEFAULT :date;

    START TRANSACTION;
    UPDATE district SET d_ytd = d_ytd + paid
    WHERE d_w_id = the_w AND d_id = the_d;
    SELECT CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(
                    GROUP_CONCAT(c_id ORDER BY c_first, c_id), ',',
                    (COUNT(*) + 1) DIV 2), ',', -1) AS SIGNED)
    INTO id
    FROM customer
    WHERE c_w_id = the_c_w AND c_d_id = the_c_d AND c_last = the_last;
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
