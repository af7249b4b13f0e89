-- How many connections there may be, and are
-- () -> (allowed int, reserved int, used int)
SELECT @@max_connections AS allowed, 0 AS reserved,
       (SELECT COUNT(*) FROM information_schema.processlist
        WHERE command <> 'Daemon') AS used;
