-- Look-up mix: the lines of an order
-- (w_id int, d_id int, o_id int) -> (ol_i_id int, ol_supply_w_id int, ol_quantity int, ol_amount money, ol_delivery_d time)
SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d
FROM order_line
WHERE ol_w_id = :w_id AND ol_d_id = :d_id AND ol_o_id = :o_id;
