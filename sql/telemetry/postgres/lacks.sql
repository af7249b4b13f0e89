-- The counters that a server of this version does not have
-- () -> (name text)
SELECT name
FROM (VALUES ('counters_checkpointer', 'pg_stat_checkpointer'),
             ('counters_io', 'pg_stat_io'),
             ('counters_wal', 'pg_stat_wal')) AS sources (name, source)
WHERE to_regclass('pg_catalog.' || source) IS NULL;
