# SPDX-License-Identifier: MIT
"""What is refused before any server of dyno's own is made."""
import os
import shutil
import socket
import tempfile
from pathlib import Path

import pytest

NOTHING = set()


@pytest.fixture
def base():
    """A folder that other users reach too, as root's servers need it."""
    path = Path(tempfile.mkdtemp(prefix="dyno-servers.", dir="/tmp"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def left(base):
    return set(os.listdir(base))


@pytest.mark.parametrize("args, words", [
    (["start", "oracle"], "postgres, mariadb, mysql"),
    (["start", "postgre"], "did you mean 'postgres'"),
    (["start", "postgres", "--name", "../x"], "cannot be the name"),
    (["start", "postgres", "--name", "a b"], "cannot be the name"),
    (["start", "postgres", "--name", "it's"], "cannot be the name"),
    (["start", "postgres", "--name", ""], "cannot be the name"),
    (["start", "postgres", "--name", "-x"], "cannot be the name"),
    (["start", "postgres", "--name", "x" * 64], "cannot be the name"),
    (["start", "postgres", "--bindir", "/tmp"],
     "'/tmp' has no PostgreSQL: there is no 'postgres'"),
    (["start", "mariadb", "--bindir", "/tmp"], "'/tmp' has no MariaDB"),
    (["start", "mysql", "--bindir", "/tmp"], "'/tmp' has no MySQL"),
    (["start", "postgres", "--bindir", "/none"], "cannot use '/none'"),
    (["start", "postgres", "--set", "work_mem"], "not NAME=VALUE"),
    (["start", "postgres", "--set", "=1"], "not NAME=VALUE"),
    (["start", "postgres", "--set", "a b=1"], "not NAME=VALUE"),
    (["start", "postgres", "--set", "work_mem=1\n2"], "cannot be printed"),
    (["start", "postgres", "--set", "port=1"], "dyno's own matter"),
    (["start", "postgres", "--set", "LISTEN_addresses=*"],
     "dyno's own matter"),
    (["start", "mariadb", "--set", "bind-address=0.0.0.0"],
     "dyno's own matter"),
    (["start", "postgres", "--server-config", "none.conf"],
     "cannot read 'none.conf'"),
    (["start", "postgres", "--preset", "fast"], "--preset"),
    (["start", "postgres", "--port", "0"], "--port"),
    (["start", "postgres", "--run-as", "nobody-here"], "--run-as"),
    (["stop", "none"], "there is no server 'none'"),
    (["destroy", "../none"], "cannot be the name"),
    (["url", "none"], "there is no server 'none'"),
    (["destroy"], "which?"),
    (["list", "x"], "one argument too many"),
    (["begin"], "unknown"),
    (["lst"], "did you mean 'list'"),
    (["list", "--tcp"], "--tcp is no option of 'dyno server list'"),
    (["stop", "x", "--preset", "stock"], "no option of 'dyno server stop'"),
    (["destroy", "x", "--left-behind"], "one argument too many"),
    (["snapshots", "x"], "one argument too many"),
    (["drop-snapshot"], "which? write 'dyno server drop-snapshot NAME', or"),
    (["drop-snapshot", "none"], "there is no snapshot 'none'"),
    (["drop-snapshot", "../none"], "there is no snapshot '../none'"),
    ([], "dyno server start postgres"),
])
def test_bad_input_is_refused_and_leaves_nothing(run, base, args, words):
    result = run("server", *args, "--servers", base)
    assert result.code in (1, 2)
    assert result.out == ""
    assert words in result.err
    assert left(base) == NOTHING


def test_a_port_in_use_is_named(run, base):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        result = run("server", "start", "postgres", "--port", port,
                     "--servers", base)
    assert result.code == 1
    assert f"port {port} of 127.0.0.1 is in use" in result.err
    assert left(base) == NOTHING


def test_a_program_of_another_product_is_refused(run, base, tmp_path):
    program = tmp_path / "mysqld"
    program.write_text("#!/bin/sh\necho 'mysqld  Ver 11.4.2-MariaDB for x'\n")
    program.chmod(0o755)
    tmp_path.chmod(0o755)
    result = run("server", "start", "mysql", "--bindir", tmp_path,
                 "--servers", base)
    assert result.code in (1, 2)
    assert "MariaDB" in result.err or "cannot run" in result.err
    assert left(base) == NOTHING


def test_no_server_is_an_empty_list(run, base):
    for folder in (base, base / "none"):
        result = run("server", "list", "--servers", folder)
        assert (result.code, result.out, result.err) == (0, "", "")


def test_a_run_has_one_target(run, base):
    result = run("run", "ping", "--server", "postgres", "--db", "noop:",
                 "--servers", base)
    assert result.code == 2
    assert "--server and --db exclude each other" in result.err
    assert left(base) == NOTHING
