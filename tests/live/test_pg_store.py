# SPDX-License-Identifier: MIT
"""What is kept of a run whose server is gone for good."""
import json
import os
import signal
import sqlite3

from conftest import wait_until


def intervals(path):
    try:
        connection = sqlite3.connect(path)
        return connection.execute("SELECT count(*) FROM intervals WHERE "
                                  "phase = 'measure'").fetchone()[0]
    except sqlite3.Error:
        return 0


def test_a_run_whose_server_is_killed_keeps_its_series(dyno, server):
    process = dyno.start("run", "tpcc", "--db", server.url(), "-t", "8s",
                         "--ramp-up", "0", "--interval", "200ms", "--drain",
                         "1s", "--audit", "off", "-q", "--name", "mine")
    path = dyno.dir / "dyno-results" / "dyno.db"
    wait_until(lambda: intervals(path) >= 5 or process.poll() is not None,
               "intervals are stored", timeout=90)
    assert process.poll() is None, process.communicate()
    server.kill()
    result = dyno.finish(process, timeout=120)
    assert result.code == 5, result.err
    listed = json.loads(dyno.run("runs", "list", "--format", "json").out)[0]
    assert (listed["name"], listed["status"]) == ("mine", "partial")
    assert "the database is gone" in listed["reason"]
    shown = dyno.run("runs", "show", "mine")
    assert "ended early: the database is gone" in shown.out
    assert "New-Order" in shown.out
    # Up to the end, the outage with nothing done included.
    rows = sqlite3.connect(path).execute(
        "SELECT i.number, coalesce(sum(t.committed), 0) FROM intervals i LEFT "
        "JOIN interval_transactions t ON t.run = i.run AND t.number = "
        "i.number WHERE phase = 'measure' GROUP BY i.number").fetchall()
    assert [n for n, _ in rows] == list(range(rows[0][0],
                                              rows[0][0] + len(rows)))
    assert rows[-2][1] == 0 and max(n for _, n in rows) > 0
