# SPDX-License-Identifier: MIT
"""The small workloads on MariaDB: kv, and pgbench's own scripts."""
import json

import pytest

N = 200


def summary(dyno, *args):
    result = dyno.run("run", *args, "-u", 2, "--iterations", N, "-q",
                      "--ramp-up", 0, "--format", "json")
    assert result.code == 0, result.err + result.out
    return json.loads(result.out)


def test_kv_runs_and_is_dropped(dyno, maria, maria_db):
    for mix in ("A", "E"):
        d = summary(dyno, "kv", "--records", 2000, "--mix", mix, "--db",
                    maria_db)
        assert d["valid"] is True and d["audit"]["passed"] is True
    assert dyno.run("drop", "kv", "--db", maria_db).code == 0
    assert maria.sql("SHOW TABLES", "own") == []


def test_pgbench_runs_and_is_dropped(dyno, maria, maria_db):
    for protocol in ("simple", "prepared"):
        d = summary(dyno, "pgbench:tpcb-like", "-M", protocol, "--db",
                    maria_db)
        assert d["valid"] is True and d["audit"]["passed"] is True
    n = maria.sql("SELECT count(*), sum(delta) = (SELECT sum(abalance) FROM "
                  "pgbench_accounts) FROM pgbench_history", "own")
    assert n == [f"{2 * N}\t1"]
    d = summary(dyno, "tpcb", "--db", maria_db)
    assert d["audit"]["passed"] is True
    assert dyno.run("drop", "pgbench:tpcb-like", "--db", maria_db).code == 0
    assert maria.sql("SHOW TABLES", "own") == []


@pytest.mark.parametrize("mode", ["simple", "prepared"])
def test_a_script_takes_rows_into_variables(dyno, maria_db, mode):
    (dyno.dir / "rows.sql").write_text("""
SELECT 7 AS a, 'x' AS b, NULL AS c, 1.5 AS d \\gset
\\if :a <> 7
SELECT wrong;
\\endif
\\set e :d * 2
\\if :e <> 3
SELECT wrong;
\\endif
""")
    summary(dyno, "-f", "rows.sql", "-M", mode, "--db", maria_db)
