-- Settings that are known to distort a measurement; MySQL from 5.7 on keeps
-- its settings elsewhere, and then nothing is found
-- () -> (name text, value text, why text, advice text)
SELECT r.name, s.variable_value AS value, r.why, r.advice
FROM information_schema.global_variables AS s
JOIN (
    SELECT 'innodb_flush_log_at_trx_commit' AS name, '^[02]$' AS bad,
           'a commit is answered before it is on disk' AS why,
           'set it to 1, or say so beside the numbers' AS advice
    UNION ALL
    SELECT 'innodb_doublewrite', '^(off|0)$',
           'a torn page after a crash loses the database',
           'set it to ON, or say so beside the numbers'
    UNION ALL
    SELECT 'innodb_flush_method', 'nosync|littlesync',
           'nothing waits for the disk, and a crash loses the database',
           'set it to O_DIRECT'
    UNION ALL
    SELECT 'innodb_checksum_algorithm', 'none',
           'pages are written without checksums',
           'set it to full_crc32'
    UNION ALL
    SELECT 'general_log', '^(on|1)$',
           'the server writes its log for each statement',
           'set it to OFF'
    UNION ALL
    SELECT 'long_query_time', '^0(.0*)?$',
           'the slow query log, if on, has each statement',
           'set it to what is really slow'
    UNION ALL
    SELECT 'query_cache_type', '^(on|1)$',
           'one lock for all sessions, and each write empties it',
           'set it to OFF'
    UNION ALL
    SELECT 'performance_schema', '^(on|1)$',
           'the server looks at each statement',
           'switch it on in production as well, or off here'
    UNION ALL
    SELECT 'userstat', '^(on|1)$',
           'the server counts for each user and table',
           'set it to OFF'
    UNION ALL
    SELECT 'autocommit', '^(off|0)$',
           'statements outside a transaction are never committed',
           'set it to ON'
    UNION ALL
    SELECT 'read_only', '^(on|1)$',
           'transactions cannot write',
           'set it to OFF'
    UNION ALL
    SELECT 'innodb_force_recovery', '^[1-9]',
           'the engine runs in a mode for repairs',
           'set it to 0'
    UNION ALL
    SELECT 'max_statement_time', '^(0\\.0*[1-9]|[1-9])',
           'the server ends statements that take longer',
           'set it to 0, or use --statement-timeout'
) AS r ON r.name = LOWER(s.variable_name)
WHERE LOWER(s.variable_value) REGEXP r.bad
UNION ALL
SELECT LOWER(variable_name), variable_value,
       'binary log without a sync: a crash loses commits that were answered',
       'set it to 1, or say so beside the numbers'
FROM information_schema.global_variables
WHERE variable_name = 'sync_binlog' AND variable_value <> '1' AND @@log_bin
UNION ALL
SELECT LOWER(variable_name), variable_value,
       'most reads go past the server''s own cache',
       'set it to half of the memory'
FROM information_schema.global_variables
WHERE variable_name = 'innodb_buffer_pool_size'
      AND CAST(variable_value AS UNSIGNED) <= 256 * 1024 * 1024
UNION ALL
SELECT LOWER(variable_name), variable_value,
       'checkpoints come often and pages are flushed in a hurry',
       'set it to 2 GB or more'
FROM information_schema.global_variables
WHERE variable_name = 'innodb_log_file_size'
      AND CAST(variable_value AS UNSIGNED) < 1024 * 1024 * 1024
ORDER BY 1;
