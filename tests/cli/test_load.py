# SPDX-License-Identifier: MIT
"""Loading, dropping, and that the same seed makes the same content."""
import shutil

import pytest

from conftest import query

TABLES = ["item", "warehouse", "district", "stock", "customer", "history",
          "orders", "new_order", "order_line"]
# Differ from run to run: the time at which it was done.
TIMES = ("o_entry_d", "ol_delivery_d", "h_date")


def columns_of(path, table, without=()):
    names = [row[1] for row in query(path, f"PRAGMA table_info({table})")]
    assert names, table
    return ", ".join(name for name in names if name not in without)


def content_of(path, without=()):
    """For each table the number of rows and a sum over their hashes: equal for
    equal rows in any order."""
    content = {}
    for table in TABLES:
        columns = columns_of(path, table, without)
        rows = query(path, f"SELECT {columns} FROM {table}")
        content[table] = (len(rows), sum(map(hash, rows)))
    return content


def load(dyno, name, *args):
    result = dyno.run("load", "tpcc", "--db", f"sqlite:{name}", "--audit",
                      "off", "-q", *args)
    assert (result.code, result.err) == (0, "")
    return dyno.dir / name


@pytest.mark.slow
def test_the_content_does_not_depend_on_the_number_of_threads(dyno,
                                                              loaded_once):
    want = content_of(loaded_once)  # by two threads
    for threads in (1, 4):
        path = load(dyno, f"t{threads}.sqlite", "--threads", threads)
        assert content_of(path) == want, threads
        path.unlink()


@pytest.mark.slow
def test_another_seed_makes_other_content(dyno, loaded_once):
    one = content_of(loaded_once)
    two = content_of(load(dyno, "s2.sqlite", "--seed", "2"))
    for table in TABLES:
        # The orders that wait are the same ones whatever the seed.
        assert (one[table] == two[table]) == (table == "new_order"), table


def test_the_numbers_of_rows_are_those_specified(loaded_once):
    want = {"item": 100000, "warehouse": 1, "district": 10, "stock": 100000,
            "customer": 30000, "history": 30000, "orders": 30000,
            "new_order": 9000}
    for table, n in want.items():
        assert query(loaded_once, f"SELECT count(*) FROM {table}") == [(n,)]
    (lines, of_orders), = query(
        loaded_once, "SELECT (SELECT count(*) FROM order_line),"
                     " (SELECT sum(o_ol_cnt) FROM orders)")
    assert lines == of_orders
    # Five standard deviations around 300,000.
    assert abs(lines - 300000) <= 2740


def work_of(dyno, loaded_once, seed, composition):
    """The content after 500 transactions of one user."""
    path = dyno.dir / "x.sqlite"
    shutil.copyfile(loaded_once, path)
    dyno.summary("--db", "sqlite:x.sqlite", "-u", "1", "--seed", seed,
                 "--composition", composition, "--iterations", "500",
                 "--audit", "off")
    return content_of(path, without=TIMES)


def test_one_user_and_one_seed_do_the_same_work_twice(dyno, loaded_once):
    first = work_of(dyno, loaded_once, 7, "literal")
    assert work_of(dyno, loaded_once, 7, "literal") == first
    other = work_of(dyno, loaded_once, 8, "literal")
    for table in ("district", "stock", "customer", "history", "orders",
                  "order_line"):
        assert other[table] != first[table], table


def test_every_composition_does_the_same_work(dyno, loaded_once):
    assert (work_of(dyno, loaded_once, 7, "batched")
            == work_of(dyno, loaded_once, 7, "literal"))


def test_what_is_loaded_is_checked_and_not_loaded_again(dyno, loaded):
    result = dyno.run("audit", "tpcc", "--db", f"sqlite:{loaded}")
    assert result.code == 0, result.out
    assert "passed" in result.out
    result = dyno.run("load", "tpcc", "--db", f"sqlite:{loaded}")
    assert (result.code, result.out) == (1, "")
    assert "holds 1 warehouse" in result.err
    assert "--replace" in result.err


def test_drop_removes_what_load_made_and_a_run_loads_again(dyno, loaded):
    db = ("--db", f"sqlite:{loaded}")
    query(loaded, "CREATE TABLE mine (x)")
    result = dyno.run("drop", "tpcc", *db)
    assert (result.code, result.out) == (0, "")
    assert "removed the tpcc tables" in result.err
    assert query(loaded, "SELECT name FROM sqlite_master") == [("mine",)]
    result = dyno.run("drop", "tpcc", *db)
    assert result.code == 1
    assert "no TPC-C data to drop" in result.err
    d = dyno.summary(*db, "--iterations", "100")
    assert d["valid"] is True
    assert d["load"]["rows"] > 500000
    assert ("mine",) in query(loaded, "SELECT name FROM sqlite_master")


@pytest.mark.parametrize("args", [
    ("--partitions", "3"), ("--partitions", "frob"), ("-w", "100000000")])
def test_a_replacement_that_cannot_be_leaves_what_is_there(dyno, loaded,
                                                           args):
    result = dyno.run("load", "tpcc", "--db", f"sqlite:{loaded}",
                      "--replace", *args)
    assert result.code != 0
    assert query(loaded, "SELECT count(*) FROM item") == [(100000,)]


def test_replace_loads_afresh(dyno, loaded):
    query(loaded, "DELETE FROM item")
    result = dyno.run("load", "tpcc", "--db", f"sqlite:{loaded}", "--replace",
                      "--seed", "3")
    assert result.code == 0, result.err
    assert "Audit (full)\n  passed " in result.out
    assert "failed" not in result.out
    assert query(loaded, "SELECT count(*) FROM item") == [(100000,)]


@pytest.mark.parametrize("command", ["audit", "drop"])
def test_looking_for_data_leaves_no_file_behind(dyno, command):
    result = dyno.run(command, "tpcc", "--db", "sqlite:none.sqlite")
    assert (result.code, result.out) == (1, "")
    assert "no tpcc data" in result.err or "no TPC-C data" in result.err
    assert list(dyno.dir.iterdir()) == []


def test_an_empty_file_is_loaded_into_and_kept(dyno):
    (dyno.dir / "x.sqlite").touch()
    result = dyno.run("audit", "tpcc", "--db", "sqlite:x.sqlite")
    assert result.code == 1
    assert "load it with 'dyno load tpcc'" in result.err
    assert (dyno.dir / "x.sqlite").exists()
