-- The least that a database can be asked: a number, to be given back
-- (n int) -> (n int)
SELECT :n;
