-- A commit that changes a row
-- () -> ()
UPDATE dyno_check_scratch SET v = v + 1 WHERE n = 1;
