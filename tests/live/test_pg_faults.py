# SPDX-License-Identifier: MIT
"""Servers that go away, hang or come back: dyno ends in seconds, says why and
keeps what it measured."""
import json
import os
import signal
import subprocess
import threading
import time

import pytest

from conftest import TIMEOUT_FACTOR, wait_until

RUN = ("run", "tpcc", "--ramp-up", "0", "--drain", "2s", "--audit", "quick")


@pytest.fixture
def ready(dyno, server):
    """A server with one warehouse."""
    result = dyno.run("load", "tpcc", "--db", server.url(), "-q", "--audit",
                      "off", timeout=120)
    assert result.code == 0, result.err
    return server


def started(dyno, *args):
    """A run, measuring; what it prints comes with finish()."""
    process = dyno.start(*args)
    lines = []
    measuring = threading.Event()

    def read():
        for line in process.stderr:
            lines.append(line)
            if "measure" in line:
                measuring.set()
        measuring.set()

    reader = threading.Thread(target=read)
    reader.start()
    assert measuring.wait(30 * TIMEOUT_FACTOR) and process.poll() is None, \
        lines

    def finish(seconds):
        begin = time.monotonic()
        out = process.stdout.read()
        process.wait(60)
        took = time.monotonic() - begin
        reader.join()
        assert took < seconds * TIMEOUT_FACTOR, "".join(lines)
        return process.returncode, out, "".join(lines)

    return finish


def stored(dyno):
    name, = dyno.stored()
    return json.loads((dyno.dir / "dyno-results" / name).read_text())


def assert_usable(dyno, server):
    d = dyno.summary("--db", server.url(), "--iterations", 200,
                     "--results", "again")
    assert d["valid"] is True


def test_a_server_that_is_shutting_down(dyno, server):
    psql = subprocess.Popen(
        [f"{server.programs}/psql", "-X", "-h", server.dir, "-p",
         str(server.port), "-U", "dyno", "postgres", "-c",
         "SELECT pg_sleep(60)"], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: server.sql(
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE"
            " 'SELECT pg_sleep%'") == ["1"], "it has a client")
        server.server.send_signal(signal.SIGTERM)  # when all clients are gone
        for args in (RUN, ("load", "tpcc"), ("exec", "SELECT 1")):
            def refused():
                result = dyno.run(*args, "--db", server.url(), timeout=20)
                assert result.code == 1 or args[0] == "exec", result.err
                return "the database system is shutting down" in result.err
            wait_until(refused, "connections are refused")
    finally:
        psql.kill()
        psql.wait()


@pytest.mark.smoke
def test_a_server_killed_while_loading(dyno, server):
    process = dyno.start("load", "tpcc", "-w", 20, "--db", server.url())
    wait_until(lambda: server.sql(
        "SELECT count(*) > 0 FROM pg_class WHERE relname IN ('customer',"
        " 'order_line', 'stock') AND pg_relation_size(oid) > 0") == ["t"]
               or process.poll() is not None, "rows are written")
    server.kill()
    result = dyno.finish(process, timeout=15)
    assert (result.code, result.out) == (1, "")
    assert "loading 20 warehouses, after" in result.err
    # Complete pieces stay; without one the server is asked in vain.
    assert ("could not be removed" in result.err or
            "what was loaded so far is kept" in result.err)
    server.start()
    # Half a load is known as one, and can be done again.
    partial = dyno.run(*RUN, "--db", server.url(), timeout=20)
    assert partial.code == 1
    assert "did not end" in partial.err and "--replace" in partial.err
    again = dyno.run("load", "tpcc", "-w", 1, "--replace", "-q", "--db",
                     server.url(), "--audit", "quick", timeout=120)
    assert again.code == 0, again.err


@pytest.mark.smoke
@pytest.mark.parametrize("how", ["killed", "stopped in order"])
def test_a_server_that_goes_away_for_good(dyno, ready, how):
    finish = started(dyno, *RUN, "-t", "5s", "-u", 8, "--db", ready.url())
    if how == "killed":
        ready.kill()
    else:
        ready.stop()
    code, out, err = finish(12)
    assert code in (3, 5), err
    assert "NOT VALID" in out
    d = stored(dyno)
    assert d["valid"] is False
    assert d["run"]["status"] == "partial"
    assert d["run"]["partial_reason"].startswith("the database is gone")
    assert d["throughput"]["tps"] > 0
    classes = {e["class"] for e in d["errors"]}
    assert "connection_lost" in classes
    # What nobody could check is not called right.
    assert d["accounting"]["new_order"] is None
    assert d["audit"]["passed"] is None
    assert "audit_failed" not in d["invalid_reasons"]
    assert "not audited; not checked: " in out
    ready.start()
    assert_usable(dyno, ready)


