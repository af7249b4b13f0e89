-- one more run has begun on the data
-- () -> ()
UPDATE dyno_tpcc SET value = CAST(CAST(value AS bigint) + 1 AS text)
WHERE name = 'runs';
