-- One field of a record; the other fields have statements like it
-- (k int, v text) -> ()
UPDATE kv SET f0 = :v WHERE k = :k;
