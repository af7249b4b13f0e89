# SPDX-License-Identifier: MIT
"""Scripts do on the server what pgbench does with them: the same tables, the
same statements, the same rows."""
import json
import subprocess

import pytest

BUILTINS = ["tpcb-like", "simple-update", "select-only"]
PROTOCOLS = ["simple", "extended", "prepared"]
N = 200

TABLES = """
    SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
           a.attnotnull, c.reloptions
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relname LIKE 'pgbench%' AND a.attnum > 0 ORDER BY 1, a.attnum
"""
KEYS = """
    SELECT indexdef FROM pg_indexes WHERE tablename LIKE 'pgbench%'
    ORDER BY 1
"""
CONSTRAINTS = """
    SELECT conrelid::regclass, conname, contype, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE conrelid::regclass::text LIKE 'pgbench%'
    ORDER BY 1, 2
"""
CONTENT = "".join(
    f"SELECT '{t}', count(*), md5(string_agg(t::text, ',' ORDER BY t::text))"
    f" FROM pgbench_{t} t;"
    for t in ("accounts", "branches", "tellers", "history"))
STATEMENTS = """
    SELECT calls, rows, query FROM pg_stat_statements
    WHERE dbid = (SELECT oid FROM pg_database WHERE datname = 'test')
      AND (query ~ 'pgbench_' OR query IN ('BEGIN', 'END'))
      AND calls >= 100
    ORDER BY query
"""


