-- audit: the payments made in each district together, by the district's key
-- () -> (h_w_id int, h_d_id int, amount money)
SELECT h_w_id, h_d_id, SUM(h_amount)
FROM history
GROUP BY h_w_id, h_d_id
ORDER BY h_w_id, h_d_id;
