-- The thread of this connection, and the age of its process: is it on this
-- machine?  Of MariaDB; MySQL has no such columns.
-- () -> (id int, age_us int, tolerance_us int)
SELECT p.tid AS id,
       CAST(s.variable_value AS SIGNED) * 1000000 AS age_us,
       5000000 AS tolerance_us
FROM information_schema.processlist AS p
JOIN information_schema.global_status AS s ON s.variable_name = 'UPTIME'
WHERE p.id = connection_id();
