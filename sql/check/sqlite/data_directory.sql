-- Where the data is
-- () -> (path text)
SELECT file AS path FROM pragma_database_list WHERE name = 'main';
