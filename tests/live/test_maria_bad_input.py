# SPDX-License-Identifier: MIT
"""What a user gets wrong about a MariaDB target: a clear error within
seconds, nothing changed."""
import socket
import threading
import time

import pytest

from odbc_live import library, maria_odbc
from test_pg_bad_input import COMMANDS, refuse

RUN = COMMANDS["run"]


@pytest.mark.parametrize("url, words", [
    ("mysql://u@127.0.0.1:1/x", "Can't connect to server on '127.0.0.1'"),
    ("mysql://u@localhost/x?socket=/proc/no", "socket '/proc/no'"),
    ("mysql://u@nosuch.invalid/x", "nosuch.invalid"),
])
def test_a_server_that_is_not_there(dyno, url, words):
    assert words in refuse(dyno, url, *RUN)


@pytest.mark.parametrize("url, words", [
    ("mysql://u@h:port/x", "the port is no number"),
    ("mysql://u@h:70000/x", "the port is no number"),
    ("mysql://u@[::1/x", "']'"),
    ("mysql:/u@h/x", "'//' is missing"),
    ("mysql://u@h/x?nosuch=1", "no parameter 'nosuch'"),
    ("mysql://u@h/x?sockets=1", "did you mean 'socket'"),
    ("mysql://u@h/x?ssl-mode=maybe", "'maybe' is none of disabled"),
    ("mysql://u@h/x?ssl-ca=HERE/no.pem", "HERE/no.pem"),
    ("mysql://u@h/x?connect-timeout=0", "connect-timeout: '0'"),
    ("mysql://u:wrong-password@h:x/y", "***"),
])
def test_a_malformed_target_is_wrong_usage(dyno, url, words):
    url, words = (s.replace("HERE", str(dyno.dir)) for s in (url, words))
    result = dyno.run(*RUN, "--db", url, timeout=10)
    assert result.code == 2, result.err
    assert words in result.err and "wrong-password" not in result.err


def test_passwords(dyno, maria, tmp_path):
    url = maria.url(user="secret", tcp=True)
    wrong = url.replace("secret", "secret:wrong-password")
    text = refuse(dyno, wrong, *RUN)
    assert "Access denied for user 'secret'" in text and "***" in text
    assert "~/.my.cnf" in refuse(dyno, url, *RUN)
    assert dyno.run("exec", "SELECT 1", "--db", url,
                    env={"MYSQL_PWD": "sesame"}).code == 0
    (dyno.dir / ".my.cnf").write_text("[client]\npassword = sesame\n")
    assert dyno.run("exec", "SELECT 1", "--db", url).code == 0
    other = tmp_path / "other.cnf"
    other.write_text("[dyno]\npassword = wrong-password\n")
    refuse(dyno, f"{url}?defaults-file={other}", *RUN)


def test_a_missing_database_can_be_made(dyno, maria):
    text = refuse(dyno, maria.url("missing"), *RUN)
    assert "Unknown database 'missing'" in text
    assert "--create-database makes it" in text
    text = refuse(dyno, maria.url("missing", user="guest"), *RUN,
                  "--create-database", "on")
    assert "Access denied for user 'guest'" in text
    result = dyno.run("exec", "SELECT 1", "--db", maria.url("missing"),
                      "--create-database", "on")
    assert result.code == 0 and "created the database" in result.err
    maria.sql("DROP DATABASE missing")


def test_one_dyno_at_a_time(dyno, maria, maria_shared):
    process = dyno.start("run", "tpcc", "--db", maria_shared, "-t", "20s",
                         "--ramp-up", "0", "--audit", "off")
    try:
        deadline = time.monotonic() + 20
        while not maria.sql("SELECT 1 FROM information_schema.processlist"
                            " WHERE command = 'Execute' LIMIT 1", "shop"):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert "in use by another dyno" in refuse(dyno, maria_shared, *RUN)
    finally:
        process.kill()
        process.communicate()


# ---- limits ----

def test_too_few_connections_are_found_before_the_run(dyno, maria_shared):
    text = refuse(dyno, maria_shared, *RUN, "-u", 200)
    assert "max_connections is 60" in text
    assert "it would have to be 20" in text


def test_too_few_prepared_statements_are_found_before_the_run(
        dyno, maria, maria_shared):
    maria.sql("SET GLOBAL max_prepared_stmt_count = 100")
    try:
        text = refuse(dyno, maria_shared, *RUN, "-u", 8)
        assert "max_prepared_stmt_count is 100" in text
        assert "--no-prepare" in text
        d = dyno.summary("--db", maria_shared, "-u", 8, "--iterations", 80,
                         "--no-prepare", "--audit", "off")
        assert d["valid"] is True
    finally:
        maria.sql("SET GLOBAL max_prepared_stmt_count = 16382")


def test_an_account_with_one_connection_is_too_little(dyno, maria):
    text = refuse(dyno, maria.url("shop", user="single"), *RUN)
    assert "max_user_connections" in text and "a limit of the account" in text


def test_a_server_without_local_infile_is_loaded_by_inserts(dyno, maria,
                                                            maria_db):
    maria.sql("SET GLOBAL local_infile = 0")
    try:
        result = dyno.run("load", "tpcc", "-w", 1, "--db", maria_db,
                          "--audit", "quick", timeout=180)
    finally:
        maria.sql("SET GLOBAL local_infile = 1")
    assert result.code == 0, result.err
    assert result.err.count("local_infile is off on the server") == 1


