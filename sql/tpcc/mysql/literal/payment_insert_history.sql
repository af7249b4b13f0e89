-- TPC-C 2.5.2.2: the payment itself
-- (c_id int, c_d_id int, c_w_id int, d_id int, w_id int, date time, amount money, data text)
INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date,
                     h_amount, h_data)
VALUES (:c_id, :c_d_id, :c_w_id, :d_id, :w_id, :date, :amount, :data);
