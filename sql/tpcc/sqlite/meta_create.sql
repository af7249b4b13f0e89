-- Marks the data as dyno's own; made before any other table, dropped last.
CREATE TABLE dyno_tpcc (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- What a load has done: the piece of a phase, the table (by its number), the
-- rows and their sum.  Goes when the load is complete.
CREATE TABLE dyno_tpcc_load (
    phase INTEGER NOT NULL,
    piece INTEGER NOT NULL,
    tab INTEGER NOT NULL,
    n_rows INTEGER NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (phase, piece)
);
