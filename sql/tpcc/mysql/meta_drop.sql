-- The last table to go.
DROP TABLE IF EXISTS dyno_tpcc_load;
DROP TABLE dyno_tpcc;
