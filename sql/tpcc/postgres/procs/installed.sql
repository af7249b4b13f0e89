-- which of the routines are installed, and how many of them in this version
-- (prefix text, version text) -> (n int, n_current int)
SELECT count(*),
       count(*) FILTER (WHERE position(:version::text IN prosrc) > 0)
FROM pg_proc
WHERE proname::text IN (:prefix::text || 'new_order',
                        :prefix::text || 'payment',
                        :prefix::text || 'order_status',
                        :prefix::text || 'delivery',
                        :prefix::text || 'stock_level')
  AND pg_function_is_visible(oid);
