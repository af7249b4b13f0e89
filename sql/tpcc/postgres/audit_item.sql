-- audit: every item, by key
-- () ->
-- (i_id int, i_im_id int, name_len int, i_price money, data_len int,
--  original int)
SELECT i_id, i_im_id, length(i_name), i_price, length(i_data),
       CASE WHEN i_data LIKE '%ORIGINAL%' THEN 1 ELSE 0 END
FROM item
ORDER BY i_id;
