# SPDX-License-Identifier: MIT
"""Runs, loads and scripts through the ODBC drivers of PostgreSQL, MariaDB and
SQLite: valid, consistent, accounted for, with the content that the drivers of
dyno's own leave."""
import json

import pytest

from odbc_live import maria_odbc, pg_odbc, sqlite_odbc
from test_maria_content import (COMPOSITIONS, SHOP, digests,  # noqa: F401
                                literal, run_2000)
from test_pg_content import TABLES, assert_same_table
from test_pg_runs import LEVELS, counts

# Dear: what is quick is in test_odbc_bad_input.py and in the conformance suite.
pytestmark = pytest.mark.long

BY_ODBC = ("literal", *(c for c in COMPOSITIONS if c != "pipelined"))


@pytest.fixture(params=["maria", "postgres"])
def target(request):
    """An ODBC target with the two warehouses, whose runs follow each other."""
    if request.param == "maria":
        request.getfixturevalue("maria_shared")
        return maria_odbc(request.getfixturevalue("maria"), SHOP)
    request.getfixturevalue("shared")
    return pg_odbc(request.getfixturevalue("pg"), "shared")


def assert_fine(d):
    """Without the full audit, which is dear by ODBC."""
    assert (d["valid"], d["invalid_reasons"]) == (True, []), d["errors"]
    assert d["accounting"]["new_order"]["difference"] == 0
    assert counts(d, "failed") == counts(d, "unknown") == 0, d["errors"]
    assert {e["class"] for e in d["errors"]} <= {"retryable"}, d["errors"]


@pytest.mark.parametrize("composition", BY_ODBC)
def test_eight_users_are_fine(dyno, target, composition):
    d = dyno.summary("--db", target, "-u", 8, "-t", "1s", "--composition",
                     composition, "--audit", "quick", timeout=180)
    assert_fine(d)
    trips = d["statements_per_transaction"], d["round_trips_per_transaction"]
    assert trips[0] == trips[1] >= 1
    assert d["client"]["run_path_allocations"] == 0


def test_thirty_two_users_pass_the_full_audit(dyno, target):
    d = dyno.summary("--db", target, "-u", 32, "-t", "1s", timeout=300)
    assert_fine(d)
    assert d["audit"]["level"] == "full" and d["audit"]["passed"] is True


@pytest.mark.parametrize("users", [1, 8, 32])
@pytest.mark.parametrize("composition", BY_ODBC)
def test_every_way_passes_the_full_audit(dyno, target, composition, users):
    d = dyno.summary("--db", target, "-u", users, "-t", "5s", "--composition",
                     composition, timeout=300)
    assert_fine(d)
    assert d["audit"]["level"] == "full" and d["audit"]["passed"] is True


@pytest.mark.parametrize("level", LEVELS)
def test_every_isolation_level_is_the_server_s(dyno, maria, maria_shared,
                                               level):
    url = maria_odbc(maria, SHOP)
    assert_fine(dyno.summary("--db", url, "-u", 4, "-t", "1s", "--isolation",
                             level, "--audit", "quick", timeout=120))


def test_two_users_on_sqlite_are_sound(dyno, sqlite):
    d = dyno.summary("--db", sqlite_odbc(sqlite.split(":")[1]), "-u", 2, "-t",
                     "2s", "--audit", "quick", timeout=180)
    assert_fine(d)
    assert d["server"]["facts"]["dialect"] == "sqlite"


@pytest.mark.parametrize("composition", BY_ODBC)
def test_the_content_is_that_of_mariadb_s_own_driver(
        dyno, literal, maria_copy, composition):  # noqa: F811
    after = literal[1]
    run_2000(dyno, maria_odbc(maria_copy), composition)
    assert digests(maria_copy) == after


def test_the_content_on_postgres_is_that_on_sqlite(dyno, pg, loaded, sqlite):
    run_2000(dyno, pg_odbc(pg, "copy"), "batched")
    run_2000(dyno, sqlite, "batched")
    for table in sorted(set(TABLES) - {"item"}):
        assert_same_table(dyno, table, loaded, sqlite)


# ---- loads ----

@pytest.mark.parametrize("kind", ["maria", "postgres", "sqlite"])
def test_a_load_is_what_was_asked_for(dyno, request, kind):
    if kind == "maria":
        request.getfixturevalue("maria_db")
        url = maria_odbc(request.getfixturevalue("maria"), "own")
    elif kind == "postgres":
        request.getfixturevalue("db")
        url = pg_odbc(request.getfixturevalue("pg"), "test")
    else:
        url = sqlite_odbc("own.db")
    result = dyno.run("load", "tpcc", "-w", 1, "--db", url, timeout=300)
    assert result.code == 0, result.err + result.out
    assert dyno.run("drop", "tpcc", "--db", url).code == 0


def test_a_load_keeps_to_small_packets(dyno, maria, maria_db):
    maria.sql("SET GLOBAL max_allowed_packet = 16384")
    try:
        result = dyno.run("load", "tpcc", "-w", 1, "--db",
                          maria_odbc(maria, "own"), "--audit", "quick",
                          timeout=300)
    finally:
        maria.sql("SET GLOBAL max_allowed_packet = 16777216")
    assert result.code == 0, result.err


# ---- dyno exec ----

EXEC = "SELECT 1 AS n, 'a,b' AS t, NULL AS x, 'é' AS e"


@pytest.mark.parametrize("kind", ["maria", "postgres", "sqlite"])
def test_results_in_each_format(dyno, request, kind):
    if kind == "maria":
        url = maria_odbc(request.getfixturevalue("maria"), "test")
    elif kind == "postgres":
        url = pg_odbc(request.getfixturevalue("pg"), "postgres")
    else:
        url = sqlite_odbc("own.db")
    out = {}
    for name in ("table", "csv", "json"):
        result = dyno.run("exec", "--db", url, "--format", name, EXEC)
        assert result.code == 0, result.err
        out[name] = result.out
    assert out["csv"].splitlines() == ["n,t,x,e", '1,"a,b",,é']
    assert "(1 row)" in out["table"]
    parsed = json.loads(out["json"].splitlines()[0])
    assert "a,b" in json.dumps(parsed)


def test_a_script_may_go_on_behind_a_failure(dyno, maria, maria_db):
    url = maria_odbc(maria, "own")
    sql = "CREATE TABLE t (x int); SELECT y FROM t; INSERT INTO t VALUES (7);" \
          "SELECT x FROM t"
    result = dyno.run("exec", "--db", url, sql)
    assert result.code == 1
    assert "statement 2: Unknown column 'y'" in result.err
    assert "42S22" in result.err
    result = dyno.run("exec", "--db", url, "--on-error", "continue",
                      "--format", "csv", sql)
    assert result.out.split()[-2:] == ["x", "7"], result.err
