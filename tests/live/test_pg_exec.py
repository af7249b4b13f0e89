# SPDX-License-Identifier: MIT
"""dyno exec on PostgreSQL."""
import csv
import io
import json
import signal

import pytest

from conftest import wait_until


@pytest.fixture
def execute(dyno, db):
    def run(*args, **kwargs):
        return dyno.run("exec", "--db", db, *args, **kwargs)
    return run


def test_statements_that_want_no_transaction_get_none(execute, pg):
    result = execute("CREATE DATABASE other; ALTER SYSTEM SET work_mem ="
                     " '5MB'; ALTER SYSTEM RESET work_mem; CREATE TABLE t (a"
                     " int)", "VACUUM t; CREATE INDEX CONCURRENTLY ON t (a)",
                     "DROP DATABASE other")
    assert (result.code, result.out, result.err) == (0, "", "")
    assert pg.sql("SELECT count(*) FROM pg_database WHERE datname = 'other'") \
        == ["0"]


def test_several_statements_give_several_answers(execute):
    result = execute("CREATE TABLE t (a int); INSERT INTO t VALUES (1), (2);"
                     " SELECT count(*) AS n FROM t;", "-f", "-",
                     stdin="UPDATE t SET a = 0 WHERE a = 1;\n"
                     "SELECT sum(a) AS s FROM t -- the end")
    assert (result.code, result.err) == (0, "")
    assert result.out == ("(2 changed)\nn\n-\n2\n(1 row)\n"
                          "(1 changed)\ns\n-\n2\n(1 row)\n")


def test_quotes_and_dollars_do_not_end_a_statement(execute):
    result = execute("DO $x$ BEGIN PERFORM 1; PERFORM ';'; END $x$;"
                     " SELECT ';' AS a, $$b;$$ AS b, 'c'';' AS c",
                     "--format", "csv")
    assert (result.code, result.err) == (0, "")
    assert result.out == "a,b,c\n;,b;,c';\n"


HARD = "SELECT 'a,b' AS \"x,y\", 'say \"hi\"' AS q, E'two\\nlines' AS n," \
       " NULL AS none, '' AS empty, 'Zürich €' AS u, -7 AS i," \
       " 1.50::numeric AS m, true AS b, '{1,2}'::int[] AS l," \
       " '2024-02-29 12:00:00.5'::timestamp AS t"


def test_csv_survives_everything(execute):
    result = execute(HARD, "--format", "csv")
    assert (result.code, result.err) == (0, "")
    assert list(csv.reader(io.StringIO(result.out))) == [
        ["x,y", "q", "n", "none", "empty", "u", "i", "m", "b", "l", "t"],
        ["a,b", 'say "hi"', "two\nlines", "", "", "Zürich €", "-7", "1.50",
         "t", "{1,2}", "2024-02-29 12:00:00.5"]]
    assert ',,"",' in result.out


def test_json_survives_everything(execute):
    result = execute(HARD, "--format", "json")
    assert (result.code, result.err) == (0, "")
    row, = json.loads(result.out)
    assert (row["x,y"], row["none"], row["empty"]) == ("a,b", None, "")
    assert (row["i"], row["m"], row["l"]) == (-7, "1.50", "{1,2}")
    assert row["u"] == "Zürich €"


@pytest.mark.parametrize("sql, text, sqlstate", [
    ("SELEC 1", "syntax error at or near \"SELEC\"", "42601"),
    ("SELECT 1/0", "division by zero", "22012"),
    ("SELECT * FROM nosuch", "relation \"nosuch\" does not exist", "42P01"),
    ("CREATE DATABASE test", "database \"test\" already exists", "42P04"),
    ("BEGIN; CREATE DATABASE x", "inside a transaction block", "25001"),
    ("CREATE TABLE u (a int UNIQUE); INSERT INTO u VALUES (1), (1)",
     "duplicate key value", "23505"),
])
def test_an_error_has_its_text_and_its_sqlstate(execute, sql, text, sqlstate):
    result = execute(sql)
    assert result.code == 1
    assert text in result.err
    assert f"SQLSTATE {sqlstate}" in result.err


def test_what_ran_before_an_error_stays(execute):
    result = execute("CREATE TABLE t (a int); SELECT 1/0; DROP TABLE t")
    assert result.code == 1
    assert "statement 2: division by zero" in result.err
    assert execute("SELECT count(*) FROM t").code == 0


def test_copy_with_the_client_is_refused(execute):
    for sql in ("COPY (SELECT 1) TO STDOUT", "COPY pg_class FROM STDIN"):
        result = execute(sql, timeout=10)
        assert result.code == 1
        assert "COPY" in result.err


def test_an_answer_larger_than_any_buffer_arrives_whole(execute):
    result = execute("SELECT i, repeat('x', 1000) AS t FROM"
                     " generate_series(1, 20000) AS i", "--format", "csv")
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert len(lines) == 20001
    assert lines[-1] == "20000," + "x" * 1000


def test_create_database_makes_the_database_of_the_target(dyno, pg):
    url = pg.url("made by dyno", tcp=True).replace(" ", "%20")
    missing = dyno.run("exec", "--db", url, "SELECT 1", timeout=10)
    assert missing.code == 1
    assert 'database "made by dyno" does not exist' in missing.err
    assert "--create-database makes it" in missing.err
    try:
        for _ in range(2):  # there already: as wanted
            result = dyno.run("exec", "--db", url, "--create-database", "on",
                              "SELECT current_database() AS d", "--format",
                              "csv")
            assert result.code == 0, result.err
            assert result.out == "d\nmade by dyno\n"
    finally:
        pg.sql('DROP DATABASE IF EXISTS "made by dyno"')


def test_ctrl_c_ends_a_statement_that_takes_long(dyno, pg, db):
    process = dyno.start("exec", "--db", db, "SELECT pg_sleep(60)")
    active = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'test'" \
             " AND state = 'active' AND query LIKE '%pg_sleep%'"
    wait_until(lambda: pg.sql(active) == ["1"], "the statement runs")
    process.send_signal(signal.SIGINT)
    result = dyno.finish(process, timeout=10)
    assert result.code != 0
    wait_until(lambda: pg.sql(active) == ["0"], "the server stops as well")