def test_a_server_that_comes_back(dyno, ready):
    finish = started(dyno, *RUN, "-t", "12s", "-u", 8, "--db", ready.url())
    backend = ready.sql("SELECT pid FROM pg_stat_activity WHERE"
                        " application_name = 'dyno' AND wait_event_type IS"
                        " DISTINCT FROM 'Lock' AND query LIKE '%district%'"
                        " UNION ALL SELECT pid FROM pg_stat_activity WHERE"
                        " application_name = 'dyno' LIMIT 1")
    # All sessions end when one crashes, and the server recovers.
    os.kill(int(backend[0]), signal.SIGKILL)
    code, out, err = finish(30)
    d = stored(dyno)
    assert code == 3, err
    assert d["users"]["died"] == 0
    assert d["invalid_reasons"] == ["too_many_failed"]
    a = d["accounting"]["new_order"]
    assert 0 <= a["difference"] <= a["unknown"]
    assert d["audit"]["passed"] is True


def test_sessions_that_are_ended_are_opened_again(dyno, ready):
    finish = started(dyno, *RUN, "-t", "6s", "-u", 8, "--max-failed", "100%",
                     "--db", ready.url(tcp=True))
    for _ in range(3):
        ready.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                  " WHERE application_name = 'dyno' AND query NOT LIKE"
                  " '%advisory%'")
        time.sleep(0.5)
    code, out, err = finish(30)
    assert code == 0, out + err
    d = stored(dyno)
    assert d["users"]["died"] == 0
    assert "57P01" in {e["sqlstate"] for e in d["errors"]}
    a = d["accounting"]["new_order"]
    assert 0 <= a["difference"] <= a["unknown"]


@pytest.mark.smoke
def test_a_server_that_stops_answering(dyno, ready):
    finish = started(dyno, *RUN, "-t", "4s", "-u", 8, "--db", ready.url())
    ready.pause()
    code, out, err = finish(4 + 2 + 6)
    assert code in (3, 5), err
    assert "NOT VALID" in out
    d = stored(dyno)
    assert d["valid"] is False
    assert d["transactions"]["new_order"]["committed"] > 0
    assert d["accounting"]["new_order"] is None or \
        d["accounting"]["new_order"]["difference"] <= \
        d["accounting"]["new_order"]["unknown"]
    ready.resume()
    assert_usable(dyno, ready)


def test_a_server_that_stops_for_a_moment(dyno, ready):
    finish = started(dyno, *RUN, "-t", "5s", "-u", 8, "--db", ready.url())
    ready.pause()
    time.sleep(1.5)
    ready.resume()
    code, out, err = finish(30)
    assert code == 0, out + err
    d = stored(dyno)
    # The wait is in the response times, not left out of them.
    assert d["transactions"]["new_order"]["response_us"]["max"] > 1_400_000


def test_a_server_that_stops_answering_while_loading(dyno, server):
    process = dyno.start("load", "tpcc", "-w", 20, "--db", server.url())
    wait_until(lambda: server.sql(
        "SELECT count(*) FROM pg_class WHERE relname = 'stock' AND"
        " pg_relation_size(oid) > 0") == ["1"], "rows are written")
    server.pause()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    result = dyno.finish(process, timeout=30)
    assert result.code == 1
    assert "loading was interrupted" in result.err
    server.resume()


@pytest.mark.smoke
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM],
                         ids=["SIGINT", "SIGTERM"])
def test_an_interrupted_run_keeps_what_it_has(dyno, shared, number):
    process = dyno.start(*RUN, "-t", "60s", "-u", 8, "--db", shared)
    assert any("measure" in line for line in process.stderr)
    process.send_signal(number)
    result = dyno.finish(process, timeout=20)
    assert result.code == 5, result.err
    assert "NOT VALID, ended early" in result.out
    d = stored(dyno)
    assert d["run"]["status"] == "partial"
    assert d["run"]["partial_reason"] == f"ended by signal {int(number)}"
    assert d["invalid_reasons"] == ["window_incomplete"]
    assert d["accounting"]["new_order"]["difference"] == 0
    # Who stops a run does not want to wait for the audit.
    assert d["audit"]["passed"] is None
