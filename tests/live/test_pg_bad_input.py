# SPDX-License-Identifier: MIT
"""What a user gets wrong about a PostgreSQL target: a clear error within
seconds, exit code 1, nothing changed."""
import re
import time

import pytest

COMMANDS = {
    "run": ("run", "tpcc", "-t", "1s", "--ramp-up", "0"),
    "load": ("load", "tpcc"),
    "exec": ("exec", "SELECT 1"),
}
SECONDS = 6


def refuse(dyno, url, *args, code=1, env=None):
    """The one line that is printed."""
    start = time.monotonic()
    result = dyno.run(*args, "--db", url, timeout=30, env=env)
    assert time.monotonic() - start < SECONDS
    assert (result.code, result.out) == (code, ""), result.err
    lines = result.err.splitlines()
    assert len(lines) == 1, result.err
    assert lines[0].startswith("dyno: error: ")
    assert "sesame" not in result.err and "wrong-password" not in result.err
    return lines[0]


@pytest.fixture(params=sorted(COMMANDS))
def command(request):
    return COMMANDS[request.param]


def test_a_port_where_nobody_listens(dyno, command):
    text = refuse(dyno, "postgres://dyno@127.0.0.1:1/x", *command)
    assert "Connection refused" in text and "127.0.0.1" in text


def test_a_socket_that_is_not_there(dyno, command):
    text = refuse(dyno, f"postgres:host={dyno.dir}/x user=dyno dbname=x",
                  *command)
    assert "No such file or directory" in text and f"{dyno.dir}/x" in text


def test_a_host_that_has_no_address(dyno, command):
    text = refuse(dyno, "postgres://dyno@nosuch.invalid/x", *command)
    assert "nosuch.invalid" in text


def test_a_host_that_does_not_answer(dyno, server):
    server.pause()
    start = time.monotonic()
    text = refuse(dyno, server.url(tcp=True) + "?connect_timeout=2",
                  *COMMANDS["run"])
    assert time.monotonic() - start >= 2
    assert "no answer from '127.0.0.1'" in text and "within 2 s" in text


def test_a_wrong_password(dyno, pg, command):
    url = f"postgres://secret:wrong-password@127.0.0.1:{pg.port}/postgres"
    text = refuse(dyno, url, *command)
    assert 'password authentication failed for user "secret"' in text
    assert "***" in text


def test_no_password(dyno, pg, command):
    text = refuse(dyno, pg.url(user="secret", tcp=True), *command)
    assert "no password supplied" in text and "PGPASSWORD" in text


def test_the_password_may_come_from_the_environment(dyno, pg):
    result = dyno.run("exec", "SELECT 1", "--db",
                      pg.url(user="secret", tcp=True),
                      env={"PGPASSWORD": "sesame"})
    assert result.code == 0, result.err


def test_a_role_that_is_not_there(dyno, pg, command):
    text = refuse(dyno, pg.url(user="nosuch"), *command)
    assert 'role "nosuch" does not exist' in text


def test_a_missing_database_can_be_made(dyno, pg, command):
    text = refuse(dyno, pg.url("missing"), *command)
    assert 'database "missing" does not exist' in text
    assert "--create-database makes it" in text
    assert pg.sql("SELECT 1 FROM pg_database WHERE datname = 'missing'") == []


def test_who_may_not_create_databases_is_told(dyno, pg, command):
    text = refuse(dyno, pg.url("missing", user="guest"), *command,
                  "--create-database", "on")
    assert "permission denied to create database" in text


def test_who_may_not_create_tables_is_told(dyno, pg, db):
    for args in (COMMANDS["load"], COMMANDS["run"]):
        result = dyno.run(*args, "--db", pg.url("test", user="guest"),
                          timeout=10)
        assert result.code == 1
        assert "permission denied for schema public" in result.err
    assert pg.sql("SELECT count(*) FROM pg_class WHERE relname LIKE 'dyno%'",
                  "test") == ["0"]


