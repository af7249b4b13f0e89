# SPDX-License-Identifier: MIT
"""What a run costs, without a server."""
import json
from pathlib import Path

import pytest

from conftest import wait_until

PROC = "cat /proc/stat /proc/diskstats /proc/vmstat"


def noop(run, *args, code=0):
    result = run("run", "tpcc", "--db", "noop:", "-u", 2, "-t", "300ms",
                 "--ramp-up", 0, "--format", "json", "-q", *args)
    assert result.code == code, result.err
    return json.loads(result.out)


def threads(process):
    return [path.read_text().strip() for path in
            Path(f"/proc/{process.pid}/task").glob("*/comm")]


def test_a_run_says_what_it_cost_the_machine(run):
    d = noop(run)
    host = d["host"]
    assert d["telemetry"] == {"on": True, "outages": 0, "resets": 0,
                              "notes": []}
    assert host["of"] == "client and server"
    assert host["cores"] >= 1
    assert host["seconds"] == pytest.approx(d["run"]["interval_s"], abs=0.2)
    assert sum(host["cpu_share"].values()) == pytest.approx(1, abs=1e-4)
    assert host["counters"]["cpu_user_us"] > 0
    assert 0 < host["cpu_user_us_per_transaction"] < 1000
    assert d["client"]["context_switches_per_transaction"] >= 0
    assert 0 < d["client"]["busiest_thread_share"] <= 1.1
    # There is no server.
    assert d["server"]["processes"] is None
    assert d["server"]["cpu_us_per_transaction"] is None


def test_cost_for_each_transaction_is_of_those_of_the_interval(run):
    d = noop(run)
    ended = sum(t[n] for t in d["transactions"].values()
                for n in ("committed", "rolled_back", "failed", "unknown"))
    each = d["host"]["cpu_user_us_per_transaction"]
    assert d["host"]["counters"]["cpu_user_us"] / each == pytest.approx(
        ended, rel=0.2)


def test_without_telemetry_nothing_is_claimed(run):
    d = noop(run, "--no-telemetry")
    assert d["telemetry"]["on"] is False
    assert d["host"]["of"] is None
    assert set(d["host"]["counters"].values()) == {None}
    assert d["client"]["cpu_us_per_transaction"] > 0
    text = run("run", "tpcc", "--db", "noop:", "-u", 2, "--iterations", 50,
               "-q", "--no-telemetry").out
    assert "What it cost" not in text


def test_a_counted_run_has_its_cost_too(run):
    result = run("run", "tpcc", "--iterations", 300, "-u", 2, "-q")
    assert result.code == 0, result.err
    assert "What it cost, in the interval" in result.out
    assert "of client and server: CPU" in result.out


def test_a_probe_s_machine_takes_the_place_of_this_one(run):
    d = noop(run, "--host-probe", PROC)
    assert d["host"]["of"] == "probe"
    assert d["host"]["cores"] is None
    assert d["host"]["counters"]["context_switches"] >= 0
    assert d["telemetry"]["notes"] == []
    d = noop(run, "--host-probe", "echo disk_reads $(date +%s%N)")
    assert d["host"]["counters"]["disk_reads"] > 0
    assert d["host"]["counters"]["context_switches"] is None
    assert d["host"]["cpu_share"]["user"] is None


@pytest.mark.parametrize("command, why", [
    ("exit 3", "the command failed (exit code 3)"),
    ("echo nothing of use", "printed no figure that is known"),
    ("/no/such/program", "the command failed (exit code 127)"),
])
def test_a_probe_that_fails_is_said_and_fails_nothing(run, command, why):
    d = noop(run, "--host-probe", command)
    assert d["valid"] is True
    [note] = d["telemetry"]["notes"]
    assert why in note
    assert d["host"]["counters"]["context_switches"] is None


def test_a_probe_that_hangs_does_not_hang_the_run(run):
    d = noop(run, "--host-probe", "sleep 600")
    assert d["valid"] is True
    assert "took too long" in d["telemetry"]["notes"][0]


def test_what_watches_a_run_is_no_worker_by_name(dyno):
    process = dyno.start("run", "ping", "--db", "noop:", "-t", "60s",
                         "--ramp-up", "0", "-u", "2", "--threads", "2",
                         "--host-probe", PROC)
    try:
        wait_until(lambda: {"dyno-probe", "dyno-w0", "dyno-w1"} <=
                   set(threads(process)), "all threads have their names")
        names = threads(process)
    finally:
        process.kill()
        dyno.finish(process)
    assert len(names) == len(set(names)), names
