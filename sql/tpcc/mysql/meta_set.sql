-- stores one constant with the data
-- (name text, value text) -> ()
INSERT INTO dyno_tpcc (name, value) VALUES (:name, :value)
ON DUPLICATE KEY UPDATE value = VALUES(value);
