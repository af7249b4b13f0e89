# SPDX-License-Identifier: MIT
"""The workload kv, on SQLite."""
import json
import re

import pytest

from conftest import query

SHARES = {
    "A": {"read": 50, "update": 50},
    "B": {"read": 95, "update": 5},
    "C": {"read": 100},
    "D": {"read": 95, "insert": 5},
    "E": {"scan": 95, "insert": 5},
    "F": {"read": 50, "read_modify_write": 50},
}
RECORDS = 3000
N = 2000


@pytest.fixture
def go(dyno):
    """A run; its transactions by name."""
    def run(*args, code=0):
        result = dyno.run("run", "kv", "--db", "sqlite:kv.sqlite", "-u", 2,
                          "--iterations", N, "-q", "--format", "json", *args)
        assert result.code == code, result.err + result.out
        d = json.loads(result.out)
        assert d["audit"]["passed"] is True
        return {k: v["committed"] for k, v in d["transactions"].items()}
    return run


@pytest.mark.parametrize("mix", SHARES)
def test_a_mix_has_its_shares_and_finds_every_record(dyno, go, mix):
    done = go("--mix", mix, "--records", RECORDS)
    assert set(done) == set(SHARES[mix])
    assert sum(done.values()) == N
    for name, share in SHARES[mix].items():
        assert abs(done[name] * 100 / N - share) < 4
    rows = query(dyno.dir / "kv.sqlite",
                 "SELECT count(*), count(DISTINCT k) FROM kv")
    assert rows == [(RECORDS + done.get("insert", 0),) * 2]


def test_inserts_go_on_behind_those_of_the_run_before(dyno, go):
    first = go("--mix", "D", "--records", RECORDS)["insert"]
    second = go("--mix", "D")["insert"]
    assert query(dyno.dir / "kv.sqlite", "SELECT count(*) FROM kv") == \
        [(RECORDS + first + second,)]


def test_a_load_does_not_depend_on_threads(dyno):
    contents = []
    for threads in 1, 3:
        result = dyno.run("load", "kv", "--records", 25000, "--field-bytes",
                          7, "--threads", threads, "--replace", "--seed", 5,
                          "--db", "sqlite:kv.sqlite", "-q")
        assert result.code == 0, result.err
        contents.append(query(dyno.dir / "kv.sqlite",
                              "SELECT * FROM kv ORDER BY k"))
    assert len(contents[0]) == 25000
    assert {len(f) for f in contents[0][0][1:]} == {7}
    assert contents[0] == contents[1]


def test_popular_keys_are_those_that_the_option_says(dyno, go):
    """Updates leave their traces: few keys with zipfian, many else."""
    changed = {}
    for keys in "zipfian", "uniform", "latest":
        go("--mix", "A", "--keys", keys, "--records", RECORDS, "--replace")
        path = dyno.dir / "kv.sqlite"
        dyno.run("load", "kv", "--records", RECORDS, "--db",
                 "sqlite:fresh.sqlite", "-q")
        fresh = dict((r[0], r) for r in query(dyno.dir / "fresh.sqlite",
                                              "SELECT * FROM kv"))
        changed[keys] = [r[0] for r in query(path, "SELECT * FROM kv")
                         if fresh[r[0]] != r]
    assert len(changed["zipfian"]) < 0.8 * len(changed["uniform"])
    assert len(changed["latest"]) < 0.8 * len(changed["uniform"])
    # The newest are the popular ones; with zipfian they lie anywhere.
    assert sum(k > RECORDS / 2 for k in changed["latest"]) > \
        0.7 * len(changed["latest"])
    assert 0.4 < sum(k > RECORDS / 2 for k in changed["zipfian"]) / \
        len(changed["zipfian"]) < 0.6


def test_a_record_that_is_missing_makes_a_run_not_valid(dyno, go):
    go("--mix", "C", "--records", RECORDS)
    query(dyno.dir / "kv.sqlite", "DELETE FROM kv WHERE k % 3 = 0")
    result = dyno.run("run", "kv", "--db", "sqlite:kv.sqlite", "-u", 2,
                      "--iterations", 200, "-q")
    assert result.code == 3
    out = " ".join(result.out.split())
    assert "2000 of 3000 records are there" in out
    assert re.search(r"record \d+ is missing", out)


def test_a_table_of_somebody_else_is_left_alone(dyno):
    query(dyno.dir / "kv.sqlite", "CREATE TABLE kv (a)")
    for command in "run", "drop":
        result = dyno.run(command, "kv", "--db", "sqlite:kv.sqlite")
        assert result.code == 1
        assert "not created by dyno" in result.err
