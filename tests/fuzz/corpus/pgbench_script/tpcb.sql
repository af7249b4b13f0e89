-- TPC-B's one transaction, after clauses 1.2 and 5.3.5 of its specification,
-- on the tables of pgbench: a teller pays into or out of an account, which is
-- one of another branch in 15 of 100 cases.
--
--   dyno run tpcb --scale 10
--   dyno run -f examples/tpcb.sql --scale 10      on tables that exist
\set tid random(1, 10 * :scale)
\set bid (:tid - 1) / 10 + 1
\set home :bid
\if :scale > 1 and random(1, 100) > 85
\set home random(1, :scale - 1)
\set home case when :home < :bid then :home else :home + 1 end
\endif
\set aid (:home - 1) * 100000 + random(1, 100000)
\set delta random(-999999, 999999)
BEGIN;
UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;
SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
UPDATE pgbench_tellers SET tbalance = tbalance + :delta WHERE tid = :tid;
UPDATE pgbench_branches SET bbalance = bbalance + :delta WHERE bid = :bid;
INSERT INTO pgbench_history (tid, bid, aid, delta, mtime)
VALUES (:tid, :bid, :aid, :delta, CURRENT_TIMESTAMP);
COMMIT;
