-- audit: the lines of the orders of runs together, by supplying warehouse
-- () -> (ol_supply_w_id int, n int, quantity int, n_remote int)
SELECT ol_supply_w_id, COUNT(*), SUM(ol_quantity),
       SUM(ol_supply_w_id <> ol_w_id)
FROM order_line
WHERE ol_o_id > 3000
GROUP BY ol_supply_w_id
ORDER BY ol_supply_w_id;
