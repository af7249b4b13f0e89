-- Where the data is, for those who may know
-- () -> (path text)
SELECT setting AS path FROM pg_settings WHERE name = 'data_directory';
