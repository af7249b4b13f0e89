CREATE TABLE kv (
    k INTEGER PRIMARY KEY,
    f0 text NOT NULL,
    f1 text NOT NULL,
    f2 text NOT NULL,
    f3 text NOT NULL,
    f4 text NOT NULL,
    f5 text NOT NULL,
    f6 text NOT NULL,
    f7 text NOT NULL,
    f8 text NOT NULL,
    f9 text NOT NULL
);
