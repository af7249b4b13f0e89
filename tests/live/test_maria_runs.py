# SPDX-License-Identifier: MIT
"""Whole runs on MariaDB: valid, consistent, accounted for."""
import pytest

from test_pg_runs import CONDITIONS, LEVELS, counts

COMPOSITIONS = ("literal", "batched", "pipelined", "single", "procs")
RETRYABLE = {1205, 1213, 1020}


def assert_sound(d):
    """What holds for a run on a server that does nothing wrong."""
    assert (d["valid"], d["invalid_reasons"]) == (True, [])
    passed = {c["name"] for c in d["audit"]["checks"] if c["passed"]}
    assert CONDITIONS <= passed
    assert d["audit"]["passed"] is True
    a = d["accounting"]["new_order"]
    assert a["client"] > 0
    assert (a["db"], a["difference"], a["unknown"]) == (a["client"], 0, 0)
    assert counts(d, "failed") == counts(d, "unknown") == 0
    users = d["users"]
    assert (users["died"], users["abandoned"]) == (0, 0)
    assert d["client"]["run_path_allocations"] == 0
    assert {e["class"] for e in d["errors"]} <= {"retryable"}


@pytest.mark.parametrize("composition", COMPOSITIONS)
def test_eight_users_are_sound(dyno, maria_shared, composition):
    d = dyno.summary("--db", maria_shared, "-u", 8, "-t", "3s",
                     "--composition", composition, timeout=120)
    assert_sound(d)
    assert (d["run"]["composition"], d["run"]["connections"]) == (composition,
                                                                  8)


@pytest.mark.parametrize("level", LEVELS)
def test_every_isolation_level_gives_a_valid_run(dyno, maria_shared, level):
    d = dyno.summary("--db", maria_shared, "-u", 8, "-t", "2s", "--isolation",
                     level, timeout=120)
    assert_sound(d)


@pytest.mark.smoke
def test_runs_need_no_prepared_statements(dyno, maria_shared):
    d = dyno.summary("--db", maria_shared, "-u", 4, "-t", "2s",
                     "--no-prepare", timeout=120)
    assert_sound(d)
    assert d["server"]["facts"]["statements"] == "text"


# Prepared, the COMMIT of a flight is a trip of its own.
@pytest.mark.parametrize("args, wanted", [
    (("--composition", "pipelined"), {"new_order": 3, "payment": 3,
                                      "order_status": 1, "delivery": 4,
                                      "stock_level": 1}),
    (("--composition", "pipelined", "--no-prepare"),
     {"new_order": 2, "payment": 2, "delivery": 3}),
    (("--composition", "single"), {"new_order": 1, "payment": 1,
                                   "delivery": 1}),
])
def test_transactions_take_as_few_round_trips_as_promised(
        dyno, maria_shared, args, wanted):
    d = dyno.summary("--db", maria_shared, "-u", 1, "--iterations", 400,
                     "--audit", "off", *args, timeout=120)
    assert d["valid"] is True and counts(d, "retries") == 0
    for name, want in wanted.items():
        # The one percent that rolls back needs no trip to commit.
        trips = d["transactions"][name]["round_trips_per_transaction"]
        assert trips == pytest.approx(want, abs=0.05), name


@pytest.mark.parametrize("composition", ("batched", "pipelined", "procs"))
def test_thirty_two_users_are_sound(dyno, maria_shared, composition):
    assert_sound(dyno.summary("--db", maria_shared, "-u", 32, "-t", "3s",
                              "--composition", composition, timeout=120))


def test_procedures_of_another_version_are_replaced(dyno, maria,
                                                    maria_shared):
    args = ("--db", maria_shared, "--iterations", 20, "--composition",
            "procs", "--audit", "off")
    dyno.summary(*args, timeout=120)
    maria.sql("ALTER PROCEDURE dyno_tpcc_call_payment COMMENT 'old'", "shop")
    result = dyno.run("run", "tpcc", *args, "--ramp-up", "0")
    assert result.code == 0, result.err
    assert "of another version: installed" in result.err


def test_foreign_keys_and_an_engine_are_there_when_asked_for(dyno, maria,
                                                             maria_db):
    result = dyno.run("load", "tpcc", "-w", 1, "--db", maria_db, "-q",
                      "--foreign-keys", "on", "--storage", "InnoDB",
                      "--table-options", "ROW_FORMAT=COMPACT", timeout=180)
    assert result.code == 0, result.err
    assert maria.sql(
        "SELECT COUNT(*) FROM information_schema.referential_constraints"
        " WHERE constraint_schema = 'own'") == ["10"]
    assert maria.sql(
        "SELECT DISTINCT engine, row_format FROM information_schema.tables"
        " WHERE table_schema = 'own' AND table_name IN ('stock', 'orders')"
    ) == ["InnoDB\tCompact"]
    assert_sound(dyno.summary("--db", maria_db, "-u", 4, "-t", "2s",
                              timeout=120))
    assert dyno.run("drop", "tpcc", "--db", maria_db).code == 0
    assert maria.sql("SHOW TABLES FROM own") == []
