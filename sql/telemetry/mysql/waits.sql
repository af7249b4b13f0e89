-- What the sessions of this database do; the state is that of the statement
-- () -> (name text, value int)
SELECT COALESCE(NULLIF(state, ''), 'running') AS name, COUNT(*) AS value
FROM information_schema.processlist
WHERE db = DATABASE() AND id <> CONNECTION_ID()
      AND command NOT IN ('Sleep', 'Daemon')
GROUP BY 1;
