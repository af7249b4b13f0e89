# SPDX-License-Identifier: MIT
"""Fixtures of the live tests on MariaDB; conftest.py takes them.

    maria         one server for all tests of a worker; do not stop it
    maria_shared  the URL of two warehouses on it, whose runs follow each other
    maria_db      the URL of an empty database on it, the test's own
    maria_copy    a server of the test's own, to be stopped and hurt, whose
                  database "shop" has the two warehouses
"""
import shutil

import pytest

from dyno_cli import Dyno
from maria_cluster import MariaCluster, Unavailable
from once import once

SHOP = "shop"


def start(*args, **settings):
    try:
        return MariaCluster(*args, **settings)
    except Unavailable as why:
        return pytest.skip(str(why))


def load(server, folder):
    server.sql(f"CREATE DATABASE {SHOP}")
    result = Dyno(folder).run(
        "load", "tpcc", "-w", "2", "--db", server.url(SHOP), "-q", "--audit",
        "off", timeout=180)
    assert (result.code, result.out, result.err) == (0, "", "")
    # All pages are written, so that a copy need not recover.
    server.sql("SET GLOBAL innodb_fast_shutdown = 0")


@pytest.fixture(scope="session")
def maria_template():
    """A data folder with the two warehouses, of a server that has ended; made
    by one of the test processes for all."""
    with once("mariadb-loaded") as (folder, made):
        if not made:
            with start(**{"innodb-log-file-size": "64M"}) as server:
                load(server, folder)
                server.stop()
                shutil.move(server.data, folder / "data")
    return folder / "data"


@pytest.fixture(scope="session")
def maria(maria_template):
    with start(maria_template) as server:
        yield server


@pytest.fixture(scope="session")
def maria_shared(maria):
    return maria.url(SHOP)


@pytest.fixture
def maria_db(maria):
    maria.sql("CREATE DATABASE own")
    yield maria.url("own")
    maria.sql("DROP DATABASE IF EXISTS own")


@pytest.fixture
def maria_copy(maria_template):
    # What has been committed survives the server, not the machine.
    with start(maria_template,
               **{"innodb-flush-log-at-trx-commit": "2"}) as server:
        yield server
