# SPDX-License-Identifier: MIT
"""Clean runs raise no false alarm: short ones, each with a seed of its own.

Here are some of them; "./test long" has two hundred.
"""
import json
import shutil

import pytest

from conftest import Dyno
from once import once

LITERAL = ("--composition", "literal")
# Runs of a chunk follow each other on one database, with these arguments.
WAYS = {
    "sqlite": ("sqlite", "-u", 2, *LITERAL),
    "sqlite-batched": ("sqlite", "-u", 3, "--composition", "batched"),
    "sqlite-deck": ("sqlite", "-u", 1, "--mix", "deck"),
    "literal": ("postgres", "-u", 12, *LITERAL),
    "batched": ("postgres", "-u", 4, "--home", "spread"),
    "pipelined": ("postgres", "-u", 12, "--composition", "pipelined"),
    "single": ("postgres", "-u", 6, "--composition", "single"),
    "procs": ("postgres", "-u", 12, "--composition", "procs"),
}
SEEDS = 25
FEW = 3


@pytest.fixture(scope="session")
def sqlite_once():
    with once("sqlite-w2") as (folder, made):
        if not made:
            result = Dyno(folder).run(
                "load", "tpcc", "-w", "2", "--db", "sqlite:w2.sqlite", "-q",
                "--audit", "off", timeout=120)
            assert result.code == 0, result.err
        return folder / "w2.sqlite"


@pytest.fixture
def urls(dyno, request):
    """Makes the database that a chunk runs on."""
    def make(kind):
        if kind == "postgres":
            return request.getfixturevalue("loaded")
        once_loaded = request.getfixturevalue("sqlite_once")
        shutil.copyfile(once_loaded, dyno.dir / "w2.sqlite")
        return "sqlite:w2.sqlite"
    return make


def assert_clean(dyno, url, args, seed, audit):
    result = dyno.run("run", "tpcc", "--db", url, "--iterations", 600,
                      "--seed", seed, "--audit", audit, "-q", "--format",
                      "json", *args, timeout=120)
    d = json.loads(result.out or "{}")
    assert result.code == 0, (seed, result.err, d.get("invalid_reasons"), [
        c for c in d.get("audit", {}).get("checks", [])
        if c["passed"] is False])


def assert_all_clean(dyno, urls, way, seeds):
    kind, *args = WAYS[way]
    url = urls(kind)
    for seed in seeds:
        # What the others left is read once, after the last.
        assert_clean(dyno, url, args, seed,
                     "full" if seed == seeds[-1] else "quick")


def seeds_of(way):
    return range(SEEDS * list(WAYS).index(way) + 1001,
                 SEEDS * list(WAYS).index(way) + 1001 + SEEDS)


def test_the_long_ones_are_two_hundred():
    assert len({s for way in WAYS for s in seeds_of(way)}) == 200


@pytest.mark.parametrize("way", WAYS)
def test_clean_runs_raise_no_alarm(dyno, urls, way):
    assert_all_clean(dyno, urls, way, seeds_of(way)[:FEW])


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_two_hundred_clean_runs_raise_no_alarm(dyno, urls, way):
    assert_all_clean(dyno, urls, way, seeds_of(way))
