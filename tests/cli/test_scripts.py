# SPDX-License-Identifier: MIT
"""Scripts in pgbench's language, on SQLite."""
import json
import re

import pytest

from conftest import ROOT, query

DOCUMENT = (ROOT / "docs" / "workloads.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```sql\n(.*?)^```", DOCUMENT, re.M | re.S)


def write(dyno, name, text):
    path = dyno.dir / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples_of_the_documentation_run(dyno, example):
    write(dyno, "example.sql", example)
    result = dyno.run("run", "-f", "example.sql", "-u", 2, "--iterations", 50,
                      "-q")
    assert result.code == 0, result.err + result.out


def test_the_error_in_the_documentation_is_the_program_s(dyno):
    shown = re.search(r"^```\n(dyno: error: .*?)^```", DOCUMENT, re.M | re.S)
    write(dyno, "three.sql", "\\set id randon(1, 100)\n")
    result = dyno.run("run", "-f", "three.sql")
    assert result.code == 2
    assert result.err.rstrip() == shown.group(1).rstrip()


def test_the_example_is_the_workload_tpcb(dyno):
    db = ("--db", "sqlite:t.sqlite", "-u", 2, "--iterations", 100, "-q",
          "--format", "json")
    result = dyno.run("run", "tpcb", "--scale", 2, *db)
    assert result.code == 0, result.err
    d = json.loads(result.out)
    assert d["valid"] is True and d["audit"]["passed"] is True
    assert d["transactions"]["tpcb"]["committed"] == 100
    first = query(dyno.dir / "t.sqlite", "SELECT tid, bid, aid, delta"
                  " FROM pgbench_history ORDER BY 1, 2, 3, 4")
    assert len(first) == 100
    # Both branches have accounts that tellers of the other one worked on.
    remote = [r for r in first if (r[2] - 1) // 100000 + 1 != r[1]]
    assert 5 <= len(remote) <= 30
    result = dyno.run("run", "-f", ROOT / "examples" / "tpcb.sql", "--scale",
                      2, *db)
    assert result.code == 0, result.err
    both = query(dyno.dir / "t.sqlite", "SELECT tid, bid, aid, delta"
                 " FROM pgbench_history ORDER BY 1, 2, 3, 4")
    # The same seed, the same transactions.
    assert sorted(both) == sorted(first * 2)


def test_scripts_are_drawn_by_their_weights(dyno):
    write(dyno, "a.sql", "SELECT 1;\n")
    write(dyno, "b.sql", "SELECT 2;\n")
    result = dyno.run("run", "-f", "a.sql@3", "-f", "b.sql@1", "-f",
                      "a.sql@0", "-u", 1, "--iterations", 4000, "-q",
                      "--format", "json")
    assert result.code == 0, result.err
    n = {name: t["committed"]
         for name, t in json.loads(result.out)["transactions"].items()}
    assert set(n) == {"a_sql", "b_sql"}
    assert 2850 <= n["a_sql"] <= 3150
    assert n["a_sql"] + n["b_sql"] == 4000


def test_rows_become_variables(dyno):
    write(dyno, "r.sql", "\\set v 3\nCREATE TABLE IF NOT EXISTS t (a, b);\n"
          "SELECT :v + 1 AS x, 'four' AS y \\gset r_\n"
          "\\if :r_x = 4\nINSERT INTO t VALUES (:r_x, :r_y);\n\\endif\n")
    result = dyno.run("run", "-f", "r.sql", "--db", "sqlite:r.sqlite", "-u",
                      1, "--iterations", 3, "-q")
    assert result.code == 0, result.err + result.out
    assert query(dyno.dir / "r.sqlite", "SELECT * FROM t") == \
        [("4", "four")] * 3


def test_a_script_that_fails_is_counted_and_named(dyno):
    write(dyno, "f.sql", "\\set x random(0, 1)\nSELECT 1;\n"
          "\\set y 1 / :x\n")
    result = dyno.run("run", "-f", "f.sql", "-u", 1, "--iterations", 100,
                      "-q")
    assert result.code == 3
    assert "f.sql:3:10: division by zero" in " ".join(result.out.split())


def test_a_script_that_leaves_a_transaction_open_fails(dyno):
    write(dyno, "o.sql", "BEGIN;\nSELECT 1;\n")
    result = dyno.run("run", "-f", "o.sql", "-u", 1, "--iterations", 2, "-q")
    assert result.code == 3
    assert "the script ends inside a transaction" in \
        " ".join(result.out.split())


@pytest.mark.parametrize("args, text", [
    (["-f", "missing.sql"], "cannot open 'missing.sql'"),
    (["pgbench"], "which script? write 'dyno run -f FILE'"),
    (["-f", "ok.sql@x"], "-f: 'x' is no weight"),
    (["-f", "ok.sql@0"], "all scripts have the weight 0"),
    (["-f", "ok.sql", "-D", "x"], "-D: 'x' is not NAME=VALUE"),
    (["-f", "ok.sql", "-M", "simple"], "-M simple is not available on sqlite"),
    (["-f", "ok.sql", "-M", "fast"], "fast"),
    (["-f", "pipe.sql"], "pipe.sql:1:1: this database has no pipelines"),
    (["tpcb", "--scale", "0"], "--scale"),
])
def test_wrong_usage_is_named(dyno, args, text):
    write(dyno, "ok.sql", "SELECT 1")
    write(dyno, "pipe.sql", "\\startpipeline\n")
    result = dyno.run("run", *args)
    assert result.code in (1, 2)
    assert text in result.err


def test_without_a_database_scripts_are_computed(dyno):
    write(dyno, "n.sql", "\\set a random(1, 9)\nSELECT :a AS b \\gset\n"
          "\\set c :b + 1\nSELECT ':c';\n\\sleep 1 s\n")
    result = dyno.run("run", "-f", "n.sql", "--db", "noop:", "-u", 2,
                      "--iterations", 100, "-q")
    assert result.code == 0, result.err + result.out


def test_two_scripts_of_one_name_have_rows_of_their_own(dyno):
    write(dyno, "a.sql", "SELECT 1;")
    result = dyno.run("run", "-f", "a.sql", "-f", "a.sql@3", "-u", 1,
                      "--iterations", 20, "-q")
    assert result.code == 0, result.err
    assert "a.sql (2)" in result.out


@pytest.mark.parametrize("args", [("-f", "nosuch.sql"), ("nosuch.lua",)])
def test_a_script_that_is_not_there_is_wrong_usage(dyno, args):
    result = dyno.run("run", *args)
    assert result.code == 2
    assert f"cannot open '{args[-1]}': No such file" in result.err