@pytest.fixture
def small_packets(maria):
    """All that the server takes is 1 KB."""
    sql = "SET GLOBAL net_buffer_length = {}; SET GLOBAL max_allowed_packet" \
          " = {}"
    maria.sql(sql.format(1024, 1024))
    yield
    maria.sql(sql.format(16384, 16777216))


@pytest.mark.parametrize("odbc", [False, True])
def test_a_statement_that_is_too_large(dyno, maria, small_packets, odbc):
    url = maria_odbc(maria, "test") if odbc else maria.url()
    fits = f"SELECT LENGTH('{'x' * 1005}')"
    too_large = f"SELECT LENGTH('{'x' * 1006}')"
    why = "a statement of 1023 bytes is larger than the server takes: raise" \
          " max_allowed_packet, which is 1024"
    assert f"statement 1: {why}" in refuse(dyno, url, "exec", too_large)
    # The connection is as good as before.
    result = dyno.run("exec", f"{too_large}; {fits}; SELECT 7 AS n", "--db",
                      url, "--on-error", "continue", "--format", "csv")
    assert why in result.err and result.out.split()[-2:] == ["n", "7"]
    assert "\n1005\n" in result.out


@pytest.mark.parametrize("odbc", [False, True])
def test_a_workload_s_statement_that_is_too_large(dyno, maria, maria_shared,
                                                  small_packets, odbc):
    url = maria_odbc(maria) if odbc else maria_shared
    result = dyno.run(*RUN, "-u", 2, "--composition", "single", "--audit",
                      "off", "--db", url, timeout=60)
    assert result.code == 5, result.err
    text = " ".join(result.out.split())
    assert "2 times outside transactions, not supported here: single/" in text
    assert "raise max_allowed_packet, which is 1024" in text


# ---- authentication and TLS ----

class Greeter:
    """A server that knows one way to log in, and is gone then."""

    def __init__(self, plugin):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        # Protocol 4.1, plugin names, secure passwords.
        flags = 0x0000_0200 | 0x0000_8000 | 0x0008_0000
        hello = b"\x0a8.0.99\0" + bytes(4) + b"12345678\0" + \
            (flags & 0xffff).to_bytes(2, "little") + b"\x2d\x02\x00" + \
            (flags >> 16).to_bytes(2, "little") + b"\x15" + bytes(10) + \
            b"123456789012\0" + plugin.encode() + b"\0"
        self.hello = self.packet(0, hello)
        # The client begins as it is used to, and is told otherwise.
        self.switch = self.packet(2, b"\xfe" + plugin.encode() + b"\0" +
                                  b"12345678901234567890\0")
        threading.Thread(target=self.serve, daemon=True).start()

    @staticmethod
    def packet(number, data):
        return len(data).to_bytes(3, "little") + bytes([number]) + data

    def serve(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            client.sendall(self.hello)
            client.recv(4096)
            client.sendall(self.switch)
            client.recv(4096)
            client.close()


@pytest.mark.parametrize("plugin", ["caching_sha2_password", "nosuch_plugin"])
def test_an_authentication_plugin_that_is_missing_is_named(dyno, tmp_path,
                                                           plugin):
    server = Greeter(plugin)
    text = refuse(dyno, f"mysql://u@127.0.0.1:{server.port}/x"
                        f"?plugin-dir={tmp_path}", *RUN)
    server.socket.close()
    assert plugin in text and "plugin-dir" in text


def test_a_server_that_does_not_answer(dyno):
    silent = socket.create_server(("127.0.0.1", 0))
    text = refuse(dyno, f"mysql://u@127.0.0.1:{silent.getsockname()[1]}/x"
                        "?connect-timeout=1", *RUN)
    silent.close()
    assert "no answer from '127.0.0.1' within 1 s" in text


def test_tls_that_the_server_does_not_have(dyno, maria):
    text = refuse(dyno, maria.url(tcp=True, params="ssl-mode=required"), *RUN)
    assert "TLS is required and the server has none" in text
    assert dyno.run("exec", "SELECT 1", "--db", maria.url(
        tcp=True, params="ssl-mode=preferred")).code == 0


@pytest.mark.smoke
def test_tls(dyno, maria_copy):
    maria_copy.tls()
    url = maria_copy.url("shop", user="tls", tcp=True)
    assert "ssl-mode=required" in refuse(dyno, url, *RUN)
    d = dyno.summary("--db", f"{url}?ssl-mode=required", "-u", 4, "-t", "1s",
                     timeout=120)
    assert d["valid"] is True
    assert d["server"]["facts"]["tls"] != "off"
    # The certificate is its own; nobody else has signed it.
    text = refuse(dyno, f"{url}?ssl-mode=verify-identity", *RUN)
    assert "certificate" in text.lower() or "tls" in text.lower()
    ca = maria_copy.dir / "cert"
    assert dyno.run("exec", "SELECT 1", "--db",
                    f"{url}?ssl-mode=verify-ca&ssl-ca={ca}").code == 0
    # The server itself may want it, of everyone who comes by TCP.
    maria_copy.sql("SET GLOBAL require_secure_transport = 1")
    url = maria_copy.url("shop", tcp=True)
    odbc = f"odbc:Driver={library('libmaodbc.so')};SERVER=127.0.0.1;" \
           f"PORT={maria_copy.port};Database=shop;UID=dyno"
    for url, wants in ((url, "?ssl-mode=required"), (odbc, ";FORCETLS=1")):
        text = refuse(dyno, url, *RUN)
        assert "server that requires TLS" in text and wants[1:] in text
        assert dyno.run("exec", "SELECT 1", "--db", url + wants).code == 0
