-- Where the data is
-- () -> (path text)
SELECT @@datadir AS path;
