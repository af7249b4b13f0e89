-- The cheapest statement
-- () -> (one int)
SELECT 1 AS one;
