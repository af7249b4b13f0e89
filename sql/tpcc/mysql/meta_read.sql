-- the constants stored with the data
-- () -> (name text, value text)
SELECT name, value FROM dyno_tpcc ORDER BY name;
