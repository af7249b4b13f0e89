# SPDX-License-Identifier: MIT
"""Servers that are restarted, and storms of errors."""
import signal
import time

import pytest

from test_pg_faults import ready, started, stored  # noqa: F401

DOWN_S = 1.5


@pytest.mark.parametrize("connections", (None, 4))
def test_a_restart_in_the_middle_is_reported_and_accounted_for(
        dyno, ready, connections):
    args = ("--connections", connections) if connections else ()
    finish = started(dyno, "run", "tpcc", "--ramp-up", "0", "-t", "10s", "-u",
                     8, "--max-failed", "100%", "--audit", "full", "--db",
                     ready.url(), *args)
    time.sleep(1)
    ready.stop(signal.SIGINT)
    time.sleep(DOWN_S)
    ready.start()
    code, out, err = finish(40)
    assert code == 0, out + err
    d = stored(dyno)
    assert d["valid"] is True
    assert d["run"]["status"] == "complete"
    assert d["users"]["active"] == 8
    assert d["users"]["died"] == 0
    a = d["accounting"]["new_order"]
    assert 0 <= a["difference"] <= a["unknown"]
    assert d["audit"]["passed"] is True
    o = d["outage"]
    assert DOWN_S <= o["no_connection_s"] < 8
    assert o["nothing_ended_s"] >= DOWN_S
    assert 0.5 < o["longest_from_s"] < 5
    assert "Outages in the interval" in out
    assert {"connection_lost"} <= {e["class"] for e in d["errors"]}
    # What comes again and again is told once a second.
    told = [line for line in err.splitlines() if "warning: errors:" in line]
    assert 1 <= len(told) <= 12
    assert any("connection lost" in line for line in told)


def test_a_storm_costs_neither_log_nor_memory(dyno, shared):
    result = dyno.run("run", "tpcc", "--db", shared, "-u", 200, "--ramp-up",
                      "0", "-t", "2s", "--audit", "off", "--no-check-limits",
                      "--connections", 190, timeout=90)
    assert result.code == 3, result.err
    assert len(result.err) < 20_000
    assert "a limit of the server is reached" in result.err
    d = stored(dyno)
    # Where one thread was first at every place, the other's users have none.
    assert "window_incomplete" in d["invalid_reasons"]
    assert set(d["invalid_reasons"]) <= {"window_incomplete", "user_died"}
    assert ("user_died" in d["invalid_reasons"]) == (d["users"]["died"] > 0)
    limit, = [e for e in d["errors"] if e["class"] == "limit"]
    # So many find no room, each tried for five seconds with growing pauses.
    assert limit["count"] >= 150
    assert d["client"]["rss_growth_bytes"] < 1 << 20
    assert d["accounting"]["new_order"]["difference"] == 0
