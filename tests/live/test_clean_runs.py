# SPDX-License-Identifier: MIT
"""Clean runs raise no false alarm: short ones, each with a seed of its own.

Here are some of them; "./test long" has two hundred, each audited in full.
"""
import json

import pytest

LITERAL = ("--composition", "literal")
# The database on which runs follow each other, and their arguments.
WAYS = {
    "sqlite": ("sqlite", "-u", 2, *LITERAL),
    "sqlite-batched": ("sqlite", "-u", 3, "--composition", "batched"),
    "sqlite-deck": ("sqlite", "-u", 1, "--mix", "deck"),
    "literal": ("loaded", "-u", 12, *LITERAL),
    "batched": ("loaded", "-u", 4, "--home", "spread"),
    "pipelined": ("loaded", "-u", 12, "--composition", "pipelined"),
    "single": ("loaded", "-u", 6, "--composition", "single"),
    "procs": ("loaded", "-u", 12, "--composition", "procs"),
}
SEEDS = 25
FEW = 3


def assert_clean(dyno, url, args, seed, audit):
    result = dyno.run("run", "tpcc", "--db", url, "--iterations", 600,
                      "--seed", seed, "--audit", audit, "-q", "--format",
                      "json", *args, timeout=120)
    d = json.loads(result.out or "{}")
    assert result.code == 0, (seed, result.err, d.get("invalid_reasons"), [
        c for c in d.get("audit", {}).get("checks", [])
        if c["passed"] is False])


def assert_all_clean(dyno, request, way, seeds, audit):
    fixture, *args = WAYS[way]
    url = request.getfixturevalue(fixture)
    for seed in seeds:
        # All is read once at least, after the last.
        assert_clean(dyno, url, args, seed,
                     "full" if seed == seeds[-1] else audit)


def seeds_of(way):
    return range(SEEDS * list(WAYS).index(way) + 1001,
                 SEEDS * list(WAYS).index(way) + 1001 + SEEDS)


def test_the_long_ones_are_two_hundred():
    assert len({s for way in WAYS for s in seeds_of(way)}) == 200


@pytest.mark.parametrize("way", WAYS)
def test_clean_runs_raise_no_alarm(dyno, request, way):
    assert_all_clean(dyno, request, way, seeds_of(way)[:FEW], "quick")


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_two_hundred_clean_runs_raise_no_alarm(dyno, request, way):
    assert_all_clean(dyno, request, way, seeds_of(way), "full")
