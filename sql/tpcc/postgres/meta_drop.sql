-- The last table to go.
DROP TABLE dyno_tpcc;
