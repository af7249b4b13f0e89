-- The last key
-- () -> (k int)
SELECT max(k) FROM kv;
