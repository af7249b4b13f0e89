# SPDX-License-Identifier: MIT
"""What the live tests share: real servers, and tests/support/dyno_cli.py.

    pg        one PostgreSQL cluster for all tests; do not stop it
    server    a cluster of the test's own, to be stopped and hurt
    db        the URL of an empty database on pg, the test's own
    loaded    the URL of one with two warehouses, the test's own copy
    shared    the same, one for all tests, whose runs follow each other

Tests marked "smoke" run on instrumented builds too, the others do not: the
server would be the same, and is most of the time.
"""
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from dyno_cli import *  # noqa: E402,F401,F403
from dyno_cli import SANITIZER, Dyno, pytest_configure as cli_configure
from pg_cluster import PgCluster, Unavailable

TEMPLATE = "two_warehouses"


def pytest_configure(config):
    cli_configure(config)
    config.addinivalue_line("markers", "smoke: also on instrumented builds")


def pytest_collection_modifyitems(config, items):
    if not SANITIZER:
        return
    left_out = [i for i in items if not i.get_closest_marker("smoke")]
    items[:] = [i for i in items if i.get_closest_marker("smoke")]
    config.hook.pytest_deselected(items=left_out)


def start_cluster(**settings):
    try:
        return PgCluster(**settings)
    except Unavailable as why:
        return pytest.skip(str(why))


@pytest.fixture(scope="session")
def pg():
    with start_cluster(
            shared_preload_libraries="pg_stat_statements",
            max_wal_size="4GB", checkpoint_timeout="30min") as cluster:
        yield cluster


@pytest.fixture
def server():
    with start_cluster() as cluster:
        yield cluster


@pytest.fixture
def db(pg):
    pg.sql("CREATE DATABASE test")
    yield pg.url("test")
    pg.sql("DROP DATABASE IF EXISTS test WITH (FORCE)")


@pytest.fixture(scope="session")
def template(pg, tmp_path_factory):
    pg.sql(f"CREATE DATABASE {TEMPLATE}")
    result = Dyno(tmp_path_factory.mktemp("template")).run(
        "load", "tpcc", "-w", "2", "--db", pg.url(TEMPLATE), "-q", "--audit",
        "off", timeout=120)
    assert (result.code, result.out, result.err) == (0, "", "")
    return TEMPLATE


@pytest.fixture
def loaded(pg, template):
    pg.sql(f"CREATE DATABASE copy TEMPLATE {template}")
    yield pg.url("copy")
    pg.sql("DROP DATABASE IF EXISTS copy WITH (FORCE)")


@pytest.fixture(scope="session")
def shared(pg, template):
    pg.sql(f"CREATE DATABASE shared TEMPLATE {template}")
    return pg.url("shared")
