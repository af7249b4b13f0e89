-- Records up to a key
-- (k int) -> (n int)
SELECT count(*) FROM kv WHERE k <= :k;
