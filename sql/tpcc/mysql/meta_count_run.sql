-- one more run has begun on the data
-- () -> ()
UPDATE dyno_tpcc SET value = CAST(CAST(value AS SIGNED) + 1 AS CHAR)
WHERE name = 'runs';
