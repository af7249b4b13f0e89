# SPDX-License-Identifier: MIT
"""Rows as files, and that every value is what the seed makes."""
import csv
import re
import subprocess

import pytest

from conftest import query


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from conftest import Dyno
    where = tmp_path_factory.mktemp("csv")
    result = Dyno(where).run("load", "tpcc", "--db", "csv:rows", "-q")
    assert (result.code, result.out, result.err) == (0, "", "")
    return where / "rows"


def checksums(text):
    return dict(re.findall(r"verified (\w+) .*checksum (\w+)", text))


def test_the_manifest_says_what_the_files_hold(folder):
    with open(folder / "manifest.csv", newline="") as f:
        files = list(csv.DictReader(f))
    assert len(files) == 10
    for row in files:
        path = folder / row["file"]
        done = subprocess.run(["cksum", path], capture_output=True, text=True,
                              check=True)
        assert done.stdout.split()[:2] == [row["cksum"], row["bytes"]]
        with open(path) as f:
            assert sum(1 for _ in f) == int(row["rows"]) + 1


def test_the_script_for_sqlite_makes_data_that_dyno_takes_as_its_own(
        dyno, folder, loaded_once):
    path = dyno.dir / "x.sqlite"
    with open(folder / "load.sqlite.sql") as script:
        done = subprocess.run(["sqlite3", "-bail", path], stdin=script,
                              cwd=folder, capture_output=True, text=True,
                              check=False)
    assert (done.returncode, done.stderr) == (0, "")
    sums = []
    for target in ("sqlite:x.sqlite", f"sqlite:{loaded_once}",
                   f"csv:{folder}"):
        result = dyno.run("load", "tpcc", "--db", target, "--verify")
        assert result.code == 0, result.err
        sums.append(checksums(result.err))
    assert len(sums[0]) == 9
    assert sums[0] == sums[1] == sums[2]
    result = dyno.run("audit", "tpcc", "--db", "sqlite:x.sqlite")
    assert result.code == 0, result.out


@pytest.mark.parametrize("change, words", [
    ("UPDATE stock SET s_quantity = s_quantity + 1 WHERE s_i_id = 7",
     ["table stock, warehouse 1"]),
    ("DELETE FROM item WHERE i_id = 5", ["table item", "99999 rows of"]),
    ("UPDATE new_order SET no_w_id = 9 WHERE no_o_id = 3000",
     ["table new_order has a row of warehouse 9"]),
])
def test_a_value_that_is_not_what_the_seed_makes_is_found(dyno, loaded, change,
                                                          words):
    query(loaded, change)
    result = dyno.run("load", "tpcc", "--db", "sqlite:w1.sqlite", "--verify")
    assert result.code == 1
    for word in words:
        assert word in result.err


def test_data_that_was_run_on_is_not_compared(dyno, loaded):
    dyno.summary("--db", "sqlite:w1.sqlite", "--iterations", "10", "--audit",
                 "off")
    result = dyno.run("load", "tpcc", "--db", "sqlite:w1.sqlite", "--verify")
    assert result.code == 1
    assert "1 runs have changed the data" in result.err


def test_a_folder_that_is_not_empty_is_refused(dyno):
    (dyno.dir / "rows").mkdir()
    (dyno.dir / "rows" / "mine.txt").write_text("mine")
    result = dyno.run("load", "tpcc", "--db", "csv:rows")
    assert result.code == 1
    assert "'rows' is not empty: it holds 'mine.txt'" in result.err
    assert [p.name for p in (dyno.dir / "rows").iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("command", ["run", "audit", "drop"])
def test_files_are_for_loading_alone(dyno, command):
    result = dyno.run(command, "tpcc", "--db", "csv:rows")
    assert result.code in (1, 2)
    assert "for 'dyno load' alone" in result.err
    assert not (dyno.dir / "rows").exists()


def test_a_disk_that_fills_up_names_the_table_and_leaves_nothing(dyno):
    result = dyno.run("load", "tpcc", "--db", "csv:rows",
                      prefix=["prlimit", "--fsize=20000000"])
    assert result.code == 1
    assert re.search(r"load of table (stock|order_line), warehouse 1",
                     result.err)
    assert "File too large" in result.err
    assert not (dyno.dir / "rows").exists()


def test_a_disk_that_is_too_small_is_refused_with_the_numbers(dyno):
    for target in ("sqlite:x.sqlite", "csv:rows"):
        result = dyno.run("load", "tpcc", "-w", "1000000", "--db", target)
        assert (result.code, result.out) == (1, "")
        assert re.search(r"1000000 warehouses would take "
                         r"about \d+\.\d TB .* has"
                         r" [\d.]+ \wB free", result.err)
    assert [p for p in dyno.dir.rglob("*") if p.is_file()] == []


def test_a_load_on_sqlite_says_what_it_will_take(dyno):
    result = dyno.run("load", "tpcc", "--db", "sqlite:x.sqlite", "--audit",
                      "off")
    assert result.code == 0
    assert re.search(r"1 warehouse will take about [\d.]+ MB of disk \(the disk"
                     r" of x.sqlite has", result.err)


@pytest.mark.parametrize("option", ["--partitions=2", "--unlogged"])
def test_switches_that_a_database_lacks_are_refused(dyno, option):
    for target in ("sqlite:x.sqlite", "csv:rows"):
        result = dyno.run("load", "tpcc", "-w", "2", "--db", target, option)
        assert result.code == 2
        assert f"{option.split('=')[0]} is not available on" in result.err
    assert list(dyno.dir.iterdir()) == []


def test_a_killed_load_on_sqlite_goes_on_from_the_beginning(dyno, loaded_once):
    from conftest import size_of, wait_until
    db = ("--db", "sqlite:x.sqlite")
    process = dyno.start("load", "tpcc", *db)
    wait_until(lambda: size_of(dyno.dir / "x.sqlite") > 20 << 20,
               "rows are written")
    process.kill()
    dyno.finish(process)
    result = dyno.run("load", "tpcc", *db, "-w", "2", "--continue")
    assert result.code == 1
    assert "is of 1 warehouses, not 2" in result.err
    result = dyno.run("load", "tpcc", *db, "--continue", "--verify")
    assert result.code == 0, result.err
    assert len(checksums(result.err)) == 9
    assert query(dyno.dir / "x.sqlite", "SELECT count(*) FROM sqlite_master"
                 " WHERE name = 'dyno_tpcc_load'") == [(0,)]


def test_a_folder_of_a_killed_load_is_named_as_such(dyno):
    (dyno.dir / "rows").mkdir()
    (dyno.dir / "rows" / "item.csv").write_text("i_id\n1\n")
    result = dyno.run("load", "tpcc", "--db", "csv:rows")
    assert (result.code, result.out) == (1, "")
    assert "of a load that was killed or of another program" in result.err
    assert "name another folder" in result.err
    assert (dyno.dir / "rows" / "item.csv").exists()


def test_the_name_of_a_folder_may_have_any_character(dyno):
    (dyno.dir / "what? 100%").mkdir()
    (dyno.dir / "what? 100%" / "item.csv").write_text("")
    result = dyno.run("load", "tpcc", "--db", "csv:what%3F 100%25")
    assert "of a load that was killed" in result.err
    assert [path.name for path in dyno.dir.glob("what*")] == ["what? 100%"]
