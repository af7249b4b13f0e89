-- one more run has begun on the data
-- () -> ()
UPDATE dyno_tpcc SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)
WHERE name = 'runs';
