-- TPC-C 2.7.4.2: when the lines are delivered; what they cost
-- (delivery_d time, w_id int, districts ints, orders ints) -> (d_id int, amount money)
UPDATE order_line SET ol_delivery_d = :delivery_d
FROM unnest(:districts::int[], :orders::int[]) AS t (d, o)
WHERE ol_w_id = :w_id AND ol_d_id = d AND ol_o_id = o
RETURNING ol_d_id, ol_amount;
