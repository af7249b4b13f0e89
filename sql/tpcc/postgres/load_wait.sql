-- Waits until no other connection writes to the tables, or makes their keys;
-- those of partitions are locked with them.  At most a second: what waits longer
-- is said, and tried again.
SET LOCAL lock_timeout = '1s';
LOCK TABLE stock, order_line, customer, history, orders, new_order, district,
    warehouse, item, dyno_tpcc_load IN ACCESS EXCLUSIVE MODE;