def test_who_may_not_read_the_data_is_told(dyno, pg, shared):
    text = refuse(dyno, pg.url("shared", user="guest"), *COMMANDS["run"])
    assert "permission denied for table dyno_tpcc (GRANT it to" in text


def test_too_few_connections_make_the_run_not_valid(dyno, pg, shared):
    start = time.monotonic()
    d = dyno.summary("--db", shared, "-u", 60, "-t", "1s", "--audit", "off",
                     "--no-check-limits", code=3)
    assert time.monotonic() - start < 20
    assert "user_died" in d["invalid_reasons"]
    assert 15 <= d["users"]["died"] < 30
    limit, = [e for e in d["errors"] if e["class"] == "limit"]
    assert limit["sqlstate"] == "53300"
    assert "too many clients already" in limit["text"]
    assert "raise max_connections" in limit["text"]
    assert d["accounting"]["new_order"]["difference"] == 0


def test_a_role_with_one_connection_is_too_few(dyno, pg):
    text = refuse(dyno, pg.url(user="single"), *COMMANDS["run"])
    assert 'too many connections for role "single"' in text


@pytest.mark.parametrize("url, words", [
    ("postgres://u@h:port/x", "port"),
    ("postgres://u@h/x?nosuch=1", "nosuch"),
    ("postgres:host=h nosuch=1", "nosuch"),
    ("postgres:host=h 'x", "neither a URL"),
    ("postgres://u:wrong-password@[h/x", "neither a URL"),
    ("postgres://u:mine@wrong-password@h/x", "it is written %40"),
])
def test_a_malformed_target_is_wrong_usage(dyno, url, words):
    result = dyno.run(*COMMANDS["run"], "--db", url, timeout=10)
    assert result.code in (1, 2)
    assert words in result.err
    assert "wrong-password" not in result.err


# ---- TLS ----

def test_tls_that_the_server_does_not_have(dyno, pg, command):
    text = refuse(dyno, pg.url(tcp=True) + "?sslmode=require", *command)
    assert "server does not support SSL, but SSL was required" in text


def test_tls_that_the_server_wants(dyno, server, command):
    server.tls(True)
    url = server.url(user="tls", tcp=True)
    text = refuse(dyno, url + "?sslmode=disable", *command)
    assert re.search("no encryption|pg_hba.conf", text)
    text = refuse(dyno, url + "?sslmode=verify-full", *command)
    assert "root certificate" in text


@pytest.mark.smoke
def test_a_run_over_tls(dyno, server):
    server.tls(True)
    d = dyno.summary("--db", server.url(user="dyno", tcp=True) +
                     "?sslmode=require", "-u", 4, "-t", "1s", timeout=120)
    assert d["valid"] is True
    assert d["server"]["facts"]["tls"] != "off"


# ---- PgBouncer ----

@pytest.fixture
def poolers(pg):
    yield pg
    for pooler in pg.poolers:
        pooler.kill()
        pooler.wait()
    pg.poolers = []


def test_a_pooler_that_loses_prepared_statements_is_refused(dyno, poolers,
                                                            command, shared):
    port = poolers.pooler("transaction")
    url = poolers.url("shared", tcp=True, port=port)
    if command[0] == "exec":  # prepares nothing that stays
        command = ("exec", "SELECT 1", "--format", "csv")
        result = dyno.run(*command, "--db", url)
        assert result.code == 0 or "--no-prepare" in result.err
        return
    text = refuse(dyno, url, *command)
    assert "--no-prepare" in text and "pool_mode = session" in text


@pytest.mark.parametrize("mode, args, said", [
    ("transaction", ("--no-prepare",), "transaction"),
    ("session", (), "session"),
])
def test_a_run_through_a_pooler(dyno, poolers, shared, mode, args, said):
    port = poolers.pooler(mode)
    d = dyno.summary("--db", poolers.url("shared", tcp=True, port=port), "-u",
                     6, "-t", "2s", *args)
    assert (d["valid"], d["invalid_reasons"]) == (True, [])
    assert d["accounting"]["new_order"]["difference"] == 0
    assert said in d["server"]["facts"]["pooler"]
