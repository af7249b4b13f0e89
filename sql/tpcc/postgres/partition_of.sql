-- to which partition by hash, from 0, each warehouse goes
-- (n int, last int) -> (w_id int, partition int)
SELECT w, p
FROM generate_series(1, :last::int) AS w,
     generate_series(0, :n::int - 1) AS p
WHERE satisfies_hash_partition('stock'::regclass, :n::int, p, w)
ORDER BY w;
