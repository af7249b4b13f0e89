-- TPC-C 2.7.4.2: the carrier; who ordered
-- (carrier_id int, w_id int, districts ints, orders ints) -> (d_id int, c_id int)
UPDATE orders SET o_carrier_id = :carrier_id
WHERE o_w_id = :w_id AND (o_d_id, o_id) IN (
    SELECT d.value, o.value
    FROM json_each(:districts) AS d
    JOIN json_each(:orders) AS o ON o.key = d.key)
RETURNING o_d_id, o_c_id;
