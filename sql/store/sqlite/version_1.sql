-- The results store, version 1 (docs/design/store.md).  Times of intervals are
-- in us since the run began, durations of transactions in ns.
CREATE TABLE runs (
    -- Never used twice: the lock of a run that goes on is at this number.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    number INTEGER, -- of the name, NULL when the user chose it
    status TEXT NOT NULL CHECK (status IN ('running', 'complete', 'partial')),
    reason TEXT,    -- why it is partial
    valid INTEGER,  -- NULL: no verdict was reached
    workload TEXT NOT NULL,
    composition TEXT,
    note TEXT,
    driver TEXT NOT NULL,
    target TEXT NOT NULL, -- without a password
    in_process INTEGER NOT NULL,
    no_database INTEGER NOT NULL,
    scale INTEGER NOT NULL,
    vus INTEGER NOT NULL,
    connections INTEGER NOT NULL,
    threads INTEGER NOT NULL,
    seed TEXT NOT NULL, -- 64 bits without a sign
    data_seed TEXT NOT NULL,
    counted TEXT,         -- the transaction of NOPM
    started_us INTEGER NOT NULL, -- since 1970-01-01 UTC
    ended_us INTEGER,
    ramp_up_us INTEGER,
    interval_us INTEGER, -- the measurement interval
    tps REAL,
    nopm REAL,
    version TEXT NOT NULL, -- of dyno
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    summary TEXT -- JSON, docs/summary.md; NULL until the run has ended
);

CREATE TABLE labels (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, key, value)
) WITHOUT ROWID;

CREATE TABLE settings (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT,
    source TEXT NOT NULL,
    PRIMARY KEY (run, position)
) WITHOUT ROWID;

-- What the server said of itself.
CREATE TABLE facts (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT,
    PRIMARY KEY (run, position)
) WITHOUT ROWID;

CREATE TABLE transactions (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (run, position)
) WITHOUT ROWID;

CREATE TABLE intervals (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    number INTEGER NOT NULL,
    phase TEXT NOT NULL CHECK (phase IN ('ramp_up', 'measure', 'drain')),
    begin_us INTEGER NOT NULL,
    length_us INTEGER NOT NULL,
    users INTEGER NOT NULL,
    lag_p99_ns INTEGER NOT NULL,
    lag_max_ns INTEGER NOT NULL,
    histograms BLOB -- of all transactions (store/histograms.h)
);
CREATE UNIQUE INDEX intervals_by_run ON intervals (run, number);

CREATE TABLE interval_transactions (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    number INTEGER NOT NULL,   -- of the interval
    position INTEGER NOT NULL, -- of the transaction
    committed INTEGER NOT NULL,
    rolled_back INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    unknown INTEGER NOT NULL,
    retries INTEGER NOT NULL,
    statements INTEGER NOT NULL,
    round_trips INTEGER NOT NULL,
    wait_ns INTEGER NOT NULL,
    response_n INTEGER NOT NULL,
    response_sum_ns INTEGER NOT NULL,
    response_p50_ns INTEGER NOT NULL,
    response_p90_ns INTEGER NOT NULL,
    response_p95_ns INTEGER NOT NULL,
    response_p99_ns INTEGER NOT NULL,
    response_p999_ns INTEGER NOT NULL,
    response_max_ns INTEGER NOT NULL,
    service_sum_ns INTEGER NOT NULL,
    service_p50_ns INTEGER NOT NULL,
    service_p90_ns INTEGER NOT NULL,
    service_p95_ns INTEGER NOT NULL,
    service_p99_ns INTEGER NOT NULL,
    service_p999_ns INTEGER NOT NULL,
    service_max_ns INTEGER NOT NULL,
    PRIMARY KEY (run, number, position)
) WITHOUT ROWID;

CREATE TABLE telemetry_names (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (run, position)
) WITHOUT ROWID;

-- "values" is a JSON array by the position of the name; null: not sampled.
CREATE TABLE telemetry (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    number INTEGER NOT NULL, -- of the interval
    "values" TEXT NOT NULL
);
CREATE UNIQUE INDEX telemetry_by_run ON telemetry (run, number);

-- Of the whole measurement interval, written at the end.
CREATE TABLE histograms (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    name TEXT NOT NULL, -- "new_order"
    kind TEXT NOT NULL, -- response, service, wait
    data BLOB NOT NULL  -- store/histograms.h
);
CREATE UNIQUE INDEX histograms_by_run ON histograms (run, name, kind);

CREATE TABLE errors (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT, -- of the transaction, NULL: outside of one
    class TEXT NOT NULL,
    native INTEGER NOT NULL,
    sqlstate TEXT,
    count INTEGER NOT NULL,
    text TEXT NOT NULL, -- of the first of its kind
    PRIMARY KEY (run, position)
) WITHOUT ROWID;

CREATE TABLE audit_checks (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    verdict TEXT NOT NULL,
    n_checked INTEGER NOT NULL,
    n_failed INTEGER NOT NULL,
    detail TEXT,
    PRIMARY KEY (run, position)
) WITHOUT ROWID;

-- As they were printed.
CREATE TABLE reports (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    format TEXT NOT NULL CHECK (format IN ('text', 'markdown')),
    body TEXT NOT NULL
);
CREATE UNIQUE INDEX reports_by_run ON reports (run, format);

-- For those who ask with SQL.
CREATE VIEW series AS
SELECT r.name AS run, i.number, i.phase, i.begin_us / 1e6 AS begin_s,
       i.length_us / 1e6 AS length_s, i.users, n.name AS "transaction",
       t.committed, t.rolled_back, t.failed, t.unknown, t.retries,
       (t.committed + t.rolled_back) * 1e6 / i.length_us AS tps,
       t.response_p50_ns / 1e3 AS response_p50_us,
       t.response_p99_ns / 1e3 AS response_p99_us,
       t.response_max_ns / 1e3 AS response_max_us
FROM intervals i
JOIN runs r ON r.id = i.run
JOIN interval_transactions t ON t.run = i.run AND t.number = i.number
JOIN transactions n ON n.run = i.run AND n.position = t.position;

CREATE VIEW telemetry_series AS
SELECT r.name AS run, t.number, n.name, v.value
FROM telemetry t
JOIN runs r ON r.id = t.run
JOIN json_each(t."values") v
JOIN telemetry_names n ON n.run = t.run AND n.position = v.key
WHERE v.value IS NOT NULL;
