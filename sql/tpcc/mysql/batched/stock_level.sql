-- TPC-C 2.8.2.2: distinct items of the last 20 orders low in stock
-- (w_id int, d_id int, threshold int) -> (low_stock int)
SELECT COUNT(DISTINCT s_i_id)
FROM district
STRAIGHT_JOIN order_line ON ol_w_id = d_w_id AND ol_d_id = d_id
    AND ol_o_id >= d_next_o_id - 20 AND ol_o_id < d_next_o_id
STRAIGHT_JOIN stock ON s_w_id = d_w_id AND s_i_id = ol_i_id
WHERE d_w_id = :w_id AND d_id = :d_id AND s_quantity < :threshold;
