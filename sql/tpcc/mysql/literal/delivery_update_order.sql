-- TPC-C 2.7.4.2: the carrier
-- (carrier_id int, w_id int, d_id int, o_id int)
UPDATE orders SET o_carrier_id = :carrier_id
WHERE o_w_id = :w_id AND o_d_id = :d_id AND o_id = :o_id;
