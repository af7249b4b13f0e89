-- A new record
-- (k int, f0 text, f1 text, f2 text, f3 text, f4 text,
--  f5 text, f6 text, f7 text, f8 text, f9 text) -> ()
INSERT INTO kv (k, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9)
VALUES (:k, :f0, :f1, :f2, :f3, :f4,
        :f5, :f6, :f7, :f8, :f9);
