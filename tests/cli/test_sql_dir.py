# SPDX-License-Identifier: MIT
"""--sql-dir: statements of the user's own instead of dyno's."""
import json
import re

import pytest

from conftest import ROOT, query

STEP = "tpcc/sqlite/literal/stock_level_count.sql"
RUN = ("run", "tpcc", "--db", "w1.sqlite", "-u", 1, "--iterations", 200, "-q",
       "--audit", "quick")


def put(dyno, path, text, folder="own"):
    file = dyno.dir / folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def original(path):
    return (ROOT / "sql" / path).read_text()


def hash_of(result):
    return json.loads(result.out)["run"]["own_sql"]["hash"]


def test_a_statement_is_replaced_and_every_report_says_so(dyno, loaded):
    step = "tpcc/sqlite/literal/payment_update_warehouse.sql"
    put(dyno, step, original(step).replace("w_ytd + :amount",
                                           "w_ytd + 2 * :amount"))
    before, = query(loaded, "SELECT w_ytd FROM warehouse")[0]
    result = dyno.run(*RUN, "--sql-dir", "own", "--audit", "off", "--format",
                      "json")
    assert result.code == 0, result.err
    d = json.loads(result.out)
    assert d["run"]["own_sql"]["files"] == [step]
    assert re.fullmatch("[0-9a-f]{16}", d["run"]["own_sql"]["hash"])
    assert d["settings"]["sql_dir"] == {"value": "own", "source":
                                        "command line"}
    stored = json.loads((dyno.dir / "dyno-results" /
                         dyno.stored()[0]).read_text())
    assert stored["run"] == d["run"]
    # It was this statement that ran.
    after, = query(loaded, "SELECT w_ytd FROM warehouse")[0]
    paid, = query(loaded, "SELECT sum(h_amount) FROM history")[0]
    assert after - before == 2 * (paid - before) > 0
    text = dyno.run(*RUN, "--sql-dir", "own", "--audit", "off").out
    assert f"1 replaced, hash {d['run']['own_sql']['hash']}" in text


def test_the_hash_depends_on_the_text_and_the_name_only(dyno, loaded):
    args = (*RUN, "--iterations", 10, "--format", "json", "--sql-dir")
    for folder in ("one", "two"):
        put(dyno, STEP, original(STEP), folder)
    put(dyno, STEP, original(STEP) + "\n", "three")
    put(dyno, ".git/config", "not looked at", "two")
    hashes = [hash_of(dyno.run(*args, f)) for f in ("one", "two", "three")]
    assert hashes[0] == hashes[1] != hashes[2]
    plain = json.loads(dyno.run(*args[:-1]).out)
    assert plain["run"]["own_sql"] is None


def test_the_schema_of_a_load_can_be_replaced(dyno):
    path = "tpcc/sqlite/schema.sql"
    put(dyno, path, original(path) + "CREATE TABLE extra (x int);\n")
    result = dyno.run("load", "tpcc", "--db", "x.sqlite", "--sql-dir", "own",
                      "-q", "--audit", "off", timeout=120)
    assert (result.code, result.err) == (0, "")
    assert query(dyno.dir / "x.sqlite", "SELECT count(*) FROM extra") == [(0,)]


def test_the_audit_uses_them_too(dyno, loaded):
    path = "tpcc/sqlite/audit_warehouse.sql"
    put(dyno, path, original(path).replace("w_tax", "w_tax + 1000000"))
    result = dyno.run("audit", "tpcc", "--db", loaded, "--sql-dir", "own")
    assert result.code == 3
    assert "population_warehouse" in result.out


@pytest.mark.parametrize("path, words", [
    ("tpcc/sqlite/literal/stock_level_cuont.sql",
     [f"did you mean '{STEP}'?", "own/tpcc/sqlite/literal/stock_level_cuont"]),
    ("sqlite/literal/stock_level_count.sql", [f"did you mean '{STEP}'?"]),
    ("notes.txt", ["own/notes.txt replaces nothing"]),
])
def test_a_file_that_replaces_nothing_is_refused(dyno, loaded, path, words):
    put(dyno, path, "SELECT 1;")
    result = dyno.run(*RUN, "--sql-dir", "own")
    assert (result.code, result.out) == (2, "")
    for word in ["--sql-dir: ", *words]:
        assert word in result.err


@pytest.mark.parametrize("text, words", [
    ("", ["the file is empty"]),
    ("SELECT \0;", ["not text"]),
    ("-- no signature\nSELECT 1;", ["stock_level_count", "signature"]),
    (original(STEP).replace(":w_id", ":nobody"), [":nobody"]),
])
def test_a_statement_that_cannot_be_used_is_named(dyno, loaded, text, words):
    put(dyno, STEP, text)
    result = dyno.run(*RUN, "--sql-dir", "own")
    assert result.code in (1, 2)
    assert result.out == ""
    for word in words:
        assert word in result.err


def test_a_folder_that_is_of_no_use_is_refused(dyno, loaded):
    (dyno.dir / "own").mkdir()
    for folder, word in (("own", "there is no file in 'own'"),
                         ("nosuch", "'nosuch': No such file"),
                         ("w1.sqlite", "'w1.sqlite': Not a directory")):
        result = dyno.run(*RUN, "--sql-dir", folder)
        assert (result.code, result.out) == (2, "")
        assert word in result.err
    # Right for another database, which this is not.
    put(dyno, "tpcc/postgres/literal/stock_level_count.sql", "SELECT 1;")
    result = dyno.run(*RUN, "--sql-dir", "own")
    assert result.code == 2
    assert "no statement of tpcc on sqlite" in result.err
