# SPDX-License-Identifier: MIT
"""dyno compare: sides, verdicts, what is said first, the gate of CI."""
import json
import sqlite3
import xml.etree.ElementTree as ElementTree

import pytest

from conftest import ROOT

NOISE = (1.0, 1.01, 0.99, 1.005, 0.995)


@pytest.fixture
def builds(make):
    """Five runs of build a and five of b, 10 % slower, in turns."""
    for i, noise in enumerate(NOISE):
        make(f"a{i}", noise, {"build": "a"})
        make(f"b{i}", 0.9 * noise, {"build": "b"})
    return make


def compare(dyno, *words, code=0):
    result = dyno.run("compare", *words)
    assert result.code == code, result.out + result.err
    return result


def as_json(dyno, *words):
    return json.loads(compare(dyno, *words, "--format", "json").out)


def figure(side, name):
    found, = (f for f in side["figures"] if f["name"] == name)
    return found


# ---- which runs ----

@pytest.mark.parametrize("word, says", [
    ("nowhere/real.json", "--results 'nowhere' real)"),
    ("real.html", "without an ending ('real')"),
    ("reel", "did you mean 'real'?"),
])
def test_a_run_that_is_not_there_is_said_with_what_to_write(
        dyno, make, word, says):
    error = compare(dyno, "real", word, code=1).err
    assert f"'{word}'" in error and says in error


def test_a_run_without_an_interval_is_no_data_and_not_zero(dyno, make):
    make("empty", interval_us=0)
    rows = dyno.run("runs", "list").out.splitlines()
    row, = (r for r in rows if r.startswith("empty "))
    assert row.split()[-2:] == ["-", "-"]


# ---- verdicts ----

def test_a_slower_build_is_found_with_its_ratio(dyno, builds):
    data = as_json(dyno, "build=a", "build=b")
    side, = data["sides"]
    assert side["basis"] == "repeats" and side["took_turns"]
    assert side["verdict"] == "slower"
    nopm = figure(side, "throughput.nopm")
    assert nopm["low"] < 0.9 < nopm["high"] < 1
    assert nopm["ratio"] == pytest.approx(0.9, abs=0.01)
    p90 = figure(side, "transactions.new_order.response_us.p90")
    assert p90["verdict"] == "slower" and p90["low"] > 1


def test_builds_alike_show_no_difference_but_the_smallest(dyno, builds):
    side, = as_json(dyno, "a0,a1,a2", "a3,a4,real")["sides"]
    nopm = figure(side, "throughput.nopm")
    assert nopm["verdict"] == "no difference shown"
    assert 0 < nopm["smallest_difference"] < 0.2


def test_one_run_a_side_speaks_of_these_runs_only(dyno, make):
    make("fast", 2)
    text = compare(dyno, "real", "fast").out
    assert "whether these two runs differ" in " ".join(text.split())
    assert "fast compared with real: faster" in text
    side, = as_json(dyno, "real", "fast")["sides"]
    assert side["basis"] == "these runs"
    assert figure(side, "throughput.tps")["ratio"] == pytest.approx(2)


def test_one_run_against_several_has_a_ratio_but_no_verdict(dyno, builds):
    side, = as_json(dyno, "real", "build=b")["sides"]
    nopm = figure(side, "throughput.nopm")
    assert side["verdict"] == "not enough data" and nopm["low"] is None
    assert nopm["ratio"] == pytest.approx(0.9, abs=0.01)


def test_sides_that_did_not_take_turns_are_said_to(dyno, make):
    for name in "abcdef":
        make(name)
    text = " ".join(compare(dyno, "a,b,c", "d,e,f").out.split())
    assert "did not take turns" in text


# ---- sides ----

@pytest.mark.parametrize("by", ["build", "vus", "composition"])
def test_any_property_can_make_the_sides(dyno, make, by):
    for i in range(2):
        make(f"x{i}", 1, {"build": "x"}, vus=2, composition="literal")
        make(f"y{i}", 1, {"build": "y"}, vus=4, composition="procs")
    data = as_json(dyno, "--by", by, "x*", "y*")
    names = [data["base"]["name"], data["sides"][0]["name"]]
    assert names == {"build": ["x", "y"], "vus": ["2", "4"],
                     "composition": ["literal", "procs"]}[by]
    assert len(data["base"]["runs"]) == 2


def test_settings_of_the_server_that_differ_are_listed(dyno, make):
    for name, value in (("x", "128MB"), ("y", "4GB")):
        run = make(name)
        make.insert("facts", {"run": run, "position": 40,
                              "name": "shared_buffers", "value": value})
    assert "shared_buffers          128MB | 4GB" in compare(
        dyno, "--by", "shared_buffers", "x", "y").out


# ---- the first line ----

@pytest.mark.parametrize("what, words", [
    ({"composition": "procs"}, "different composition (batched, procs)"),
    ({"scale": 7}, "different scale (1, 7)"),
    ({"summary": {"valid": False, "invalid_reasons": ["audit_failed"]}},
     "run 'other' is not valid: audit_failed"),
    ({"status": "partial", "reason": "ended by signal 2"},
     "run 'other' ended early: ended by signal 2"),
])
def test_what_is_to_know_is_in_the_first_line(dyno, make, what, words):
    make("other", 1, **what)
    first = compare(dyno, "real", "other").out.splitlines()[0]
    assert first.startswith("ATTENTION: ") and words in first
    markdown = compare(dyno, "real", "other", "--format", "markdown").out
    assert markdown.startswith("## ATTENTION: ")
    assert words in as_json(dyno, "real", "other")["warnings"]


def test_a_different_isolation_is_in_the_first_line(dyno, make):
    run = make("other")
    make.db.execute("UPDATE settings SET value = 'serializable' WHERE run = ? "
                    "AND name = 'isolation'", [run])
    assert compare(dyno, "real", "other").out.startswith(
        "ATTENTION: different isolation (default, serializable)")


