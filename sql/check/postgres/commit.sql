-- A commit that must reach the disk, and touches no table
-- () -> (position text)
-- A message in the write-ahead log, which nobody reads.
SELECT pg_logical_emit_message(true, 'dyno', 'how long a commit takes')::text
           AS position;
