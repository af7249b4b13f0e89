-- TPC-C 2.7.4.2: it waits no more
-- (w_id int, d_id int, o_id int)
DELETE FROM new_order
WHERE no_w_id = :w_id AND no_d_id = :d_id AND no_o_id = :o_id;
