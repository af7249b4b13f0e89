-- Checkpoints of the whole server, from version 17 on
-- () -> (name text, value int)
SELECT v.name, v.value
FROM pg_stat_checkpointer AS c,
     LATERAL (VALUES ('checkpoints_timed', c.num_timed),
                     ('checkpoints_requested', c.num_requested),
                     ('pages_written_by_checkpoints', c.buffers_written))
         AS v (name, value);
