-- audit: the payments of each customer together, by the customer's key
-- () ->
-- (h_c_w_id int, h_c_d_id int, h_c_id int, n int, amount money,
--  amount_min money, amount_max money, data_min int, data_max int)
SELECT h_c_w_id, h_c_d_id, h_c_id, COUNT(*), SUM(h_amount), MIN(h_amount),
       MAX(h_amount), MIN(CHAR_LENGTH(h_data)), MAX(CHAR_LENGTH(h_data))
FROM history
GROUP BY h_c_w_id, h_c_d_id, h_c_id
ORDER BY h_c_w_id, h_c_d_id, h_c_id;
