-- What TPC-B keeps equal: the sums of all balances
-- () -> (accounts int, tellers int, branches int, history int)
SELECT (SELECT coalesce(sum(abalance), 0)::bigint FROM pgbench_accounts),
       (SELECT coalesce(sum(tbalance), 0)::bigint FROM pgbench_tellers),
       (SELECT coalesce(sum(bbalance), 0)::bigint FROM pgbench_branches),
       (SELECT coalesce(sum(delta), 0)::bigint FROM pgbench_history);