def test_an_empty_window_is_no_data_and_never_nan(dyno, make):
    run = make("empty", 1, status="partial", reason="killed", summary=None)
    make.db.execute("UPDATE runs SET summary = NULL WHERE id = ?", [run])
    make.db.execute("DELETE FROM interval_transactions WHERE run = ?", [run])
    make.db.execute("DELETE FROM intervals WHERE run = ?", [run])
    for form in ("text", "markdown", "json", "junit"):
        out = compare(dyno, "real", "empty", "--format", form).out.lower()
        assert "nan" not in out.replace("tenant", "") and "inf" not in out
    assert "ended early: killed, and has no data" in " ".join(
        compare(dyno, "real", "empty").out.split())
    side, = as_json(dyno, "real", "empty")["sides"]
    assert side["verdict"] == "not enough data"


@pytest.mark.parametrize("words", [("build=a", "build=b"), ("a0", "b0", "b1")])
def test_no_line_of_text_is_wider_than_a_terminal(dyno, builds, words):
    builds("a name that is long beyond all measure " + "x" * 120, 1e-9)
    out = compare(dyno, *words, "a name*").out
    assert max(map(len, out.splitlines())) <= 80


# ---- programs ----

def test_json_is_what_the_schema_says(dyno, builds):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "docs" / "compare.schema.json").read_text())
    for words in (("build=a", "build=b"), ("a0", "b0", "b1"),
                  ("--by", "build")):
        jsonschema.validate(as_json(dyno, *words), schema)


def test_junit_has_a_failure_for_each_slower_figure(dyno, builds):
    builds("<&\"'>", 1)
    root = ElementTree.fromstring(compare(
        dyno, "build=a", "build=b", "<&\"'>", "--format", "junit").out)
    slower, other = root.findall("testsuite")
    assert int(slower.get("failures")) == len(slower.findall(".//failure")) > 1
    assert other.get("name") == "<&\"'>"
    nopm = slower.find("testcase[@name='NOPM']/failure")
    assert nopm.get("message").startswith("slower: ")


# ---- the gate ----

def export(dyno, *names):
    result = dyno.run("runs", "export", *names, "-o", "main.dyno")
    assert result.code == 0, result.err


def gate(dyno, *words, code):
    return compare(dyno, *words, "--baseline", "main.dyno", "--fail-if",
                   "slower", code=code)


def test_a_slower_build_does_not_pass_the_gate(dyno, builds):
    export(dyno, *(f"a{i}" for i in range(5)))
    assert "'build=b' is slower" in gate(dyno, "build=b", code=4).err
    for i, noise in enumerate(NOISE):
        builds(f"c{i}", 1.001 * noise, {"build": "c"})
    gate(dyno, "build=c", code=0)


def test_the_gate_needs_five_repeats(dyno, builds):
    export(dyno, *(f"a{i}" for i in range(4)))
    assert "at least 5 runs a side" in gate(dyno, "build=b", code=1).err


@pytest.mark.parametrize("what, code", [
    ({"composition": "procs"}, 1),
    ({"summary": {"valid": False, "invalid_reasons": ["user_died"]}}, 3),
    ({"status": "partial", "reason": "x"}, 5)])
def test_what_cannot_be_judged_does_not_pass(dyno, builds, what, code):
    export(dyno, *(f"a{i}" for i in range(5)))
    for i, noise in enumerate(NOISE):
        builds(f"d{i}", noise, {"build": "d"}, **what)
    gate(dyno, "build=d", code=code)


# ---- bad input ----

@pytest.mark.parametrize("words, says", [
    (("real", "raal"), "did you mean 'real'?"),
    (("real", "real"), "is on two sides"),
    (("real",), "write 'dyno compare A B'"),
    ((), "write 'dyno compare A B'"),
    (("real", "build=z"), "no run has the label 'build=z'"),
    (("real", "z*"), "no run has a name like 'z*'"),
    (("--by", "isolaton"), "did you mean 'isolation'?"),
    (("--by", "server"), "there is nothing to compare"),
    (("real,real", "other"), "names run 'real' twice"),
    (("real", "--baseline", "none.dyno"), "none.dyno"),
])
def test_what_cannot_be_understood_is_said(dyno, make, words, says):
    make("other")
    result = dyno.run("compare", *words)
    assert result.code in (1, 2) and says in result.err
    assert result.out == ""


def test_runs_of_different_workloads_are_refused(dyno, make):
    make("pong", 1, workload="ping")
    result = compare(dyno, "real", "pong", code=1)
    assert "'real' ran tpcc, 'pong' ran ping" in result.err


def test_a_store_of_a_newer_dyno_is_refused(dyno, make):
    make.db.execute("PRAGMA user_version = 999")
    make.close()
    result = compare(dyno, "real", "other", code=1)
    assert "newer" in result.err
    with sqlite3.connect(dyno.dir / "dyno-results" / "dyno.db") as db:
        assert db.execute("PRAGMA user_version").fetchone() == (999,)


# ---- steadiness, in the report of a run ----

def test_a_run_says_whether_it_was_steady(dyno, one_run):
    result = dyno.run("runs", "show", "real", "--results", one_run)
    assert "Over the interval, from zero to the highest" in result.out
    assert "TPS  " in result.out and "steady  " in result.out
    assert "not tested: too few intervals" in result.out
    summary = json.loads(dyno.run("runs", "show", "real", "--format", "json",
                                  "--results", one_run).out)
    assert summary["steady"] == {
        "tested": False, "steady": None, "warm_up_over": None,
        "warm_from_s": None, "first_tenth": None, "drift": None}
