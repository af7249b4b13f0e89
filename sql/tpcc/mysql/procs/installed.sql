-- which of the routines are installed, and how many of them in this version
-- (prefix text, version text) -> (n int, n_current int)
SELECT COUNT(*), SUM(LOCATE(:version, routine_comment) > 0)
FROM information_schema.routines
WHERE routine_schema = DATABASE()
  AND routine_name IN (CONCAT(:prefix, 'new_order'),
                       CONCAT(:prefix, 'payment'),
                       CONCAT(:prefix, 'order_status'),
                       CONCAT(:prefix, 'delivery'),
                       CONCAT(:prefix, 'stock_level'));
