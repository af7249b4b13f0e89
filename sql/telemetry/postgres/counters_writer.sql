-- Who wrote pages of the whole server; up to version 16 checkpoints too
-- () -> (name text, value int)
-- Versions differ in their columns: those that are there are taken.
SELECT n.name, (to_jsonb(b) ->> n.key)::bigint AS value
FROM pg_stat_bgwriter AS b,
     (VALUES ('checkpoints_timed', 'checkpoints_timed'),
             ('checkpoints_requested', 'checkpoints_req'),
             ('pages_written_by_checkpoints', 'buffers_checkpoint'),
             ('pages_written_by_cleaner', 'buffers_clean'),
             ('pages_written_by_sessions', 'buffers_backend')) AS n (name, key)
WHERE to_jsonb(b) ->> n.key IS NOT NULL;
