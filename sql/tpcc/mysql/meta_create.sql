-- Marks the data as dyno's own; made before any other table, dropped last.
CREATE TABLE dyno_tpcc (
    name varchar(64) NOT NULL PRIMARY KEY,
    value varchar(512) NOT NULL
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- What a load has done: the piece of a phase, the table (by its number), the
-- rows and their sum.  Goes when the load is complete.
CREATE TABLE dyno_tpcc_load (
    phase int NOT NULL,
    piece int NOT NULL,
    tab int NOT NULL,
    n_rows bigint NOT NULL,
    total bigint NOT NULL,
    PRIMARY KEY (phase, piece)
);
