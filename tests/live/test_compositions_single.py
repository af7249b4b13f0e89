# SPDX-License-Identifier: MIT
"""Compositions of one round trip: `single`, a statement for each transaction,
and `procs`, a call of a function or a procedure on the server."""
import json

import pytest

from test_pg_bad_input import poolers  # noqa: F401
from test_pg_runs import assert_sound, counts

SINGLE = ("--composition", "single")
FUNCTION = ("--composition", "procs")
PROCEDURE = ("--composition", "procs", "--call", "procedure")
WAYS = pytest.mark.parametrize("way", [SINGLE, FUNCTION, PROCEDURE],
                               ids=["single", "function", "procedure"])
CALLS = pytest.mark.parametrize("way", [FUNCTION, PROCEDURE],
                                ids=["function", "procedure"])
ROUTINES = "SELECT proname FROM pg_proc WHERE proname ~ '^dyno_' ORDER BY 1"
NAMES = ("delivery", "new_order", "order_status", "payment", "stock_level")
FUNCTIONS = [f"dyno_tpcc_{name}" for name in NAMES]
PROCEDURES = [f"dyno_tpcc_call_{name}" for name in NAMES]


def work(dyno, url, *args):
    return dyno.summary("--db", url, "-u", 1, "--iterations", 2000, "--seed", 1,
                        "--audit", "off", "--telemetry", "off", *args,
                        timeout=120)


@WAYS
def test_a_transaction_is_one_statement(dyno, shared, way):
    d = work(dyno, shared, *way)
    assert d["round_trips_per_transaction"] == 1
    assert d["statements_per_transaction"] == 1


@WAYS
def test_deliveries_that_meet_do_not_lose_orders(dyno, pg, loaded, way):
    d = dyno.summary("--db", loaded, "-u", 8, "-t", "3s", "--mix",
                     "delivery=1,new_order=3", "--isolation", "read-committed",
                     *way)
    assert_sound(d)
    assert counts(d, "retries") == 0
    undelivered = pg.sql(
        "SELECT count(*) FROM orders LEFT JOIN new_order ON no_w_id = o_w_id"
        " AND no_d_id = o_d_id AND no_o_id = o_id"
        " WHERE (o_carrier_id IS NULL) <> (no_o_id IS NOT NULL)", "copy")
    assert undelivered == ["0"]


@WAYS
def test_statements_need_not_be_prepared(dyno, shared, way):
    d = dyno.summary("--db", shared, "-u", 4, "-t", "2s", "--no-prepare",
                     "--audit", "quick", *way)
    assert d["valid"] is True
    assert d["round_trips_per_transaction"] == 1


def test_foreign_keys_do_not_matter(dyno, db):
    result = dyno.run("load", "tpcc", "--db", db, "--foreign-keys", "-q",
                      "--audit", "off", timeout=120)
    assert (result.code, result.err) == (0, "")
    for way in (SINGLE, FUNCTION, PROCEDURE):
        d = dyno.summary("--db", db, "-u", 4, "--iterations", 2000, *way)
        assert_sound(d)
        assert d["transactions"]["new_order"]["rolled_back"] > 0


def logged_errors(pg):
    return (pg.dir / "log").read_text(errors="replace").count("ERROR:")


def test_only_the_single_statement_rolls_back_by_an_error(dyno, pg, loaded):
    for way in (FUNCTION, PROCEDURE):
        before = logged_errors(pg)
        d = work(dyno, loaded, *way)
        assert d["transactions"]["new_order"]["rolled_back"] > 0
        assert logged_errors(pg) == before
    before = logged_errors(pg)
    d = work(dyno, loaded, *SINGLE)
    assert (logged_errors(pg) - before
            == d["transactions"]["new_order"]["rolled_back"] > 0)
    assert pg.sql(ROUTINES, "copy") == PROCEDURES + FUNCTIONS


def test_single_says_where_it_departs_and_installs_nothing(dyno, pg, loaded):
    result = dyno.run("run", "tpcc", "--db", loaded, "--iterations", 10,
                      "--audit", "off", *SINGLE)
    assert result.code == 0
    assert "an order that must roll back ends at the missing item" in (
        " ".join(result.out.split()))
    assert pg.sql(ROUTINES, "copy") == []


def test_a_null_that_nobody_asked_for_is_an_error(dyno, pg, loaded):
    pg.sql("DELETE FROM item WHERE i_id % 50 = 0", "copy")
    d = dyno.summary("--db", loaded, "-u", 1, "--iterations", 500, "--audit",
                     "off", "--mix", "new_order=1", *SINGLE, code=3)
    assert counts(d, "failed") > 0
    assert {e["sqlstate"] for e in d["errors"]} == {"23502"}
    assert d["accounting"]["new_order"]["difference"] == 0


