-- The threads that work for connections
-- () -> (id int)
SELECT tid AS id
FROM information_schema.processlist
WHERE command <> 'Daemon' AND user <> 'system user' AND tid > 0
ORDER BY tid;
