# SPDX-License-Identifier: MIT
"""Whole runs on PostgreSQL: valid, consistent, accounted for."""
import json
import re

import pytest

LEVELS = ("read-committed", "repeatable-read", "serializable")
COMPOSITIONS = ("literal", "batched")
CONDITIONS = {f"condition_{i}" for i in range(1, 13)}
MIB = 1 << 20


def counts(summary, name):
    return sum(t[name] for t in summary["transactions"].values())


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
    assert ("retries" in d["warnings"]) == (counts(d, "retries") > 0)
    assert {e["class"] for e in d["errors"]} <= {"retryable"}
    # The server's count has dyno's own reads of the data in it as well.
    commits = d["commits"]
    assert commits["server"] >= commits["client"] > 0


def test_the_interval_is_as_long_as_asked_for(dyno, shared):
    d = dyno.summary("--db", shared, "-w", 2, "-u", 8, "-t", "3s", "--audit",
                     "off", "--composition", "batched")
    assert (d["run"]["composition"], d["run"]["connections"]) == ("batched", 8)
    assert d["run"]["interval_s"] == pytest.approx(3, abs=0.5)


@pytest.mark.smoke
@pytest.mark.parametrize("composition", COMPOSITIONS)
def test_a_first_run_makes_loads_and_measures(dyno, pg, db, composition):
    d = dyno.summary("--db", pg.url("test", tcp=True), "-u", 4, "-t", "2s",
                     "--composition", composition, "--audit", "full",
                     "--isolation", "repeatable-read", timeout=120)
    assert_sound(d)
    assert d["load"]["rows"] > 500_000
    assert d["run"]["scale"] == 1


@pytest.mark.smoke
def test_statements_need_not_be_prepared(dyno, pg, shared):
    d = dyno.summary("--db", shared, "-u", 4, "-t", "2s", "--no-prepare",
                     "--composition", "batched", timeout=120)
    assert_sound(d)
    assert pg.sql("SELECT count(*) FROM pg_prepared_statements") == ["0"]


def test_foreign_keys_hold_through_a_run(dyno, pg, db):
    result = dyno.run("load", "tpcc", "--db", db, "--foreign-keys", "-q",
                      "--audit", "off", timeout=120)
    assert (result.code, result.err) == (0, "")
    keys = pg.sql("SELECT conrelid::regclass || ' ' || confrelid::regclass"
                  " FROM pg_constraint WHERE contype = 'f' AND convalidated"
                  " ORDER BY 1", "test")
    assert keys == ["customer district", "district warehouse",
                    "history customer", "history district",
                    "new_order orders", "order_line orders",
                    "order_line stock", "orders customer", "stock item",
                    "stock warehouse"]
    for composition in COMPOSITIONS:
        assert_sound(dyno.summary("--db", db, "-u", 4, "-t", "3s",
                                  "--composition", composition))


LOOKUPS = [f"lookup_{table}" for table in
           ("customer", "district", "new_order", "order_line", "stock",
            "warehouse")]
# Catalogs too, but for what an ANALYZE of autovacuum's fills, 700 rows of the
# database's own count: pg_statistic and its TOAST table.
WRITES = ("SELECT relid::regclass, n_tup_ins, n_tup_upd, n_tup_del FROM"
          " pg_stat_all_tables, pg_class s WHERE"
          " s.oid = 'pg_statistic'::regclass AND"
          " relid NOT IN (s.oid, s.reltoastrelid)"
          " ORDER BY relid")


def test_the_lookup_mix_writes_nothing(dyno, pg, shared):
    # Statistics come when a connection ends: ask on a new one.
    before = pg.sql(WRITES, "shared")
    d = dyno.summary("--db", shared, "--mix", "lookup", "-u", 8, "-t", "3s",
                     "--audit", "quick")
    assert (d["valid"], d["invalid_reasons"]) == (True, [])
    assert sorted(d["transactions"]) == LOOKUPS
    for name, t in d["transactions"].items():
        assert t["committed"] > 0, name
    assert counts(d, "committed") > 1000
    assert len(before) > 60
    assert pg.sql(WRITES, "shared") == before


def test_memory_is_flat_with_64_users(dyno, server):
    server.sql("ALTER SYSTEM SET max_connections = 100")
    server.stop()
    server.start()
    result = dyno.run("run", "ping", "--db", server.url(), "-u", 64, "-t",
                      "10s", "--ramp-up", "2s", "--format", "json", "-q")
    assert result.code == 0, result.err
    d = json.loads(result.out)
    assert d["valid"] is True
    assert d["users"]["active"] == 64
    assert d["users"]["fewest_transactions"] > 0
    assert d["client"]["rss_growth_bytes"] < MIB
    assert d["client"]["run_path_allocations"] == 0


def test_memory_of_tpcc_is_flat_too(dyno, shared):
    for composition in COMPOSITIONS:
        d = dyno.summary("--db", shared, "-u", 32, "-t", "5s", "--audit",
                         "off", "--composition", composition)
        assert d["client"]["rss_growth_bytes"] < MIB
        assert d["client"]["run_path_allocations"] == 0


def test_a_second_dyno_on_the_same_database_is_refused(dyno, pg, shared):
    first = dyno.start("run", "tpcc", "--db", shared, "-t", "30s",
                       "--ramp-up", "0", "--audit", "off")
    # A line of progress a second: it runs.
    assert any("measure" in line for line in first.stderr)
    for command in ("run", "load", "drop"):
        second = dyno.run(command, "tpcc", "--db", pg.url("shared", tcp=True),
                          timeout=10)
        assert second.code == 1
        assert "database 'shared' is in use by another dyno" in second.err
    # Another database of the same server is another matter.
    other = dyno.run("run", "ping", "--db", pg.url(), "-t", "1s", "--ramp-up",
                     "0", "-q")
    assert other.code == 0, other.err
    first.kill()
    first.communicate()
    # The claim goes with the process.
    again = dyno.run("run", "tpcc", "--db", shared, "--iterations", 10, "-q",
                     "--audit", "off")
    assert again.code == 0, again.err


def test_the_report_names_the_server_and_hides_the_password(dyno, pg):
    result = dyno.run("run", "ping", "--db",
                      f"postgres://secret:sesame@127.0.0.1:{pg.port}/postgres",
                      "-t", "1s", "--ramp-up", "0")
    assert result.code == 0, result.err
    stored = (dyno.dir / "dyno-results" / dyno.stored()[0]).read_text()
    for text in (result.out, result.err, stored):
        assert "sesame" not in text
    assert re.search(r"version +\d+", result.out)
    facts = json.loads(stored)["server"]["facts"]
    assert facts["product"] == "PostgreSQL"
    assert facts["max_connections"] == "40"
