-- Made after the keys.  What COPY has frozen already is passed over.
--
-- Statistics, and no work left that autovacuum would do during a run.
VACUUM (FREEZE, ANALYZE) order_line;
VACUUM (FREEZE, ANALYZE) stock;
VACUUM (FREEZE, ANALYZE) customer;
VACUUM (FREEZE, ANALYZE) history;
VACUUM (FREEZE, ANALYZE) orders;
VACUUM (FREEZE, ANALYZE) new_order;
VACUUM (FREEZE, ANALYZE) item;
VACUUM (FREEZE, ANALYZE) district;
VACUUM (FREEZE, ANALYZE) warehouse;
