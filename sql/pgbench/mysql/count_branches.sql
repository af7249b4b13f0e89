-- The scale of tables that pgbench itself has made
-- () -> (n int)
SELECT count(*) FROM pgbench_branches;
