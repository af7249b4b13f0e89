-- Marks the data as dyno's own; made before any other table, dropped last.
CREATE TABLE dyno_tpcc (
    name text NOT NULL PRIMARY KEY,
    value text NOT NULL
);
