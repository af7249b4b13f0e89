# SPDX-License-Identifier: MIT
"""Users that share connections, and connections that do not fit."""

from collections import Counter

import pytest

from conftest import wait_until
from test_pg_runs import assert_sound

COMPOSITIONS = ("literal", "batched", "pipelined", "single", "procs")


@pytest.mark.smoke
@pytest.mark.parametrize("composition", COMPOSITIONS)
def test_users_share_connections_in_every_composition(dyno, pg, shared,
                                                      composition):
    d = dyno.summary("--db", shared, "-u", 30, "--connections", "1/5", "-t",
                     "2s", "--composition", composition)
    assert_sound(d)
    assert (d["run"]["vus"], d["run"]["connections"]) == (30, 6)
    assert d["users"]["active"] == 30
    assert d["users"]["fewest_transactions"] > 0
    for name, txn in d["transactions"].items():
        assert txn["connection_wait_us_per_transaction"] == \
            txn["wait_us_per_transaction"] > 0, name
        assert txn["response_us"]["mean"] == pytest.approx(
            txn["service_us"]["mean"] + txn["wait_us_per_transaction"],
            rel=0.02), name


def sessions(pg):
    n, = pg.sql("SELECT count(*) FROM pg_stat_activity WHERE"
                " application_name = 'dyno'")
    return int(n)


def test_the_pool_is_as_large_as_it_says(dyno, pg, shared):
    wait_until(lambda: sessions(pg) == 0, "runs before have ended")
    process = dyno.start("run", "tpcc", "--db", shared, "-u", 40,
                         "--connections", 7, "--ramp-up", "0", "-t", "2s",
                         "--audit", "off", "--telemetry", "off", "-q")
    seen = Counter()
    while process.poll() is None:
        seen[sessions(pg)] += 1
    assert dyno.finish(process).code == 0
    # And that of the lock on the database; closed ones take a moment to go.
    assert seen.most_common(1)[0][0] == 8, seen


def refused(dyno, *args):
    result = dyno.run("run", "tpcc", "--ramp-up", "0", "-t", "1s", "--audit",
                      "off", *args)
    assert (result.code, result.out) == (1, ""), result.err
    assert dyno.stored() == []
    return result.err


def test_more_connections_than_the_server_has_are_refused(dyno, pg, db):
    # Before the data is loaded; the cluster has 40 and a superuser asks.
    text = refused(dyno, "--db", db, "-u", 1000, "--connections", 200)
    assert "--connections: 200 connections of the users" in text
    assert "max_connections is 40" in text
    # Two for dyno itself, one for its lock on the database.
    assert "it would have to be 203" in text
    assert "--connections fit" in text
    assert pg.sql("SELECT count(*) FROM pg_class WHERE relname = 'stock'",
                  "test") == ["0"]


def test_limits_of_the_role_and_the_database_count(dyno, pg, db):
    pg.sql("CREATE ROLE few LOGIN CONNECTION LIMIT 9")
    try:
        # Its lock on the database is one of the nine.
        text = refused(dyno, "--db", pg.url("test", user="few"), "-u", 10)
        assert "--vus: 10 connections" in text
        assert "connection limit of role few is 9" in text
        assert "1 in use" in text
        pg.sql("ALTER ROLE few CONNECTION LIMIT -1")
        pg.sql("ALTER DATABASE test CONNECTION LIMIT 5")
        text = refused(dyno, "--db", pg.url("test", user="few"), "-u", 10)
        assert "connection limit of database test is 5" in text
        pg.sql("ALTER DATABASE test CONNECTION LIMIT -1")
        # Reserved ones are not for this role: 40 - 1.
        text = refused(dyno, "--db", pg.url("test", user="few"), "-u", 38)
        assert "max_connections is 40, of which 1 are reserved" in text
    finally:
        pg.sql("DROP ROLE few")


def test_fit_takes_what_there_is_room_for(dyno, pg, shared):
    d = dyno.summary("--db", shared, "-u", 300, "--connections", "fit", "-t",
                     "2s")
    assert_sound(d)
    assert 30 < d["run"]["connections"] <= 37
    assert d["users"]["active"] == 300


def test_a_process_with_few_descriptors_says_so(dyno, pg, shared):
    result = dyno.run("run", "tpcc", "--db", shared, "-u", 30, "-t", "1s",
                      prefix=("prlimit", "--nofile=60:60"))
    assert result.code == 1
    assert "open files (ulimit -n) is 60" in result.err
