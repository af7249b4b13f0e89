-- The least that a database can be asked
-- () -> (one int)
SELECT 1;
