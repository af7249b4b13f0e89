-- The processes that work for connections
-- () -> (id int)
-- Without rights on a session its kind is hidden; that it has a user is not.
SELECT pid
FROM pg_stat_activity
WHERE CASE WHEN backend_type IS NULL THEN usesysid IS NOT NULL
           ELSE backend_type IN ('client backend', 'parallel worker')
      END
ORDER BY pid;
