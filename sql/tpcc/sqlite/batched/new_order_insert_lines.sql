-- TPC-C 2.4.2.2: the lines; dists holds their texts of 24 characters in a row
-- (o_id int, d_id int, w_id int, numbers ints, items ints, supplies ints, quantities ints, amounts_cents ints, dists text)
INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id,
                        ol_supply_w_id, ol_delivery_d, ol_quantity,
                        ol_amount, ol_dist_info)
SELECT :o_id, :d_id, :w_id, n.value, i.value, s.value, NULL, q.value,
       a.value, substr(:dists, 1 + 24 * n.key, 24)
FROM json_each(:numbers) AS n
JOIN json_each(:items) AS i ON i.key = n.key
JOIN json_each(:supplies) AS s ON s.key = n.key
JOIN json_each(:quantities) AS q ON q.key = n.key
JOIN json_each(:amounts_cents) AS a ON a.key = n.key;
