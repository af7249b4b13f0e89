-- Waits until no other connection writes to the tables, or makes their keys.  At
-- most a second: what waits longer is said, and tried again.
SET SESSION lock_wait_timeout = 1;
LOCK TABLES stock WRITE, order_line WRITE, customer WRITE, history WRITE,
    orders WRITE, new_order WRITE, district WRITE, warehouse WRITE,
    item WRITE, dyno_tpcc_load WRITE;
UNLOCK TABLES;
SET SESSION lock_wait_timeout = DEFAULT;
