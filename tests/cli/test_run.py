# SPDX-License-Identifier: MIT
"""A run that works: what it stores, prints, and counts."""
import json

import pytest

from conftest import query

DEFAULT_MIX = {"new_order": 45, "payment": 43, "order_status": 4,
               "delivery": 4, "stock_level": 4}
NOOP = ("--db", "noop:", "--iterations", "1000")


def ended(summary):
    return sum(t["committed"] + t["rolled_back"] + t["failed"] + t["unknown"]
               for t in summary["transactions"].values())


def settings_of(summary, *names):
    return {name: (summary["settings"][name]["value"],
                   summary["settings"][name]["source"]) for name in names}


def test_a_bare_folder_gives_a_valid_result_and_a_second_run_reuses(dyno):
    args = ("run", "tpcc", "-t", "1s", "--ramp-up", "0")
    first = dyno.run(*args)
    assert first.code == 0, first.err
    assert "loaded 1 warehouse" in first.err
    assert "dyno-results/001_sqlite_s1_v4_c4.json" in first.err
    assert first.out.startswith("001_sqlite_s1_v4_c4: valid")
    assert "not audited TPC results" in first.out
    second = dyno.run(*args)
    assert second.code == 0, second.err
    assert "loading" not in second.err
    assert "was there" in second.out
    assert dyno.stored() == ["001_sqlite_s1_v4_c4.json",
                             "002_sqlite_s1_v4_c4.json", "tpcc.sqlite"]
    for name in dyno.stored()[:2]:
        stored = json.loads((dyno.dir / "dyno-results" / name).read_text())
        assert stored["valid"] is True
        assert stored["invalid_reasons"] == []
        assert stored["audit"]["passed"] is True
        assert stored["accounting"]["new_order"]["difference"] == 0
    assert stored["load"]["rows"] == 0


def check_durations(times):
    order = ["p50", "p90", "p95", "p99", "p999", "max"]
    values = [times[name] for name in order]
    assert values == sorted(values)
    assert 0 < times["mean"] <= times["max"]


def test_the_json_has_the_keys_that_scripts_rely_on(dyno, loaded):
    d = dyno.summary("--db", f"sqlite:{loaded}", "-t", "1s")
    assert d["schema_version"] == 1
    assert (d["valid"], d["invalid_reasons"]) == (True, [])
    assert isinstance(d["warnings"], list)
    assert d["run"]["name"] == "001_sqlite_s1_v4_c4"
    assert d["run"]["workload"] == "tpcc"
    assert d["run"]["composition"] == "literal"
    assert d["run"]["status"] == "complete"
    assert d["run"]["id"] == 1
    for name in ("tps", "tpm", "nopm", "nopm_completed", "statements_per_s",
                 "round_trips_per_s"):
        assert d["throughput"][name] > 0
    assert list(d["transactions"]) == list(DEFAULT_MIX)
    for txn in d["transactions"].values():
        assert (txn["failed"], txn["unknown"]) == (0, 0)
        assert txn["committed"] > 0 and txn["retries"] >= 0
        assert 0 < txn["share"] < 1
        check_durations(txn["response_us"])
        check_durations(txn["service_us"])
    assert d["client"]["cpu_us_per_transaction"] > 0
    assert d["client"]["rss_peak_bytes"] > 0
    assert d["client"]["run_path_allocations"] == 0
    assert "loop_lag_us" in d["client"]
    assert d["server"]["facts"]["product"] == "SQLite"
    assert d["errors"] == []
    assert d["audit"]["level"] == "full"
    assert d["audit"]["passed"] is True
    assert {"name", "passed", "detail"} <= set(d["audit"]["checks"][0])
    # What is printed is what is stored.
    stored = dyno.dir / "dyno-results" / "001_sqlite_s1_v4_c4.json"
    assert json.loads(stored.read_text()) == d


def test_settings_say_where_they_come_from_and_the_nearest_wins(dyno):
    (dyno.dir / "c.yaml").write_text(
        "vus: 2\nmax_tries: 5\ndrain: 7s\nmix: deck\n")
    d = dyno.summary(*NOOP, "--config", "c.yaml", "-u", "3",
                     env={"DYNO_VUS": "6", "DYNO_MAX_TRIES": "8",
                          "DYNO_SEED": "9"})
    assert settings_of(d, "vus", "max_tries", "drain", "mix", "seed",
                       "home") == {
        "vus": ("3", "command line"),
        "max_tries": ("8", "environment"),
        "drain": ("7s", "config"),
        "mix": ("deck", "config"),
        "seed": ("9", "environment"),
        "home": ("fixed", "default"),
    }
    assert d["run"]["vus"] == 3
    assert d["run"]["seed"] == 9


