-- TPC-C 2.4.2.2: the order
-- (o_id int, d_id int, w_id int, c_id int, entry_d time, ol_cnt int, all_local int)
INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_carrier_id,
                    o_ol_cnt, o_all_local)
VALUES (:o_id, :d_id, :w_id, :c_id, :entry_d, NULL, :ol_cnt, :all_local);