@WAYS
def test_a_connection_lost_on_the_way_is_an_unknown_outcome(dyno, pg, loaded,
                                                            way):
    process = dyno.start("run", "tpcc", "--db", loaded, "-u", "8", "-t", "4s",
                         "--ramp-up", "0", "--mix", "new_order=1", "--format",
                         "json", *way)
    assert any("measure" in line for line in process.stderr)
    # A session is hit only where it looks for signals: not each one is.
    killed = 0
    while killed < 15 and process.poll() is None:
        killed += len(pg.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = 'copy' AND state = 'active'"))
    result = dyno.finish(process)
    assert result.code in (0, 3), result.err
    d = json.loads(result.out)
    a = d["accounting"]["new_order"]
    assert 0 <= a["difference"] <= a["unknown"] > 0
    assert "accounting_mismatch" not in d["invalid_reasons"]


# ---- what is on the server ----

def few(dyno, url, *args, code=0):
    result = dyno.run("run", "tpcc", "--db", url, "-u", 2, "--iterations", 50,
                      "--audit", "off", *args)
    assert result.code == code, result.err
    return result.err


@CALLS
def test_missing_routines_are_installed_once(dyno, pg, loaded, way):
    assert "were missing: installed" in few(dyno, loaded, *way)
    oids = pg.sql("SELECT oid FROM pg_proc WHERE proname ~ '^dyno_'", "copy")
    assert len(oids) == len(NAMES)
    assert "installed" not in few(dyno, loaded, *way)
    assert pg.sql("SELECT oid FROM pg_proc WHERE proname ~ '^dyno_'",
                  "copy") == oids


def spoil(pg, name):
    pg.sql(f"DO $$ BEGIN EXECUTE replace(pg_get_functiondef("
           f"'{name}'::regproc), 'dyno version', 'other version'); END $$",
           "copy")


@CALLS
def test_routines_of_another_version_are_installed_again(dyno, pg, loaded,
                                                         way):
    few(dyno, loaded, *way)
    name = (PROCEDURES if way is PROCEDURE else FUNCTIONS)[2]
    spoil(pg, name)
    assert "were of another version: installed" in few(dyno, loaded, *way)
    pg.sql(f"DROP ROUTINE {name}", "copy")
    assert "were of another version: installed" in few(dyno, loaded, *way)
    assert "installed" not in few(dyno, loaded, *way)


def test_without_the_right_to_create_they_must_be_there(dyno, pg, loaded):
    pg.sql("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA"
           " public TO guest; REVOKE CREATE ON SCHEMA public FROM PUBLIC",
           "copy")
    guest = pg.url("copy", user="guest")
    text = few(dyno, guest, *FUNCTION, code=1)
    for part in ("--composition procs", "functions are missing",
                 "permission denied for schema public", "as a user who may"):
        assert part in text
    assert pg.sql(ROUTINES, "copy") == []
    few(dyno, guest, *SINGLE)
    few(dyno, loaded, *FUNCTION)
    few(dyno, guest, *FUNCTION)
    spoil(pg, FUNCTIONS[0])
    text = few(dyno, guest, *FUNCTION, code=1)
    assert "functions are of another version" in text
    assert "must be owner of function" in text


def test_drop_removes_the_routines_too(dyno, pg, loaded):
    few(dyno, loaded, *FUNCTION)
    few(dyno, loaded, *PROCEDURE)
    pg.sql("CREATE FUNCTION dyno_tpcc_mine() RETURNS int LANGUAGE sql AS"
           " 'SELECT 1'; CREATE FUNCTION dyno_tpcc_delivery(text) RETURNS int"
           " LANGUAGE sql AS 'SELECT 1'", "copy")
    result = dyno.run("drop", "tpcc", "--db", loaded)
    assert (result.code, result.out) == (0, "")
    assert pg.sql(ROUTINES, "copy") == ["dyno_tpcc_mine"]


# ---- what cannot be ----

@WAYS
def test_another_database_refuses_them(dyno, way):
    result = dyno.run("run", "tpcc", "--db", "sqlite:x.sqlite", *way)
    assert (result.code, result.out) == (2, "")
    assert f"--composition: '{way[1]}' is not available on sqlite; use " \
           f"literal or batched" in result.err
    assert not (dyno.dir / "x.sqlite").exists()


def test_a_pooler_cannot_keep_the_level_of_a_statement(dyno, poolers,  # noqa
                                                       shared):
    port = poolers.pooler("transaction")
    url = poolers.url("shared", tcp=True, port=port)
    args = ("run", "tpcc", "--db", url, "-u", 2, "--iterations", 50, "-q",
            "--no-prepare", "--audit", "off", *SINGLE)
    result = dyno.run(*args)
    assert result.code == 0, result.err
    result = dyno.run(*args, "--isolation", "serializable")
    assert result.code == 1
    assert "keeps no settings" in result.err
