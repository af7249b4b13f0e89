-- The load is complete.
DROP TABLE IF EXISTS dyno_tpcc_load;
