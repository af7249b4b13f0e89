-- Bytes of the write-ahead log, of the whole server
-- () -> (name text, value int)
SELECT 'wal_bytes' AS name,
       pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery()
                            THEN pg_last_wal_replay_lsn()
                            ELSE pg_current_wal_insert_lsn()
                       END, '0/0')::bigint AS value;
