# SPDX-License-Identifier: MIT
"""dyno exec: statements from anywhere, rows for people and for scripts."""
import csv
import io
import json

import pytest

DB = ("--db", "sqlite:x.sqlite")
HARD = "SELECT 'a,b' AS \"x,y\", 'say \"hi\"' AS q, 'two' || char(10) ||" \
       " 'lines' AS n, NULL AS none, '' AS empty, 'Zürich €' AS u, -7 AS i"


def test_rows_are_a_table(run):
    result = run("exec", "SELECT 1 AS n, 'Zürich' AS city UNION ALL"
                 " SELECT 1000, NULL", *DB)
    assert (result.code, result.err) == (0, "")
    assert result.out == ("n     city\n"
                          "----  ------\n"
                          "1     Zürich\n"
                          "1000  NULL\n"
                          "(2 rows)\n")


def test_csv_survives_commas_quotes_lines_and_utf8(run):
    result = run("exec", HARD, "--format", "csv", *DB)
    assert (result.code, result.err) == (0, "")
    rows = list(csv.reader(io.StringIO(result.out)))
    assert rows == [["x,y", "q", "n", "none", "empty", "u", "i"],
                    ["a,b", 'say "hi"', "two\nlines", "", "", "Zürich €",
                     "-7"]]
    # NULL is nothing, the empty text is "".
    assert ',,"",' in result.out


def test_json_survives_everything(run):
    result = run("exec", HARD, "--format", "json", *DB)
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out) == [
        {"x,y": "a,b", "q": 'say "hi"', "n": "two\nlines", "none": None,
         "empty": "", "u": "Zürich €", "i": -7}]


def test_bytes_that_are_no_text_still_give_valid_json(run):
    result = run("exec", "SELECT CAST(x'41ff42' AS TEXT) AS t", "--format",
                 "json", *DB)
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out) == [{"t": "A\ufffdB"}]


def test_several_statements_give_several_answers(run):
    result = run("exec", "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)",
                 "SELECT count(*) AS n FROM t", "SELECT max(a) AS m FROM t",
                 *DB)
    assert (result.code, result.err) == (0, "")
    assert result.out == ("(2 changed)\n"
                          "n\n-\n2\n(1 row)\n"
                          "m\n-\n2\n(1 row)\n")
    result = run("exec", "SELECT 1 AS a; SELECT 2 AS b", "--format", "json",
                 *DB)
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert answers == [[{"a": 1}], [{"b": 2}]]


def test_statements_come_from_files_and_stdin(dyno):
    (dyno.dir / "s.sql").write_text(
        "-- a comment; with a semicolon\nSELECT ';' AS s;\n")
    result = dyno.run("exec", "-f", "s.sql", "-f", "-", "--format", "csv",
                      *DB, stdin="SELECT 2 AS t")
    assert (result.code, result.err) == (0, "")
    assert result.out.split() == ["s", ";", "t", "2"]


def test_a_file_that_is_missing_is_named(run):
    result = run("exec", "-f", "none.sql", *DB)
    assert (result.code, result.out) == (1, "")
    assert "'none.sql': No such file" in result.err


@pytest.mark.parametrize("sql, message", [
    ("SELEC 1", 'statement 1: near "SELEC": syntax error'),
    ("SELECT 1; SELECT * FROM none", "statement 2: no such table: none"),
    ("SELECT 'open", "statement 1"),
])
def test_what_the_database_says_is_printed(run, sql, message):
    result = run("exec", sql, *DB)
    assert result.code == 1
    assert message in result.err


def test_what_came_before_an_error_is_printed_and_kept(run):
    result = run("exec", "CREATE TABLE t (a); INSERT INTO t VALUES (5);"
                 " SELECT a FROM t; SELECT * FROM none", *DB)
    assert result.code == 1
    assert "(1 changed)" in result.out and "5" in result.out
    assert run("exec", "SELECT a FROM t", "--format", "csv",
               *DB).out.split() == ["a", "5"]


def test_a_long_answer_is_complete(run):
    result = run("exec", "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL"
                 " SELECT i + 1 FROM n WHERE i < 100000) SELECT i FROM n",
                 *DB)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert len(lines) == 100003
    assert [int(line) for line in lines[2:-1]] == list(range(1, 100001))


def test_what_fails_is_told_and_the_rest_still_runs(run):
    result = run("exec", "SELECT nosuch; SELEC 'a;b'; SELECT 7 AS n",
                 "--on-error", "continue", "--format", "csv", *DB)
    assert (result.code, result.out) == (1, "n\n7\n")
    assert [line.split(":")[2].strip() for line in
            result.err.splitlines()[:2]] == ["statement 1", "statement 2"]
    assert "2 of the statements failed" in result.err


def test_an_answer_that_fails_halfway_ends_there(run):
    result = run("exec", "SELECT 1 AS a UNION ALL SELECT"
                 " abs(-9223372036854775808)", "--on-error", "continue",
                 "--format", "json", *DB)
    assert (result.code, json.loads(result.out)) == (1, [{"a": 1}])
    assert "integer overflow" in result.err


@pytest.mark.parametrize("sql, stays", [
    ("SELECT * FROM item", False), ("SELECT 1", False),
    ("CREATE TABLE t (a)", True), ("PRAGMA user_version = 7", True),
    ("CREATE TABLE t (a); SELECT * FROM item", True),
])
def test_a_file_stays_when_something_was_made_in_it(dyno, sql, stays):
    dyno.run("exec", sql, *DB)
    assert [p.name for p in dyno.dir.iterdir()] == (
        [DB[-1].split(":")[1]] if stays else [])