def pgbench(pg, *args):
    done = subprocess.run(
        [f"{pg.programs}/pgbench", "-h", pg.dir, "-p", str(pg.port), "-U",
         "dyno", *map(str, args), "test"], capture_output=True, text=True,
        check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def stats(pg):
    pg.sql("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
    yield
    pg.sql("DROP EXTENSION pg_stat_statements")


@pytest.fixture
def branches(pg, db):
    pgbench(pg, "-i", "-q", "-s", 1)
    return db


def tables(pg):
    return [pg.sql(q, "test") for q in (TABLES, KEYS, CONSTRAINTS, CONTENT)]


def statements(pg):
    found = pg.sql(STATEMENTS)
    pg.sql("SELECT pg_stat_statements_reset()")
    return found


def test_a_load_makes_the_tables_that_pgbench_makes(dyno, pg, db):
    pgbench(pg, "-i", "-q", "-s", 2)
    theirs = tables(pg)
    pg.sql("DROP TABLE pgbench_accounts, pgbench_branches, pgbench_tellers,"
           " pgbench_history", "test")
    result = dyno.run("load", "pgbench:tpcb-like", "--scale", 2, "--db", db,
                      "-q")
    assert result.code == 0, result.err
    assert tables(pg) == theirs
    assert dyno.run("drop", "pgbench:select-only", "--db", db).code == 0
    assert pg.sql(r"\dt", "test") == []


def test_tables_that_pgbench_made_are_used_and_not_dropped(dyno, pg, branches):
    result = dyno.run("run", "pgbench:tpcb-like", "--db", branches, "-u", 2,
                      "--iterations", 10, "-q")
    assert result.code == 0, result.err + result.out
    assert pg.sql("SELECT count(*) FROM pgbench_history", "test") == ["10"]
    result = dyno.run("drop", "pgbench:tpcb-like", "--db", branches)
    assert result.code == 1
    assert "was not created by dyno" in result.err


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_builtin_scripts_send_the_statements_of_pgbench(
        dyno, pg, branches, stats, protocol):
    for name in BUILTINS:
        statements(pg)
        pgbench(pg, "-n", "-b", name, "-M", protocol, "-t", N)
        theirs = statements(pg)
        assert len(theirs) >= {"tpcb-like": 5, "simple-update": 3,
                               "select-only": 1}[name]
        result = dyno.run("run", f"pgbench:{name}", "--db", branches, "-M",
                          protocol, "-u", 1, "--iterations", N, "-q")
        assert result.code == 0, result.err + result.out
        assert statements(pg) == theirs


# Rows into variables, branches, several statements in one, quotes.
SCRIPT = r"""
\set a 5
CREATE TEMP TABLE IF NOT EXISTS t (x text);
SELECT :a + 1 AS b, NULL AS none, 'x' AS "c" \gset p_
SELECT 7 AS d \; SELECT 8 AS e, 9 AS f \gset
SELECT 10 AS g \; SELECT 11 AS h \aset
\if :p_b = 6
  \if :a > 5
    \set way 'never'
  \elif :a = 5
    \set way 2
  \else
    \set way 3
  \endif
\else
  \set way 4
\endif
INSERT INTO results VALUES
  (1, ':a :p_b :p_none :p_c'), (2, ':e :f :g :h'), (3, ':way ::a :unset'),
  (4, $$:a$$), (5, ':scale :client_id'), (6, E'it\'s :a'), (7, ':a'::text)
  -- :a in a comment; and a ' quote
  ;
SELECT 1 AS none WHERE :a > 6 \aset
\sleep 1 ms
INSERT INTO results SELECT 8, :a::text || ':b' || '12:30';
BEGIN;
INSERT INTO results VALUES (9, :'a');
ROLLBACK;
""".replace("    \\set way 'never'\n", "    \\set way 1\n").replace(
    "INSERT INTO results VALUES (9, :'a');\n",
    "INSERT INTO results VALUES (9, 'gone');\n")


def test_a_script_with_everything_leaves_the_rows_of_pgbench(dyno, pg, db):
    path = dyno.dir / "everything.sql"
    path.write_text(SCRIPT, encoding="utf-8")
    pg.sql("CREATE TABLE results (i int, v text)", "test")
    rows = "SELECT * FROM results ORDER BY i"
    pgbench(pg, "-n", "-t", 2, "-f", path)
    theirs = pg.sql(rows, "test")
    assert len(theirs) == 16
    pg.sql("TRUNCATE results", "test")
    result = dyno.run("run", "-f", path, "--db", db, "-u", 1, "--iterations",
                      2, "-q")
    assert result.code == 0, result.err + result.out
    assert pg.sql(rows, "test") == theirs


PIPELINE = r"""
\set a random(1, 5)
\startpipeline
BEGIN;
INSERT INTO results VALUES (1, :a);
INSERT INTO results VALUES (2, :a + 1);
COMMIT;
\endpipeline
SELECT max(i) AS top FROM results \gset
INSERT INTO results VALUES (3, :top);
"""


@pytest.mark.parametrize("protocol", ["extended", "prepared"])
def test_a_pipeline_is_one_round_trip(dyno, pg, db, protocol):
    path = dyno.dir / "pipeline.sql"
    path.write_text(PIPELINE, encoding="utf-8")
    pg.sql("CREATE TABLE results (i int, v int)", "test")
    pgbench(pg, "-n", "-t", 1, "-M", protocol, "-f", path)
    args = ("--db", db, "-u", 1, "--iterations", 20, "--ramp-up", 0, "-q",
            "--format", "json", "-M", protocol, "-f", path)
    result = dyno.run("run", *args)
    assert result.code == 0, result.err + result.out
    assert '"round_trips_per_transaction": 3' in result.out
    assert pg.sql("SELECT i, count(*) FROM results GROUP BY i ORDER BY i",
                  "test") == ["1|21", "2|21", "3|21"]


PARTS = r"""
\set a random(1, 2)
\startpipeline
INSERT INTO results VALUES (1);
\syncpipeline
INSERT INTO results VALUES (2);
INSERT INTO results VALUES (3 / (:a - 1));
\syncpipeline
INSERT INTO results VALUES (4);
\endpipeline
"""


@pytest.mark.parametrize("protocol", ["extended", "prepared"])
def test_a_sync_parts_a_pipeline_without_a_round_trip(dyno, pg, db, protocol):
    """As pgbench 17: what fails takes its own part along, and no other."""
    path = dyno.dir / "parts.sql"
    path.write_text(PARTS, encoding="utf-8")
    pg.sql("CREATE TABLE results (i int)", "test")
    result = dyno.run("run", "--db", db, "-u", 1, "--iterations", 40, "-q",
                      "--max-failed", 1, "-M", protocol, "-f", path,
                      "--ramp-up", 0, "--format", "json")
    assert result.code == 0, result.err + result.out
    d = json.loads(result.out)
    assert d["round_trips_per_transaction"] == 1
    [counts] = d["transactions"].values()
    rows = pg.sql("SELECT i, count(*) FROM results GROUP BY i ORDER BY i",
                  "test")
    n = counts["committed"]
    assert 0 < n < 40
    assert rows == ["1|40", f"2|{n}", f"3|{n}", "4|40"]


def test_a_failure_in_a_pipeline_is_counted_and_rolled_back(dyno, pg, db):
    path = dyno.dir / "pipeline.sql"
    path.write_text(PIPELINE.replace("2, :a + 1", "2, 1 / (:a - 3)"),
                    encoding="utf-8")
    pg.sql("CREATE TABLE results (i int, v int)", "test")
    result = dyno.run("run", "--db", db, "-u", 2, "--iterations", 40, "-q",
                      "--max-failed", 1, "-M", "prepared", "-f", path)
    assert result.code == 0, result.err + result.out
    assert "division by zero" in result.out
    counts = pg.sql("SELECT i, count(*) FROM results GROUP BY i ORDER BY i",
                    "test")
    assert counts[0].split("|")[1] == counts[1].split("|")[1]
    assert 10 < int(counts[0].split("|")[1]) < 40


def test_a_retry_has_the_same_inputs(dyno, pg, db):
    """Serialization failures between the users: each committed sum fits the
    variables of its last try, counted once."""
    path = dyno.dir / "retry.sql"
    path.write_text(r"""
\set n :n + 1
\set r random(1, 1000000)
BEGIN ISOLATION LEVEL SERIALIZABLE;
UPDATE counter SET v = v + 1;
INSERT INTO results VALUES (:client_id * 100000 + :n, :r);
COMMIT;
""", encoding="utf-8")
    pg.sql("CREATE TABLE results (i int PRIMARY KEY, v int);"
           "CREATE TABLE counter (v int); INSERT INTO counter VALUES (0)",
           "test")
    contents = []
    for users in 4, 4:
        result = dyno.run("run", "--db", db, "-u", users, "--iterations", 200,
                          "-q", "--seed", 5, "-D", "n=0", "-f", path)
        assert result.code == 0, result.err + result.out
        contents.append(pg.sql("SELECT i, v FROM results ORDER BY i", "test"))
        assert len(contents[-1]) == 200
        # No number is left out: a try that failed has not counted.
        assert pg.sql("SELECT max(i % 100000) FROM results", "test") == ["50"]
        pg.sql("TRUNCATE results", "test")
    assert contents[0] == contents[1]
    assert pg.sql("SELECT v FROM counter", "test") == ["400"]


def test_programs_run_with_allow_shell_only(dyno, pg, db):
    path = dyno.dir / "shell.sql"
    path.write_text("\\set a 5\n\\setshell n expr :a + ::a | wc -c\n"
                    "\\setshell m expr :a + 2\n\\shell touch made\n"
                    "INSERT INTO results VALUES (:m);\n", encoding="utf-8")
    pg.sql("CREATE TABLE results (i int)", "test")
    args = ("run", "-f", path, "--db", db, "-u", 1, "--iterations", 1, "-q")
    result = dyno.run(*args)
    assert result.code == 2
    assert "shell.sql:2:1: programs are run only with --allow-shell" in \
        result.err
    result = dyno.run(*args, "--allow-shell")
    assert result.code == 0, result.err + result.out
    assert pg.sql("SELECT i FROM results", "test") == ["7"]
    assert (dyno.dir / "made").exists()
