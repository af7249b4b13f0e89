-- What each statement took, of runs with --statement-stats.
CREATE TABLE statements (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    position INTEGER NOT NULL,
    "transaction" TEXT NOT NULL,
    call TEXT NOT NULL, -- statement, flight, begin, commit
    name TEXT,          -- of the statement, of a flight the first
    count INTEGER NOT NULL,
    mean_ns REAL NOT NULL,
    p50_ns INTEGER NOT NULL,
    p99_ns INTEGER NOT NULL,
    max_ns INTEGER NOT NULL,
    data BLOB NOT NULL -- histogram, store/histograms.h
);
CREATE UNIQUE INDEX statements_by_run ON statements (run, position);
