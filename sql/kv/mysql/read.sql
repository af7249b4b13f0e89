-- One record by its key
-- (k int)
-- -> (f0 text, f1 text, f2 text, f3 text, f4 text,
--     f5 text, f6 text, f7 text, f8 text, f9 text)
SELECT f0, f1, f2, f3, f4, f5, f6, f7, f8, f9
FROM kv WHERE k = :k;
