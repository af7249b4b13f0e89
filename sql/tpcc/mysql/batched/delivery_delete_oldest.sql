-- TPC-C 2.7.4.2: the oldest waiting order of each district waits no more
-- (w_id int) -> (d_id int, o_id int)
--
-- They are locked here, and deleted with the update of the orders: DELETE with
-- RETURNING is not everywhere, and knows no list.
(SELECT no_d_id, no_o_id FROM new_order WHERE no_w_id = :w_id AND no_d_id = 1
 ORDER BY no_o_id LIMIT 1 FOR UPDATE)
UNION ALL
(SELECT no_d_id, no_o_id FROM new_order WHERE no_w_id = :w_id AND no_d_id = 2
 ORDER BY no_o_id LIMIT 1 FOR UPDATE)
UNION ALL
(SELECT no_d_id, no_o_id FROM new_order WHERE no_w_id = :w_id AND no_d_id = 3
 ORDER BY no_o_id LIMIT 1 FOR UPDATE)
UNION ALL
(SELECT no_d_id, no_o_id FROM new_order WHERE no_w_id = :w_id AND no_d_id = 4
 ORDER BY no_o_id LIMIT 1 FOR UPDATE)
UNION ALL
(SELECT no_d_id, no_o_id FROM new_order WHERE no_w_id = :w_id AND no_d_id = 5
 ORDER BY no_o_id LIMIT 1 FOR UPDATE)
UNION ALL
(SELECT no_d_id, no_o_id FROM new_order WHERE no_w_id = :w_id AND no_d_id = 6
 ORDER BY no_o_id LIMIT 1 FOR UPDATE)
UNION ALL
(SELECT no_d_id, no_o_id FROM new_order WHERE no_w_id = :w_id AND no_d_id = 7
 ORDER BY no_o_id LIMIT 1 FOR UPDATE)
UNION ALL
(SELECT no_d_id, no_o_id FROM new_order WHERE no_w_id = :w_id AND no_d_id = 8
 ORDER BY no_o_id LIMIT 1 FOR UPDATE)
UNION ALL
(SELECT no_d_id, no_o_id FROM new_order WHERE no_w_id = :w_id AND no_d_id = 9
 ORDER BY no_o_id LIMIT 1 FOR UPDATE)
UNION ALL
(SELECT no_d_id, no_o_id FROM new_order WHERE no_w_id = :w_id AND no_d_id = 10
 ORDER BY no_o_id LIMIT 1 FOR UPDATE);
