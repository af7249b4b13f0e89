# SPDX-License-Identifier: MIT
"""What the tests of the command line share: tests/support/dyno_cli.py, and

"loaded", the path of a database with one warehouse, the test's own copy of
one that is loaded once.
"""
import os
import shutil
import sqlite3
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from dyno_cli import *  # noqa: E402,F401,F403
from made_runs import MadeRuns  # noqa: E402
from once import once  # noqa: E402


def size_of(path):
    """0 when there is no such file."""
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def query(path, sql):
    """Rows of a statement on an SQLite file, without dyno."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


@pytest.fixture(scope="session")
def loaded_once():
    with once("sqlite") as (folder, made):
        if not made:
            result = Dyno(folder).run(
                "load", "tpcc", "--db", "sqlite:w1.sqlite", "--audit", "off",
                "--threads", "2", timeout=120)
            assert result.code == 0, result.err
        return folder / "w1.sqlite"


@pytest.fixture
def loaded(dyno, loaded_once):
    path = dyno.dir / "w1.sqlite"
    shutil.copyfile(loaded_once, path)
    return path


@pytest.fixture(scope="session")
def one_run(tmp_path_factory):
    """The results of one real run, on the null driver."""
    folder = tmp_path_factory.mktemp("one-run")
    result = Dyno(folder).run(
        "run", "tpcc", "--db", "noop:", "-t", "1600ms", "--ramp-up", "200ms",
        "--interval", "100ms", "-q", "--audit", "off", "-u", "2", "--name",
        "real")
    assert result.code == 0, result.err
    return folder / "dyno-results"


@pytest.fixture
def make(dyno, one_run):
    """Makes runs of that one in the results of dyno."""
    shutil.copytree(one_run, dyno.dir / "dyno-results")
    runs = MadeRuns(dyno.dir / "dyno-results")
    yield runs
    runs.close()
