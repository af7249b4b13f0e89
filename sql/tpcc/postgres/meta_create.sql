-- Marks the data as dyno's own; made before any other table, dropped last.
CREATE TABLE dyno_tpcc (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
