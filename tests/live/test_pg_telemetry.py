# SPDX-License-Identifier: MIT
"""What a run costs a PostgreSQL server."""
import json
import signal

import pytest

from dyno_cli import wait_until


def assert_server_seen(d, users):
    """The server's processes, counters and waits."""
    server = d["server"]
    assert d["host"]["of"] == "client and server"
    assert server["processes"]["name"] == "postgres"
    assert server["processes"]["threads"] is False
    # Sessions, and the processes that every server has.
    assert server["processes"]["count"] >= users + 5
    assert server["processes"]["shared_peak_bytes"] > 1 << 20
    assert server["cpu_foreground_user_us_per_transaction"] > 0
    assert server["cpu_us_per_transaction"] >= (
        server["cpu_foreground_user_us_per_transaction"])
    assert server["wal_bytes_per_transaction"] > 100
    assert d["telemetry"]["notes"] == []
    assert d["telemetry"]["outages"] == d["telemetry"]["resets"] == 0


@pytest.mark.smoke
@pytest.mark.parametrize("tcp", [False, True])
def test_the_server_on_this_machine_is_found_and_measured(dyno, pg, loaded,
                                                          tcp):
    log = pg.dir / "log"
    seen = log.stat().st_size
    d = dyno.summary("--db", pg.url("copy", tcp=tcp), "-u", 4, "-t", "4s",
                     "--composition", "batched", "--audit", "off")
    assert_server_seen(d, 4)
    # A view of another version is not asked for.
    assert b"ERROR" not in log.read_bytes()[seen:]
    counters = d["server"]["counters"]
    # Handed in once a second, so the edges are uncertain by as much.
    done = sum(t["committed"] for t in d["transactions"].values())
    assert done / 2 < counters["commits"] < 2 * done
    assert counters["rows_inserted"] > counters["rows_deleted"] > 0
    assert 0 < counters["rows_hot_updated"] <= counters["rows_updated"]
    assert counters["wal_records"] > 0
    assert d["server"]["wait_samples"] >= 2
    sessions = sum(w["sessions"] for w in d["server"]["waits"])
    assert 0 < sessions <= 4


def test_the_bytes_of_the_log_are_those_that_the_server_wrote(dyno, pg,
                                                              loaded):
    before = pg.sql("SELECT pg_current_wal_insert_lsn()")[0]
    d = dyno.summary("--db", loaded, "-u", 2, "--iterations", 3000,
                     "--audit", "off")
    [written] = pg.sql("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), "
                       f"'{before}')::bigint")
    # The run does little else before and after.
    assert int(written) * 0.5 < d["server"]["counters"]["wal_bytes"] <= int(
        written)
    assert d["server"]["wal_bytes_per_transaction"] == pytest.approx(
        int(written) / 3000, rel=0.3)


def test_a_user_without_rights_loses_only_what_it_may_not_see(dyno, pg, db):
    d = ping(dyno, pg.url("test", user="guest"))
    assert d["valid"] is True
    assert d["server"]["processes"]["count"] >= 5
    assert d["server"]["counters"]["commits"] > 0


def ping(dyno, url, *args, code=0):
    result = dyno.run("run", "ping", "--db", url, "-u", 1, "-t", "1500ms",
                      "--ramp-up", 0, "-q", "--format", "json", *args)
    assert result.code == code, result.err
    return json.loads(result.out)


def test_no_connection_to_spare_is_said_and_fails_nothing(dyno, pg, db):
    # One that keeps others off the database, and those of two users.
    pg.sql("CREATE ROLE tight LOGIN CONNECTION LIMIT 3")
    try:
        d = ping(dyno, pg.url("test", user="tight"), "-u", 2,
                 "--no-check-limits")
    finally:
        pg.sql("DROP ROLE tight")
    assert d["valid"] is True
    [note] = d["telemetry"]["notes"]
    assert note.startswith("no connection for telemetry: ")
    assert "too many connections" in note
    assert d["server"]["counters"] == {}
    # Whose machine it is nobody could say.
    assert d["host"]["of"] == "client"


def test_telemetry_asks_nothing_when_it_is_off(dyno, pg, db):
    pg.sql("CREATE EXTENSION IF NOT EXISTS pg_stat_statements", "test")
    ask = ("SELECT count(*) FROM pg_stat_statements WHERE query LIKE "
           "'%wait_event_type%' AND dbid = (SELECT oid FROM pg_database "
           "WHERE datname = 'test')")
    pg.sql("SELECT pg_stat_statements_reset()", "test")
    ping(dyno, db, "--no-telemetry")
    assert pg.sql(ask, "test") == ["0"]
    ping(dyno, db)
    assert pg.sql(ask, "test") != ["0"]


def test_a_server_that_is_started_again_is_found_again(dyno, server):
    process = dyno.start("run", "ping", "--db", server.url(), "-u", 2, "-t",
                         "10s", "--ramp-up", 0, "-q", "--format", "json",
                         "--max-failed", 1)
    # The one that asks is among them.
    ask = ("SELECT count(*) FROM pg_stat_activity WHERE query LIKE "
           "'%parallel worker%'")
    wait_until(lambda: int(server.sql(ask)[0]) > 1, "telemetry is connected")
    server.stop(signal.SIGQUIT)
    server.start()
    result = dyno.finish(process)
    d = json.loads(result.out)
    assert d["telemetry"]["outages"] >= 1
    # The outage is left out, what was before and after is not.
    assert 0 < d["server"]["processes"]["seconds"] < 10
    assert d["server"]["cpu_us_per_transaction"] > 0
    assert d["server"]["counters"]["commits"] > 0
