-- TPC-C 2.4.2.2: quantity by the stock rule, and the counters
-- (quantity int, remote int, supply_w_id int, i_id int)
UPDATE stock SET
    s_quantity = CASE
        WHEN s_quantity - :quantity >= 10 THEN s_quantity - :quantity
        ELSE s_quantity - :quantity + 91
    END,
    s_ytd = s_ytd + :quantity,
    s_order_cnt = s_order_cnt + 1,
    s_remote_cnt = s_remote_cnt + :remote
WHERE s_w_id = :supply_w_id AND s_i_id = :i_id;
