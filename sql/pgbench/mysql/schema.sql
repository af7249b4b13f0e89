CREATE TABLE pgbench_history (
    tid int,
    bid int,
    aid /* account */,
    delta int,
    mtime datetime,
    filler char(22)
) ENGINE = InnoDB;
CREATE TABLE pgbench_tellers (
    tid int NOT NULL PRIMARY KEY,
    bid int,
    tbalance int,
    filler char(84)
) ENGINE = InnoDB;
CREATE TABLE pgbench_accounts (
    aid /* account */ NOT NULL PRIMARY KEY,
    bid int,
    abalance int,
    filler char(84)
) ENGINE = InnoDB;
CREATE TABLE pgbench_branches (
    bid int NOT NULL PRIMARY KEY,
    bbalance int,
    filler char(88)
) ENGINE = InnoDB;
