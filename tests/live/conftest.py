# SPDX-License-Identifier: MIT
"""What the live tests share: real servers, and tests/support/dyno_cli.py.

    pg        one PostgreSQL cluster for all tests of a process; do not stop it
    server    a cluster of the test's own, to be stopped and hurt
    db        the URL of an empty database on pg, the test's own
    loaded    the URL of one with two warehouses, the test's own copy
    shared    the same, one for all tests, whose runs follow each other
    sqlite    the same as "loaded", on SQLite

Those of MariaDB are in tests/support/maria_live.py.

Tests marked "smoke" run on instrumented builds too, the others do not: the
server would be the same, and is most of the time.  Those marked "long" run
when asked for by name: "./test long", or pytest -m long.

Test processes (pytest -n) have a server each, a copy of one that is loaded
once.  Tests with an "xdist_group" in common stay in one process.
"""
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from dyno_cli import *  # noqa: E402,F401,F403
from dyno_cli import SANITIZER, Dyno, leave_out
from dyno_cli import pytest_collection_modifyitems as cli_modify
from dyno_cli import pytest_configure as cli_configure
from maria_live import *  # noqa: E402,F401,F403
from once import once
from pg_cluster import PgCluster, Unavailable, give_away

TEMPLATE = "two_warehouses"


def pytest_configure(config):
    cli_configure(config)
    config.addinivalue_line("markers", "smoke: also on instrumented builds")


def pytest_collection_modifyitems(config, items):
    cli_modify(config, items)
    if SANITIZER:
        leave_out(config, items, lambda i: not i.get_closest_marker("smoke"))


def saved_cluster(name, prepare):
    """The folder of a stopped cluster, made by the first one that asks."""
    with once(name) as (folder, made):
        if not made:
            give_away(folder)
            with PgCluster(max_wal_size="64MB", min_wal_size="32MB") as pg:
                prepare(pg, folder)
                pg.save(folder / "data")
        return folder / "data"


def load_template(pg, folder):
    pg.sql(f"CREATE DATABASE {TEMPLATE}")
    result = Dyno(folder).run(
        "load", "tpcc", "-w", "2", "--db", pg.url(TEMPLATE), "-q",
        "--audit", "off", timeout=120)
    assert (result.code, result.out, result.err) == (0, "", "")


def start_cluster(name, prepare, **settings):
    try:
        return PgCluster(saved_cluster(name, prepare), **settings)
    except Unavailable as why:
        return pytest.skip(str(why))


@pytest.fixture(scope="session")
def pg():
    with start_cluster(
            "postgres-loaded", load_template,
            shared_preload_libraries="pg_stat_statements",
            max_wal_size="4GB", checkpoint_timeout="30min") as cluster:
        yield cluster


@pytest.fixture
def server():
    with start_cluster("postgres", lambda *_: None) as cluster:
        yield cluster


@pytest.fixture
def db(pg):
    pg.sql("CREATE DATABASE test")
    yield pg.url("test")
    pg.sql("DROP DATABASE IF EXISTS test WITH (FORCE)")


@pytest.fixture(scope="session")
def template(pg):
    return TEMPLATE


@pytest.fixture
def loaded(pg, template):
    pg.copy(template, "copy")
    yield pg.url("copy")
    pg.sql("DROP DATABASE IF EXISTS copy WITH (FORCE)")


@pytest.fixture(scope="session")
def shared(pg, template):
    pg.copy(template, "shared")
    return pg.url("shared")


@pytest.fixture(scope="session")
def sqlite_once():
    with once("sqlite-two-warehouses") as (folder, made):
        if not made:
            result = Dyno(folder).run(
                "load", "tpcc", "-w", "2", "--db", "sqlite:w2.sqlite", "-q",
                "--audit", "off", timeout=120)
            assert (result.code, result.out, result.err) == (0, "", "")
        return folder / "w2.sqlite"


@pytest.fixture
def sqlite(dyno, sqlite_once):
    shutil.copyfile(sqlite_once, dyno.dir / "w2.sqlite")
    return "sqlite:w2.sqlite"
