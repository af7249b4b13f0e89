-- The write-ahead log of the whole server, from version 14 on
-- () -> (name text, value int)
-- Versions differ in their columns: those that are there are taken.
SELECT n.name, (to_jsonb(w) ->> n.key)::bigint AS value
FROM pg_stat_wal AS w,
     (VALUES ('wal_records', 'wal_records'),
             ('wal_full_page_images', 'wal_fpi'),
             ('wal_buffers_full', 'wal_buffers_full'),
             ('wal_writes', 'wal_write'),
             ('wal_syncs', 'wal_sync')) AS n (name, key)
WHERE to_jsonb(w) ->> n.key IS NOT NULL;
