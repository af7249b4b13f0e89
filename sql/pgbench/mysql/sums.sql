-- What TPC-B keeps equal: the sums of all balances
-- () -> (accounts int, tellers int, branches int, history int)
SELECT (SELECT CAST(coalesce(sum(abalance), 0) AS SIGNED) FROM pgbench_accounts),
       (SELECT CAST(coalesce(sum(tbalance), 0) AS SIGNED) FROM pgbench_tellers),
       (SELECT CAST(coalesce(sum(bbalance), 0) AS SIGNED) FROM pgbench_branches),
       (SELECT CAST(coalesce(sum(delta), 0) AS SIGNED) FROM pgbench_history);
