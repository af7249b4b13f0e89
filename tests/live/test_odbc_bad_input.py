# SPDX-License-Identifier: MIT
"""What goes wrong with ODBC targets: a clear error within seconds, nothing
changed, no password shown; and servers that go away under a run."""
import signal

import pytest

from odbc_live import library, maria_odbc, pg_odbc, sqlite_odbc
from test_pg_bad_input import COMMANDS, refuse
from test_pg_faults import started, stored

RUN = COMMANDS["run"]


@pytest.fixture(autouse=True)
def own_settings(dyno):
    """unixODBC reads nothing of the machine's."""
    (dyno.dir / "odbcinst.ini").write_text("")
    (dyno.dir / "odbc.ini").write_text(
        f"[known]\nDriver = {dyno.dir}/no/driver.so\n")
    dyno.env.update(ODBCSYSINI=str(dyno.dir),
                    ODBCINI=str(dyno.dir / "odbc.ini"))


def test_a_data_source_that_is_not_there(dyno):
    text = refuse(dyno, "odbc:nosuch", *RUN)
    assert "Data source name not found" in text and "(SQLSTATE IM002)" in text
    assert "odbc.ini" in text and "ODBCINI" in text
    refuse(dyno, "odbc:DSN=nosuch;UID=u;PWD=wrong-password", *RUN)


@pytest.mark.parametrize("url", ["odbc:known", "odbc:Driver=HERE/no/driver.so",
                                 "odbc:Driver={No Such Driver};UID=u"])
def test_a_driver_that_is_not_there(dyno, url):
    text = refuse(dyno, url.replace("HERE", str(dyno.dir)), *RUN)
    assert f"{dyno.dir}/no/driver.so" in text or "not found" in text


@pytest.mark.parametrize("url, words", [
    ("odbc:", "names no data source"),
    ("odbc:;;", "names no data source"),
    ("odbc:x;y", "expected keyword=value"),
    ("odbc:x;PWD=wrong-password;rest", "PWD={a;b}"),
    ("odbc:x;DynoDialect=oracle", "none of postgres, mysql, sqlite"),
])
def test_a_malformed_target_is_wrong_usage(dyno, url, words):
    result = dyno.run(*RUN, "--db", url, timeout=10)
    assert result.code == 2, result.err
    assert words in result.err and "wrong-password" not in result.err


def test_servers_that_are_not_there(dyno):
    refuse(dyno, f"odbc:Driver={library('libmaodbc.so')};SOCKET=/proc/no;UID=u",
           *RUN)
    text = refuse(dyno, f"odbc:Driver={library('psqlodbcw.so')};"
                        "Servername=/proc/no;Database=d;UID=u", *RUN)
    assert "/proc/no" in text
    refuse(dyno, sqlite_odbc(f"{dyno.dir}/no/x.db"), *RUN)


def test_passwords(dyno, maria, pg):
    text = refuse(dyno, maria_odbc(maria, "test", "secret",
                                   "PWD=wrong-password"), *RUN)
    assert "Access denied for user 'secret'" in text and "PWD=***" in text
    assert "odbc.ini" in text
    url = f"odbc:Driver={library('psqlodbcw.so')};Servername=127.0.0.1;" \
          f"Port={pg.port};Database=postgres;UID=secret;"
    assert "authentication failed" in refuse(dyno, url + "PWD=wrong-password",
                                             *RUN)
    (dyno.dir / "odbc.ini").write_text(
        "[known]\n" + url[5:].replace(";", "\n").replace("UID", "Username") +
        "Password=sesame\n")
    result = dyno.run("exec", "SELECT 1", "--db", "odbc:known")
    assert result.code == 0, result.err


def test_a_database_that_is_not_there(dyno, maria, pg):
    assert "nosuch" in refuse(dyno, maria_odbc(maria, "nosuch"), *RUN)
    assert "nosuch" in refuse(dyno, pg_odbc(pg, "nosuch"), *RUN)


def test_what_odbc_does_not_have_is_said(dyno, maria, maria_shared):
    url = maria_odbc(maria)
    for args, words in (
            (("--composition", "pipelined"), "a pipeline"),
            (("--no-prepare",), "always prepares"),
            (("--create-database", "on"), "not created by a command")):
        result = dyno.run(*RUN, "--db", url, *args)
        assert result.code in (1, 2) and words in result.err


def test_limits_are_found_before_the_run(dyno, maria, maria_shared):
    text = refuse(dyno, maria_odbc(maria), *RUN, "-u", 200)
    assert "max_connections is 60" in text
    maria.sql("SET GLOBAL max_prepared_stmt_count = 100")
    try:
        text = refuse(dyno, maria_odbc(maria), *RUN, "-u", 8)
        assert "max_prepared_stmt_count is 100" in text
    finally:
        maria.sql("SET GLOBAL max_prepared_stmt_count = 16382")


def test_another_dyno_s_database_is_refused(dyno, maria, maria_shared):
    held = dyno.start("run", "tpcc", "--db", maria_shared, "-t", "60s",
                      "--ramp-up", "0", "--audit", "off", "--progress", "1s")
    try:
        while "measure" not in held.stderr.readline():
            assert held.poll() is None
        text = refuse(dyno, maria_odbc(maria), *RUN)
        assert "in use by another dyno" in text
    finally:
        held.kill()
        held.communicate()


def assert_usable(dyno, url):
    d = dyno.summary("--db", url, "--iterations", 100, "--results", "again",
                     "--audit", "quick", timeout=120)
    assert d["valid"] is True


@pytest.mark.long
def test_a_server_killed_in_a_run(dyno, maria_copy):
    url = maria_odbc(maria_copy)
    finish = started(dyno, "run", "tpcc", "--ramp-up", "0", "--drain", "2s",
                     "--audit", "quick", "-u", "4", "-t", "6s", "--db", url)
    maria_copy.stop(signal.SIGKILL)
    maria_copy.start()
    code, _, err = finish(200)
    d = stored(dyno)
    assert code in (0, 3), err
    a = d["accounting"]["new_order"]
    assert 0 <= a["difference"] <= a["unknown"]
    assert {e["class"] for e in d["errors"]} <= {"connection_lost", "retryable",
                                                 "unknown_outcome", "limit"}
    assert_usable(dyno, url)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["maria", "postgres"])
def test_killed_connections_are_made_again(dyno, request, kind):
    if kind == "maria":
        request.getfixturevalue("maria_shared")
        server = request.getfixturevalue("maria")
        url = maria_odbc(server)
    else:
        request.getfixturevalue("shared")
        server = request.getfixturevalue("pg")
        url = pg_odbc(server, "shared")
    finish = started(dyno, "run", "tpcc", "--ramp-up", "0", "--drain", "2s",
                     "--audit", "quick", "-u", "4", "-t", "4s", "--db", url)
    if kind == "maria":
        for pid in server.sql("SELECT id FROM information_schema.processlist"
                              " WHERE db = 'shop' AND command <> 'Sleep'"):
            try:
                server.sql(f"KILL {pid}")
            except RuntimeError:
                pass  # it has gone by itself
    else:
        server.sql("SELECT count(pg_terminate_backend(pid)) FROM"
                   " pg_stat_activity WHERE datname = 'shared' AND"
                   " state <> 'idle'")
    code, _, err = finish(200)
    d = stored(dyno)
    a = d["accounting"]["new_order"]
    assert 0 <= a["difference"] <= a["unknown"], err
    assert d["users"]["died"] == 0 and d["audit"]["passed"] is True
    assert code in (0, 3)
