# SPDX-License-Identifier: MIT
"""dyno exec on MariaDB."""
import json

ROUTINE = """
    DROP PROCEDURE IF EXISTS two;
    CREATE PROCEDURE two(n int)
    BEGIN
        IF n > 0 THEN SELECT n AS a; END IF;
        CASE n WHEN 1 THEN SELECT 'one' AS b; ELSE BEGIN END; END CASE;
    END;
    CALL two(1);
    SELECT 3 AS c;
"""


def test_results_in_each_format(dyno, maria_db):
    sql = "SELECT 1 AS n, 'a,b' AS t, NULL AS x, 1.50 AS m, " \
          "TIMESTAMP '2026-11-30 12:00:00' AS d"
    out = {name: dyno.run("exec", "--db", maria_db, "--format", name, sql).out
           for name in ("table", "csv", "json")}
    assert out["csv"].splitlines()[1] == '1,"a,b",,1.50,2026-11-30 12:00:00'
    assert "(1 row)" in out["table"]
    assert '"n": 1' in out["json"] or '"n":1' in out["json"]
    json.loads(out["json"].splitlines()[0])


def test_routines_and_their_results(dyno, maria_db):
    result = dyno.run("exec", "--db", maria_db, "--format", "csv", "-f", "-",
                      stdin=ROUTINE)
    assert result.code == 0, result.err
    assert [line for line in result.out.splitlines() if line] == [
        "a", "1", "b", "one", "c", "3"]


def test_a_statement_that_fails_is_named(dyno, maria_db):
    result = dyno.run("exec", "--db", maria_db,
                      "CREATE TABLE t (x int); SELECT y FROM t; SELECT 1")
    assert result.code == 1
    assert "statement 2: Unknown column 'y'" in result.err
    assert "42S22" in result.err


def test_a_script_may_go_on_behind_a_failure(dyno, maria_db):
    result = dyno.run("exec", "--db", maria_db, "--on-error", "continue",
                      "--format", "csv", "SELECT nosuch; CALL nosuch();"
                      " SELECT 7 AS x")
    assert result.code == 1
    assert result.out.split() == ["x", "7"]
    assert "statement 1: Unknown column 'nosuch'" in result.err
    assert "statement 2: " in result.err
    assert "2 of the statements failed" in result.err
