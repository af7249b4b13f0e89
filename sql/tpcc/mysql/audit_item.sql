-- audit: every item, by key
-- () ->
-- (i_id int, i_im_id int, i_name text, i_price money, i_data text)
SELECT i_id, i_im_id, i_name, i_price, i_data FROM item ORDER BY i_id;
