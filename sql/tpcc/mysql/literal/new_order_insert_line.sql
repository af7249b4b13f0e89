-- TPC-C 2.4.2.2: one line of the order
-- (o_id int, d_id int, w_id int, number int, i_id int, supply_w_id int, quantity int, amount money, dist_info text)
INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id,
                        ol_supply_w_id, ol_delivery_d, ol_quantity,
                        ol_amount, ol_dist_info)
VALUES (:o_id, :d_id, :w_id, :number, :i_id, :supply_w_id, NULL, :quantity,
        :amount, :dist_info);
