-- --storage: the table access method of the tables made from here on.
SET default_table_access_method = '/* storage */';
