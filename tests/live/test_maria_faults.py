# SPDX-License-Identifier: MIT
"""A MariaDB server that goes away, hangs or comes back: dyno ends in seconds,
says why and keeps what it measured."""
import signal

import pytest

from test_pg_faults import started, stored

RUN = ("run", "tpcc", "--ramp-up", "0", "--drain", "2s", "--audit", "quick",
       "-u", "4", "-t", "30s")


def assert_usable(dyno, server):
    d = dyno.summary("--db", server.url("shop"), "--iterations", 100,
                     "--results", "again", timeout=120)
    assert d["valid"] is True


@pytest.mark.smoke
def test_a_server_killed_in_a_run(dyno, maria_copy):
    finish = started(dyno, *RUN, "--db", maria_copy.url("shop"))
    maria_copy.stop(signal.SIGKILL)
    maria_copy.start()
    # Users come back; what was lost in a COMMIT is unknown, and accounted.
    code, _, err = finish(60)
    d = stored(dyno)
    assert code in (0, 3), err
    a = d["accounting"]["new_order"]
    assert 0 <= a["difference"] <= a["unknown"]
    assert {e["class"] for e in d["errors"]} <= {"connection_lost", "retryable",
                                                 "unknown_outcome", "limit"}
    assert_usable(dyno, maria_copy)


def test_a_server_that_hangs(dyno, maria_copy):
    finish = started(dyno, "run", "tpcc", "--ramp-up", "0", "--drain", "2s",
                     "--audit", "off", "-u", "4", "-t", "3s", "--db",
                     maria_copy.url("shop"))
    maria_copy.pause()
    code, _, err = finish(40)
    maria_copy.resume()
    assert code in (3, 5), err
    assert stored(dyno)["valid"] is False
    assert_usable(dyno, maria_copy)


def test_killed_connections_are_made_again(dyno, maria, maria_shared):
    finish = started(dyno, "run", "tpcc", "--ramp-up", "0", "--drain", "2s",
                     "--audit", "quick", "-u", "4", "-t", "4s", "--db",
                     maria_shared)
    for pid in maria.sql("SELECT id FROM information_schema.processlist"
                         " WHERE db = 'shop' AND command <> 'Sleep'"):
        try:
            maria.sql(f"KILL {pid}")
        except RuntimeError:
            pass  # it has gone by itself
    code, _, err = finish(40)
    d = stored(dyno)
    a = d["accounting"]["new_order"]
    assert 0 <= a["difference"] <= a["unknown"], err
    assert d["users"]["died"] == 0 and d["audit"]["passed"] is True
    assert code in (0, 3)
