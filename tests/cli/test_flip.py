# SPDX-License-Identifier: MIT
"""dyno flip: switches, rounds, the report; on the null driver, where a run is
over at once and no switch does anything."""
import json

import pytest

from conftest import ROOT

SHORT = ("--db", "noop:", "-t", "500ms", "--ramp-up", "0", "--interval",
         "100ms", "-u", "2", "--rounds", "3", "--audit", "off", "--telemetry",
         "off")

# On a machine that is busy enough a short run is not valid.
DONE = (0, 3)


def test_each_switch_is_flipped_alone_and_the_base_again(dyno):
    result = dyno.run("flip", "tpcc", *SHORT, "--switch", "prepare=on,off",
                      "--format", "json", timeout=120)
    assert result.code in DONE, result.err
    data = json.loads(result.out)
    assert {s["name"]: s["runs"] for s in data["switches"]} == {
        "base again": 3, "prepare=off": 3}
    assert data["rounds"] == data["rounds_planned"] == 3
    assert data["failures"] == []
    schema = json.loads((ROOT / "docs" / "flip.schema.json").read_text())
    pytest.importorskip("jsonschema").validate(data, schema)
    # The first run does not count, and nothing is left of it.
    runs = json.loads(dyno.run("runs", "list", "--format", "json").out)
    assert len(runs) == 9
    if result.code == 0:
        assert not list((dyno.dir / "dyno-results").glob("*.log"))
    again = dyno.run("compare", "--by", "switch", f"flip={data['flip']}",
                     "--format", "json")
    assert again.code == 0, again.err
    sides = json.loads(again.out)
    assert len(sides["sides"]) == 2


def test_a_variant_that_cannot_be_run_is_said_with_its_reason(dyno):
    result = dyno.run("flip", "tpcc", *SHORT, "-q", "--switch",
                      "composition=batched,none", timeout=120)
    assert result.code in DONE, result.err
    text = " ".join(result.out.split())
    assert "Could not be run - composition=none: " in text
    assert max(map(len, result.out.splitlines())) <= 80
    log, = (dyno.dir / "dyno-results").glob("flip_*.log")
    assert "none" in log.read_text()


def test_a_base_that_cannot_be_run_ends_it(dyno):
    result = dyno.run("flip", "tpcc", *SHORT, "-q", "--switch",
                      "composition=none,batched")
    assert result.code == 1 and result.out == ""
    assert "the base cannot be run: " in result.err


def test_a_budget_that_is_too_small_says_what_is_needed(dyno):
    result = dyno.run("flip", "tpcc", *SHORT, "-q", "--time-budget", "1s",
                      "--switch", "prepare=on,off", "-t", "2s")
    assert result.code == 2
    assert "--time-budget: 3 runs, 3 times, take " in result.err


def test_a_budget_that_cannot_do_is_refused_before_anything_is_made(dyno):
    servers = dyno.dir / "servers"
    result = dyno.run("flip", "tpcc", "--server", "postgres", "--servers",
                      servers, "--time-budget", "3s")
    assert result.code == 2
    assert "--time-budget: 9 runs, 3 times, take " in result.err
    assert not servers.exists() and "first run" not in result.err


@pytest.mark.parametrize("words, says", [
    (("--switch", "prepar=on,off"), "did you mean 'prepare'?"),
    (("--switch", "prepare=on,maybe"), "neither on nor off"),
    (("--switch", "prepare=on"), "has one value"),
    (("--switch", "prepare"), "is not NAME=A,B"),
    (("--switch", "name=a,b"), "'name' cannot be flipped"),
    (("--switch", "shared_buffers=1MB,2MB"), "on one of dyno's own (--server"),
    (("--switch", "foreign-keys=on,off"), "add --replace"),
    (("--prepare", "off", "--switch", "prepare=on,off"), "is a switch too"),
    (("--threshold", "errors<1%", "--switch", "prepare=on,off"),
     "--threshold does not go with"),
    (("--server", "postgres", "--switch", "prepare=on,off"),
     "two databases"),
    (("--rounds", "2"), "2 is not in 3..100"),
    (("--switch", "pool=pinned,7/0"), "--connections: '7/0' is not a number"),
    (("--time-budget", "0"), "--time-budget: 0 is below 1s"),
])
def test_what_cannot_be_flipped_is_said(dyno, words, says):
    result = dyno.run("flip", "tpcc", *SHORT, *words)
    assert result.code == 2, result.err
    assert says in result.err and result.out == ""
