-- Reads and writes of the whole server, from version 16 on
-- () -> (name text, value int)
SELECT n.name, coalesce(sum((to_jsonb(i) ->> n.key)::bigint), 0)::bigint AS value
FROM pg_stat_io AS i,
     (VALUES ('io_reads', 'reads'),
             ('io_writes', 'writes'),
             ('io_extends', 'extends'),
             ('io_syncs', 'fsyncs'),
             ('io_evictions', 'evictions')) AS n (name, key)
GROUP BY n.name;
