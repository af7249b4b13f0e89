-- Of this database; :own commits are those of the asking connection
-- (own int) -> (name text, value int)
SELECT v.name, v.value
FROM pg_stat_database AS d,
     LATERAL (VALUES ('commits', d.xact_commit - :own::bigint),
                     ('rollbacks', d.xact_rollback),
                     ('blocks_hit', d.blks_hit),
                     ('blocks_read', d.blks_read),
                     ('rows_returned', d.tup_returned),
                     ('rows_fetched', d.tup_fetched),
                     ('temp_files', d.temp_files),
                     ('temp_bytes', d.temp_bytes),
                     ('deadlocks', d.deadlocks)) AS v (name, value)
WHERE d.datname = current_database();
