-- audit: customers, by key
-- (w_lo int, w_hi int, d_lo int, d_hi int) ->
-- (c_w_id int, c_d_id int, c_id int, first_len int, c_middle text,
--  c_last text, street_1_len int, street_2_len int, city_len int,
--  c_state text, c_zip text, c_phone text, c_since time, c_credit text,
--  c_credit_lim money, c_discount rate, c_balance money, c_ytd_payment money,
--  c_payment_cnt int, c_delivery_cnt int, data_len int)
SELECT c_w_id, c_d_id, c_id, CHAR_LENGTH(c_first), c_middle, c_last,
       CHAR_LENGTH(c_street_1), CHAR_LENGTH(c_street_2), CHAR_LENGTH(c_city), c_state, c_zip,
       c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance,
       c_ytd_payment, c_payment_cnt, c_delivery_cnt, CHAR_LENGTH(c_data)
FROM customer
WHERE c_w_id >= :w_lo AND c_w_id <= :w_hi
  AND (c_w_id > :w_lo OR c_d_id >= :d_lo)
  AND (c_w_id < :w_hi OR c_d_id <= :d_hi)
ORDER BY c_w_id, c_d_id, c_id;
