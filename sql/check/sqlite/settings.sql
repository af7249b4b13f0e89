-- Settings that are known to distort a measurement
-- () -> (name text, value text, why text, advice text)
SELECT 'synchronous' AS name, 'off' AS value,
       'nothing waits for the disk, and a crash of the machine may lose the '
       || 'database' AS why,
       'leave the setting out of the URL, or say so beside the numbers'
           AS advice
FROM pragma_synchronous
WHERE synchronous = 0
UNION ALL
SELECT 'journal_mode', journal_mode,
       'readers and the writer wait for each other',
       'use WAL, which dyno sets in files that it makes'
FROM pragma_journal_mode
WHERE journal_mode <> 'wal'
UNION ALL
SELECT 'compile_options', compile_options,
       'this SQLite is a build for its developers and slow',
       'use a build without it'
FROM pragma_compile_options
WHERE compile_options IN ('DEBUG', 'MEMDEBUG', 'EXPENSIVE_ASSERT')
UNION ALL
SELECT 'thread_safe', compile_options,
       'connections of several threads take turns at everything',
       'use a build with THREADSAFE=2'
FROM pragma_compile_options
WHERE compile_options = 'THREADSAFE=0';
