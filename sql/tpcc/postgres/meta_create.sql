-- Marks the data as dyno's own; made before any other table, dropped last.
CREATE /* unlogged */ TABLE dyno_tpcc (
    name text NOT NULL PRIMARY KEY,
    value text NOT NULL
);

-- What a load has done: the piece of a phase, the table (by its number), the
-- rows and their sum.  Goes when the load is complete.
CREATE /* unlogged */ TABLE dyno_tpcc_load (
    phase bigint NOT NULL,
    piece bigint NOT NULL,
    tab bigint NOT NULL,
    n_rows bigint NOT NULL,
    total bigint NOT NULL,
    PRIMARY KEY (phase, piece)
);
