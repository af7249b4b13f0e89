# SPDX-License-Identifier: MIT
"""Ctrl-C and the like: what was loaded is removed, what was measured is kept,
and after a kill the data is as usable as before."""
import json
import signal
import time

import pytest

from conftest import query, size_of, wait_until

BOTH = pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])


def start_and_write(dyno, *args, tail="-wal"):
    """For a run 8 MiB are some hundred transactions; a load has no
    write-ahead log."""
    process = dyno.start(*args)
    wait_until(lambda: size_of(dyno.dir / f"w1.sqlite{tail}") > 8 << 20
               or process.poll() is not None, "rows are written")
    assert process.poll() is None
    return process


@BOTH
@pytest.mark.parametrize("command", ["load", "run"])
def test_an_interrupted_load_is_removed(dyno, command, number):
    process = start_and_write(dyno, command, "tpcc", "-w", "3", "--db",
                              "sqlite:w1.sqlite", tail="")
    process.send_signal(number)
    result = dyno.finish(process)
    assert (result.code, result.out) == (1, "")
    assert "what was loaded so far has been removed" in result.err
    assert "loading was interrupted" in result.err
    assert [p for p in dyno.dir.rglob("*") if p.is_file()] == []


def test_an_interrupted_load_leaves_other_tables_alone(dyno):
    path = dyno.dir / "w1.sqlite"
    query(path, "CREATE TABLE mine (x)")
    process = start_and_write(dyno, "load", "tpcc", "-w", "3", "--db",
                              "sqlite:w1.sqlite", tail="")
    process.send_signal(signal.SIGINT)
    result = dyno.finish(process)
    assert result.code == 1
    assert "what was loaded so far has been removed" in result.err
    assert query(path, "SELECT name FROM sqlite_master") == [("mine",)]


@BOTH
def test_an_interrupted_run_reports_and_stores_what_it_has(dyno, loaded,
                                                           number):
    process = start_and_write(dyno, "run", "tpcc", "--db", "sqlite:w1.sqlite",
                              "-t", "60s", "--ramp-up", "0")
    process.send_signal(number)
    result = dyno.finish(process)
    assert result.code == 5, result.err
    assert "NOT VALID, ended early" in result.out
    assert f"ended by signal {int(number)}" in result.out
    assert dyno.stored() == ["001_sqlite_s1_v4_c4.json"]
    d = json.loads((dyno.dir / "dyno-results" / dyno.stored()[0]).read_text())
    assert d["valid"] is False
    assert d["invalid_reasons"] == ["window_incomplete"]
    assert d["run"]["status"] == "partial"
    assert d["run"]["partial_reason"] == f"ended by signal {int(number)}"
    assert d["run"]["interval_s"] > 0
    assert d["transactions"]["new_order"]["committed"] > 0
    assert d["throughput"]["nopm"] > 0
    assert d["accounting"]["new_order"]["difference"] == 0
    # Who stops a run does not want to wait for the audit.
    assert d["audit"]["passed"] is None


def test_a_run_interrupted_in_its_ramp_up_has_no_numbers(dyno, loaded):
    process = start_and_write(dyno, "run", "tpcc", "--db", "sqlite:w1.sqlite",
                              "--ramp-up", "60s")
    process.send_signal(signal.SIGINT)
    result = dyno.finish(process)
    assert result.code == 5, result.err
    assert "no data" in result.out
    d = json.loads((dyno.dir / "dyno-results" / dyno.stored()[0]).read_text())
    assert d["invalid_reasons"] == ["nothing_completed", "window_incomplete"]
    assert d["accounting"]["new_order"]["client"] > 0
    assert d["accounting"]["new_order"]["difference"] == 0


def test_a_killed_run_leaves_data_that_the_next_one_can_use(dyno, loaded):
    process = start_and_write(dyno, "run", "tpcc", "--db", "sqlite:w1.sqlite",
                              "-t", "60s", "--ramp-up", "0")
    process.kill()
    dyno.finish(process)
    d = dyno.summary("--db", "sqlite:w1.sqlite", "--iterations", "500")
    assert d["valid"] is True
    assert d["load"]["rows"] == 0
    assert d["accounting"]["new_order"]["difference"] == 0
    # Its number is kept, because what it measured is; its lock is gone.
    assert d["run"]["name"].startswith("002_")
    assert dyno.stored() == ["002_sqlite_s1_v4_c4.json"]


def test_a_dyno_that_was_stopped_for_a_while_says_so(dyno):
    process = dyno.start("run", "ping", "--db", "noop:", "-t", "5s",
                         "--ramp-up", "0", "--progress", "100ms", "--format",
                         "json")
    assert any("measure" in line for line in process.stderr)
    process.send_signal(signal.SIGSTOP)
    time.sleep(2)
    process.send_signal(signal.SIGCONT)
    result = dyno.finish(process)
    assert result.code == 3
    assert "dyno itself stood still for" in result.err
    assert json.loads(result.out)["invalid_reasons"] == ["window_incomplete"]
