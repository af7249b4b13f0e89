# SPDX-License-Identifier: MIT
"""The same seed does the same work on MariaDB as on SQLite, in each
composition."""
import json

import pytest

from conftest import Dyno
from maria_live import SHOP, start
from once import once
from test_pg_content import PLAIN, TABLES, rows, select

# What turns a column into that of SQLite.
MARIA = ("{0}", "CAST({0} * 100 AS SIGNED)", "CAST({0} * 10000 AS SIGNED)",
         "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', {0})", "{0}")
COMPOSITIONS = ("batched", "pipelined", "single", "procs")
LOAD_TIME = "SELECT value FROM dyno_tpcc WHERE name = 'load_time_us'"


def run_2000(dyno, url, composition, *args):
    d = dyno.summary("--db", url, "-u", 1, "--iterations", 2000, "--seed", 1,
                     "--composition", composition, "--audit", "off", *args,
                     timeout=180)
    assert (d["valid"], d["invalid_reasons"]) == (True, [])
    assert d["accounting"]["new_order"]["difference"] == 0
    return d


def digests(server):
    """A hash of each table; times of the run itself are left out."""
    load_time, = server.sql(LOAD_TIME, SHOP)
    found = {}
    for table in TABLES:
        rows_of = select(table, MARIA, load_time)
        names = [name for kind in TABLES[table] for name in kind.split()]
        found[table] = server.sql(
            "SELECT COUNT(*), SUM(CRC32(CONCAT_WS('|', " + ", ".join(
                f"IFNULL({name}, '-')" for name in names) +
            f"))) FROM ({rows_of}) AS t", SHOP)
    return found


@pytest.fixture(scope="session")
def literal(maria_template):
    """The digests before and after, made by one of the test processes."""
    with once("maria-literal") as (folder, made):
        if not made:
            with start(maria_template) as server:
                before = digests(server)
                run_2000(Dyno(folder), server.url(SHOP), "literal")
                (folder / "it.json").write_text(
                    json.dumps([before, digests(server)]))
        return json.loads((folder / "it.json").read_text())


def test_literal_leaves_the_same_content_as_on_sqlite(
        dyno, maria_copy, sqlite):
    server = maria_copy
    run_2000(dyno, server.url(SHOP), "literal")
    run_2000(dyno, sqlite, "literal", "--results", "other")
    load_time, = rows(dyno, sqlite, LOAD_TIME).split()[1:]
    for table in TABLES:
        outs = [sorted(rows(dyno, url, select(table, forms, load_time))
                       .splitlines())
                for url, forms in ((server.url(SHOP), MARIA),
                                   (sqlite, PLAIN))]
        assert len(outs[0]) == len(outs[1])
        differ = [pair for pair in zip(*outs) if pair[0] != pair[1]]
        assert not differ, (table, differ[:3])


@pytest.mark.parametrize("composition", COMPOSITIONS)
def test_compositions_leave_the_same_content_as_literal(
        dyno, literal, maria_copy, composition):
    before, after = literal
    run_2000(dyno, maria_copy.url(SHOP), composition)
    assert digests(maria_copy) == after
    changed = {table for table in TABLES if after[table] != before[table]}
    assert changed == set(TABLES) - {"item"}
