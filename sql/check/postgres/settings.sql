-- Settings that are known to distort a measurement
-- () -> (name text, value text, why text, advice text)
SELECT s.name, current_setting(s.name) AS value, r.why, r.advice
FROM pg_settings AS s
JOIN (VALUES
    ('fsync', '^off$',
     'nothing waits for the disk, and a crash loses the database',
     'set it to on, or say so beside the numbers'),
    ('synchronous_commit', '^off$',
     'a commit is answered before it is on disk',
     'set it to on, or say so beside the numbers'),
    ('full_page_writes', '^off$',
     'less log is written than any safe server writes',
     'set it to on, or say so beside the numbers'),
    ('autovacuum', '^off$',
     'tables grow and plans age as in no server in use',
     'set it to on, unless runs are short and the data is loaded anew'),
    ('jit', '^on$',
     'compiling statements can cost more than short ones take',
     'set it to off for short transactions, or compare both'),
    ('log_statement', '^(all|mod)$',
     'the server writes its log for each statement',
     'set it to none'),
    ('log_min_duration_statement', '^0$',
     'the server writes its log for each statement',
     'set it to -1, or to what is really slow'),
    ('log_duration', '^on$',
     'the server writes its log for each statement',
     'set it to off'),
    ('debug_assertions', '^on$',
     'this is a build for developers: it checks itself and is slow',
     'use a build without --enable-cassert'),
    ('shared_preload_libraries', '(auto_explain|pg_stat_statements|pgaudit)',
     'a library looks at each statement',
     'load it in production as well, or leave it out'),
    ('track_io_timing', '^on$',
     'each read of a page reads the clock twice',
     'set it to off where the clock is slow'),
    ('default_transaction_isolation',
     '^(serializable|repeatable read|read uncommitted)$',
     'transactions that name no level have this one',
     'name the level with --isolation'),
    ('default_transaction_read_only', '^on$',
     'transactions cannot write',
     'set it to off'),
    ('statement_timeout', '[1-9]',
     'the server ends statements that take longer',
     'set it to 0, or use --statement-timeout'),
    ('zero_damaged_pages', '^on$',
     'damaged pages are emptied without an error',
     'set it to off')
) AS r (name, bad, why, advice) ON r.name = s.name AND s.setting ~ r.bad
UNION ALL
SELECT s.name, current_setting(s.name),
       'most reads go past the server''s own cache',
       'set it to a quarter of the memory'
FROM pg_settings AS s
WHERE s.name = 'shared_buffers' AND s.unit = '8kB'
      AND s.setting::bigint * 8 < 256 * 1024
UNION ALL
SELECT s.name, current_setting(s.name),
       'checkpoints come often and write each page anew',
       'set it so that checkpoints come by time, such as 16GB'
FROM pg_settings AS s
WHERE s.name = 'max_wal_size' AND s.unit = 'MB'
      AND s.setting::bigint < 2048
ORDER BY 1;
