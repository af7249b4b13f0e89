-- TPC-C 2.7.4.2: the customers owe it
-- (w_id int, districts ints, customers ints, amounts_cents ints)
UPDATE customer SET
    c_balance = c_balance + amount,
    c_delivery_cnt = c_delivery_cnt + 1
FROM (SELECT d.value AS d, c.value AS c, sum(a.value) AS amount
      FROM json_each(:districts) AS d
      JOIN json_each(:customers) AS c ON c.key = d.key
      JOIN json_each(:amounts_cents) AS a ON a.key = d.key
      GROUP BY 1, 2)
WHERE c_w_id = :w_id AND c_d_id = d AND c_id = c;