@pytest.mark.parametrize("users", [1, 3, 8])
def test_iterations_are_counted_exactly(dyno, users):
    d = dyno.summary("--db", "noop:", "-u", users, "--iterations", "5003")
    assert d["valid"] is True
    assert ended(d) == 5003


def test_every_new_order_of_the_client_is_in_the_database(dyno, loaded):
    d = dyno.summary("--db", f"sqlite:{loaded}", "--iterations", "2000",
                     "--audit", "quick")
    new_order = d["transactions"]["new_order"]
    accounting = d["accounting"]["new_order"]
    assert ended(d) == 2000
    assert accounting["client"] == new_order["committed"]
    assert accounting["db"] == accounting["client"]
    assert accounting["difference"] == 0
    rows = query(loaded, "SELECT count(*) FROM orders WHERE o_id > 3000")
    assert rows == [(new_order["committed"],)]


def test_literal_makes_29_statements_for_a_transaction(dyno, loaded):
    """Means of each transaction, weighted by the configured mix, so that the
    mix drawn does not matter.  Of 6000 transactions the lines of 2700 orders
    do (4 statements each, sigma 3.16): 0.45 * 4 * 3.16 / sqrt(2700) = 0.11,
    and the bound of 0.5 is more than four sigma."""
    d = dyno.summary("--db", f"sqlite:{loaded}", "--iterations", "6000",
                     "-u", "1", "--seed", "11", "--audit", "off",
                     "--composition", "literal")
    for unit in ("statements", "round_trips"):
        each = {name: d["transactions"][name][f"{unit}_per_transaction"]
                for name in DEFAULT_MIX}
        mean = sum(each[name] * share / 100
                   for name, share in DEFAULT_MIX.items())
        assert 28.5 <= mean <= 29.5, each
        # Shares drawn: sigma of a transaction's statements is 23, so 0.3 for
        # 6000; five of them.
        assert 27.5 <= d[f"{unit}_per_transaction"] <= 30.5


def test_a_look_up_run_changes_nothing(dyno, loaded):
    before = query(loaded, "SELECT sum(d_next_o_id) FROM district")
    d = dyno.summary("--db", f"sqlite:{loaded}", "--iterations", "2000",
                     "--mix", "lookup", "--audit", "quick")
    assert d["valid"] is True
    assert ended(d) == 2000
    assert d["statements_per_transaction"] == 1
    assert all(name.startswith("lookup_") for name in d["transactions"])
    assert query(loaded, "SELECT sum(d_next_o_id) FROM district") == before


def test_a_run_without_an_audit_says_so(dyno, loaded):
    d = dyno.summary("--db", f"sqlite:{loaded}", "--iterations", "100",
                     "--audit", "off")
    assert d["valid"] is True
    assert d["audit"]["passed"] is None
    result = dyno.run("run", "tpcc", "--db", f"sqlite:{loaded}",
                      "--iterations", "100", "--audit", "off")
    assert result.code == 0
    assert "not audited" in result.out.replace("are not audited TPC", "")


def test_a_run_may_be_named_and_labelled(dyno):
    d = dyno.summary(*NOOP, "--name", "first try", "--label", "disk=nvme",
                     "--label", "note=a, b")
    assert d["run"]["name"] == "first try"
    assert "disk=nvme" in str(d["settings"]["label"]["value"])
    assert dyno.stored() == ["first try.json"]


def test_a_name_that_is_taken_is_refused_and_nothing_is_overwritten(dyno):
    dyno.summary(*NOOP, "--name", "mine")
    path = dyno.dir / "dyno-results" / "mine.json"
    before = path.read_bytes()
    result = dyno.run("run", "tpcc", *NOOP, "--name", "mine")
    assert (result.code, result.out) == (1, "")
    assert "'dyno-results/mine.json' is there already" in result.err
    assert "choose another --name" in result.err
    assert path.read_bytes() == before
    assert dyno.stored() == ["mine.json"]


def test_markdown_is_a_report_too(dyno):
    result = dyno.run("run", "tpcc", *NOOP, "--format", "markdown", "-q")
    assert result.code == 0
    assert result.out.startswith("#")
    assert "| New-Order" in result.out


def test_quiet_leaves_nothing_on_stderr(dyno):
    result = dyno.run("run", "tpcc", *NOOP, "-q")
    assert (result.code, result.err) == (0, "")


@pytest.mark.slow
def test_users_of_sqlite_get_equal_shares(dyno, loaded):
    """Users that starve do so in each of three tries; other work on the
    machine holds a thread up in one."""
    shares = []
    while len(shares) < 3 and max(shares, default=0) < 0.8:
        d = dyno.summary("--db", f"sqlite:{loaded}", "-u", "4", "-t", "5s",
                         "--audit", "off")
        users = d["users"]
        shares.append(users["fewest_transactions"]
                      / users["most_transactions"])
    assert max(shares) >= 0.8, shares
