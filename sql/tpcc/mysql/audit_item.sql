-- audit: every item, by key
-- () ->
-- (i_id int, i_im_id int, name_len int, i_price money, data_len int,
--  original int)
SELECT i_id, i_im_id, CHAR_LENGTH(i_name), i_price, CHAR_LENGTH(i_data),
       instr(i_data, 'ORIGINAL') > 0
FROM item
ORDER BY i_id;
