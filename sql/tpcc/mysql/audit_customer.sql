-- audit: customers, by key
-- (w_lo int, w_hi int, d_lo int, d_hi int) ->
-- (c_w_id int, c_d_id int, c_id int, c_first text, c_middle text,
--  c_last text, c_street_1 text, c_street_2 text, c_city text,
--  c_state text, c_zip text, c_phone text, c_since time, c_credit text,
--  c_credit_lim money, c_discount rate, c_balance money, c_ytd_payment money,
--  c_payment_cnt int, c_delivery_cnt int, c_data text)
SELECT c_w_id, c_d_id, c_id, c_first, c_middle, c_last, c_street_1, c_street_2,
       c_city, c_state, c_zip, c_phone, c_since, c_credit, c_credit_lim,
       c_discount, c_balance, c_ytd_payment, c_payment_cnt, c_delivery_cnt,
       c_data
FROM customer
WHERE c_w_id >= :w_lo AND c_w_id <= :w_hi
  AND (c_w_id > :w_lo OR c_d_id >= :d_lo)
  AND (c_w_id < :w_hi OR c_d_id <= :d_hi)
ORDER BY c_w_id, c_d_id, c_id;
