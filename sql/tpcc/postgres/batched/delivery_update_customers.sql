-- TPC-C 2.7.4.2: the customers owe it
-- (w_id int, districts ints, customers ints, amounts_cents ints)
UPDATE customer SET
    c_balance = c_balance + a::numeric / 100,
    c_delivery_cnt = c_delivery_cnt + 1
FROM unnest(:districts::int[], :customers::int[], :amounts_cents::int[])
    AS t (d, c, a)
WHERE c_w_id = :w_id AND c_d_id = d AND c_id = c;
