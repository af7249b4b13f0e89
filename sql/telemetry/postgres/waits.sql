-- What the sessions of this database wait for, other than for work
-- () -> (name text, value int)
SELECT coalesce(wait_event_type || ':' || wait_event, 'running') AS name,
       count(*) AS value
FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND (state LIKE 'idle in transaction%'
           OR state IN ('active', 'fastpath function call'))
GROUP BY 1;
