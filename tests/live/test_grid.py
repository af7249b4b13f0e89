# SPDX-License-Identifier: MIT
"""Twelve users on two warehouses, in each composition at each isolation level:
nothing lost, nothing double, and no deadlock where nothing else can fail.

Ten seconds each; "./test long" has a minute each.
"""
import pytest

from test_pg_runs import LEVELS, assert_sound, counts

WAYS = {
    "literal": (),
    "batched": (),
    "pipelined": (),
    "single": (),
    "function": ("--composition", "procs"),
    "procedure": ("--composition", "procs", "--call", "procedure"),
}
GRID = [(way, level) for way in WAYS for level in LEVELS]
grid = pytest.mark.parametrize("way, level", GRID)


def everyone_gets_through(dyno, url, args):
    """Each user its share, however long that takes.  In a given time a
    New-Order may lose against shorter transactions again and again: PostgreSQL
    refuses whoever stands between two others, such as two Payments."""
    d = dyno.summary("--db", url, "-u", 12, "--iterations", 60, "--isolation",
                     "serializable", "--audit", "quick", *args, timeout=300)
    assert d["valid"] is True, d["invalid_reasons"]
    users = d["users"]
    assert users["fewest_transactions"] == users["most_transactions"] == 5


def assert_holds(dyno, url, way, level, time):
    d = dyno.summary(
        "--db", url, "-u", 12, "-t", time, "--isolation", level,
        *(WAYS[way] or ("--composition", way)), timeout=300)
    assert_sound(d)
    if level == "serializable":
        everyone_gets_through(dyno, url, WAYS[way] or ("--composition", way))
    else:
        assert d["users"]["fewest_transactions"] > 0
    states = {e["sqlstate"] for e in d["errors"]}
    if level == "read-committed":
        # At this level nothing but a deadlock fails, and there are none.
        assert (counts(d, "retries"), states) == (0, set())
    else:
        assert "40001" in states


@grid
def test_twelve_users_keep_the_data_right(dyno, shared, way, level):
    assert_holds(dyno, shared, way, level, "10s")


@pytest.mark.long
@grid
def test_twelve_users_keep_the_data_right_for_a_minute(dyno, shared, way,
                                                       level):
    assert_holds(dyno, shared, way, level, "60s")
