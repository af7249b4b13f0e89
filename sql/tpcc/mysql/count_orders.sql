-- TPC-C 2.4.2.2: orders ever made, by the database's own count
-- () -> (n int)
SELECT sum(d_next_o_id) FROM district;
