-- Made after the keys: statistics, so that no plan changes when the server makes
-- its own.
ANALYZE TABLE order_line;
ANALYZE TABLE stock;
ANALYZE TABLE customer;
ANALYZE TABLE history;
ANALYZE TABLE orders;
ANALYZE TABLE new_order;
ANALYZE TABLE item;
ANALYZE TABLE district;
ANALYZE TABLE warehouse;
ANALYZE TABLE dyno_numbers;
