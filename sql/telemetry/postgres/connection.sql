-- The process of this connection, and its age: is it on this machine?
-- () -> (id int, age_us int, tolerance_us int)
SELECT pid,
       (extract(epoch FROM clock_timestamp() - backend_start) * 1000000)::bigint
           AS age_us,
       1500000::bigint AS tolerance_us
FROM pg_stat_activity
WHERE pid = pg_backend_pid();
