-- A commit that changes a row
-- () -> (v int)
UPDATE dyno_check_scratch SET v = v + 1 WHERE n = 1 RETURNING v;
