-- audit: payments, by the customer's key
-- () ->
-- (h_c_w_id int, h_c_d_id int, h_c_id int, h_d_id int, h_w_id int,
--  h_date time, h_amount money, h_data text)
SELECT h_c_w_id, h_c_d_id, h_c_id, h_d_id, h_w_id, h_date, h_amount, h_data
FROM history
ORDER BY h_c_w_id, h_c_d_id, h_c_id;
