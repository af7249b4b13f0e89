-- Rows of the users' tables in this database
-- () -> (name text, value int)
SELECT v.name, v.value
FROM (SELECT coalesce(sum(n_tup_ins), 0)::bigint AS inserted,
             coalesce(sum(n_tup_upd), 0)::bigint AS updated,
             coalesce(sum(n_tup_hot_upd), 0)::bigint AS hot_updated,
             coalesce(sum(n_tup_del), 0)::bigint AS deleted,
             coalesce(sum(seq_scan), 0)::bigint AS seq_scans,
             coalesce(sum(idx_scan), 0)::bigint AS index_scans
      FROM pg_stat_user_tables) AS t,
     LATERAL (VALUES ('rows_inserted', t.inserted),
                     ('rows_updated', t.updated),
                     ('rows_hot_updated', t.hot_updated),
                     ('rows_deleted', t.deleted),
                     ('seq_scans', t.seq_scans),
                     ('index_scans', t.index_scans)) AS v (name, value);
