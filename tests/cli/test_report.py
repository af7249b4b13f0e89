# SPDX-License-Identifier: MIT
"""dyno report: stored runs as one HTML file; tests/cli/test_report_browser.py
looks at it with a browser."""
import json
import os
import re

import pytest

HOSTILE = "</script><script>alert(1)</script>"


def report(dyno, *words, code=0):
    result = dyno.run("report", *words, "-o", "page.html", "--force")
    assert result.code == code, result.err
    return (dyno.dir / "page.html").read_text() if code == 0 else result.err


def blocks(page, name):
    found = re.findall(r'<script type="application/json" class="(\w+)">(.*?)'
                       r'</script>', page, re.S)
    return [json.loads(text) for kind, text in found if kind == name]


def run_of(page):
    one, = blocks(page, "run")
    return one


def matrix_of(page):
    one, = blocks(page, "matrix")
    return one


# ---- one run ----

def test_a_report_is_one_file_with_nothing_to_fetch(dyno, make):
    page = report(dyno, "real")
    assert page.startswith("<!doctype html>") and "<title>real</title>" in page
    assert "default-src 'none'" in page
    assert not re.search(r'(?:src|href)="(?!#|data:)', page)
    assert "sourceMappingURL" not in page
    assert "Dygraph" in page


def test_a_report_holds_the_summary_the_course_and_the_percentiles(dyno, make):
    run = run_of(report(dyno, "real"))
    shown = json.loads(dyno.run("runs", "show", "real", "--format",
                                "json").out)
    assert run["summary"] == shown
    series = run["series"]
    assert len(series["t"]) == len(series["tps"]) == len(series["p99"])
    assert series["per_point"] == 1 and "tps_min" not in series
    assert {0, 1} <= set(series["phase"])
    curve, = (c for c in run["percentiles"]
              if c["kind"] == "response" and c["name"] == "new_order")
    assert curve["above"][0] == 1 and curve["ms"] == sorted(curve["ms"])
    assert curve["n"] == shown["transactions"]["new_order"]["committed"] + \
        shown["transactions"]["new_order"]["rolled_back"]


def test_readers_without_scripts_get_the_text(dyno, make):
    page = report(dyno, "real")
    text = dyno.run("runs", "show", "real").out
    quiet, = re.findall(r"<noscript>.*?<pre>(.*?)</pre>", page, re.S)
    assert text.splitlines()[0] in quiet


def test_what_is_in_the_data_is_text(dyno, make):
    make.db.execute("UPDATE runs SET name = ?, summary = replace(summary, "
                    "'\"real\"', ?)", [HOSTILE, json.dumps(HOSTILE)])
    make.db.execute("INSERT INTO labels SELECT id, '<b>', ? FROM runs",
                    [HOSTILE])
    page = report(dyno, "latest", "--title", HOSTILE)
    assert "alert(1)" in page and "<script>alert" not in page
    run = run_of(page)
    assert run["name"] == run["summary"]["run"]["name"] == HOSTILE
    assert run["labels"] == [["<b>", HOSTILE]]


def test_a_long_run_is_thinned_and_says_so(dyno, make):
    """Its mean is kept, and the extremes are beside it."""
    number, = make.db.execute("SELECT max(number) FROM intervals").fetchone()
    for copy in range(1, 5):
        for table in ("intervals", "interval_transactions"):
            for row in make.db.execute(
                    f"SELECT * FROM {table} WHERE number <= ?",
                    [number]).fetchall():
                values = dict(row, number=row["number"] + copy * (number + 1))
                if table == "intervals":
                    values |= {"phase": "measure",
                               "begin_us": 100_000 * values["number"]}
                make.insert(table, values)
    for i in range(99):
        make.insert("runs", dict(
            make.original, id=None, uuid=f"u{i}", name=f"r{i:02}",
            number=None, summary=None))
    page = report(dyno, "real", "r*")
    series = blocks(page, "run")[0]["series"]
    assert series["per_point"] == 2
    measured = [i for i, phase in enumerate(series["phase"]) if phase == 1]
    for i in measured[1:-1]:
        assert series["tps_min"][i] <= series["tps"][i] <= series["tps_max"][i]


# ---- what is missing ----

def test_a_partial_run_is_shown_as_such(dyno, make):
    make.db.execute("UPDATE runs SET status = 'partial', summary = NULL, "
                    "reason = 'the process died'")
    make.db.execute("DELETE FROM reports")
    make.db.execute("DELETE FROM histograms")
    run = run_of(report(dyno, "real"))
    assert (run["status"], run["reason"]) == ("partial", "the process died")
    assert run["summary"]["valid"] is False
    assert run["summary"]["throughput"]["tps"] > 0
    assert run["percentiles"], "from the intervals"


def test_a_run_without_an_interval_has_no_data_and_no_nan(dyno, make):
    make.db.execute("UPDATE runs SET status = 'partial', summary = NULL, "
                    "tps = NULL, nopm = NULL")
    for table in ("reports", "histograms", "intervals",
                  "interval_transactions", "telemetry", "telemetry_names"):
        make.db.execute(f"DELETE FROM {table}")
    make("second", 1)
    page = report(dyno, "real")
    run = run_of(page)
    assert run["series"] is None and run["samples"] is None
    assert run["percentiles"] == []
    for page in (page, report(dyno, "real", "second")):
        for text in re.findall(r'class="(?:run|matrix)">(.*?)</script>', page,
                               re.S):
            assert not re.search(r"[:,\[]-?(nan|inf)", text, re.I)


# ---- several ----

@pytest.fixture
def grid(make):
    """Two compositions by two numbers of users, twice."""
    for repeat in range(2):
        for composition, factor in (("literal", 1), ("procs", 3)):
            for vus in (2, 8):
                make(f"{composition}-{vus}-{repeat}",
                     factor * (1 + 0.01 * repeat), composition=composition,
                     vus=vus, labels={"attempt": f"{composition}{vus}{repeat}",
                                      "plan": "p"})
    return make


def test_repeats_are_one_variant(dyno, grid):
    page = report(dyno, "plan=p")
    matrix = matrix_of(page)
    assert matrix["axes"] == ["composition", "vus"]
    assert [v["values"] for v in matrix["variants"]] == [
        ["literal", "2"], ["literal", "8"], ["procs", "2"], ["procs", "8"]]
    assert all(len(v["runs"]) == 2 for v in matrix["variants"])
    assert len(blocks(page, "run")) == 8


def test_each_variant_is_compared_with_each_other(dyno, grid):
    matrix = matrix_of(report(dyno, "plan=p"))
    assert matrix["not_compared"] is None
    assert [len(row) for row in matrix["ratios"]] == [3, 3, 3, 3]
    basis, throughput = matrix["ratios"][0][1][:2]
    ratio, low, high, verdict, _ = throughput
    assert basis == 2 and ratio == pytest.approx(3, abs=0.05)
    assert low < ratio < high and verdict == "faster"
    back = matrix["ratios"][2][0][1]
    assert back[0] == pytest.approx(1 / ratio, rel=0.01)


def test_the_reader_may_name_the_axes(dyno, grid):
    matrix = matrix_of(report(dyno, "plan=p", "--axis", "vus"))
    assert matrix["axes"] == ["vus"]
    assert [len(v["runs"]) for v in matrix["variants"]] == [4, 4]
    error = report(dyno, "plan=p", "--axis", "compositoin", code=2)
    assert "did you mean 'composition'" in error


def test_a_plan_is_named_by_its_name_and_its_labels_are_the_axes(dyno, make):
    for i, server in enumerate(("pg17a", "pg17b", "pg17a", "pg17b")):
        make(f"00{i}_x", 1 + i % 2, {
            "matrix": "night", "repeat": str(i // 2), "variant": f"p/{i}/1",
            "server": server})
    make("elsewhere", 1, {"matrix": "day"})
    page = report(dyno, "night")
    matrix = matrix_of(page)
    assert matrix["axes"] == ["server"]
    assert [(v["values"], len(v["runs"])) for v in matrix["variants"]] == [
        (["pg17a"], 2), (["pg17b"], 2)]
    assert "no run 'nihgt'" in report(dyno, "nihgt", code=1)


def test_labels_tell_builds_apart_when_nothing_else_does(dyno, make):
    make("a", 1, {"build": "17.1"})
    make("b", 1, {"build": "17.2"})
    assert matrix_of(report(dyno, "a", "b"))["axes"] == ["build"]


def test_runs_that_cannot_be_compared_are_shown_without_ratios(dyno, make):
    make("other", 1, workload="kv")
    matrix = matrix_of(report(dyno, "real", "other"))
    assert matrix["ratios"] == [] and "workload" in matrix["not_compared"]


def test_a_run_that_is_named_twice_is_in_it_once(dyno, make):
    assert run_of(report(dyno, "real", "latest", "re*"))["name"] == "real"


# ---- the file ----

def test_a_file_that_is_there_is_kept_without_force(dyno, make):
    target = dyno.dir / "real.html"
    assert dyno.run("report", "real").code == 0
    target.write_text("mine")
    result = dyno.run("report", "real")
    assert result.code == 1 and "--force" in result.err
    assert target.read_text() == "mine"
    assert dyno.run("report", "real", "--force").code == 0
    assert target.read_text().startswith("<!doctype html>")
    assert sorted(p.name for p in dyno.dir.iterdir()) == ["dyno-results",
                                                          "real.html"]


def test_the_name_of_a_run_does_not_lead_out_of_the_folder(dyno, make):
    make.db.execute("UPDATE runs SET name = '../x/y'")
    assert dyno.run("report", "latest").code == 0
    assert "_._x_y.html" in os.listdir(dyno.dir)


@pytest.mark.parametrize("output", ["missing/page.html", "."])
def test_a_file_that_cannot_be_written_is_said(dyno, make, output):
    result = dyno.run("report", "real", "-o", output, "--force")
    assert result.code == 1 and f"'{output}'" in result.err
    assert os.listdir(dyno.dir) == ["dyno-results"]


# ---- wrong words ----

def test_an_unknown_run_is_answered_with_the_nearest(dyno, make):
    assert "did you mean 'real'" in report(dyno, "rael", code=1)
    assert "no run has a name like" in report(dyno, "x*", code=1)
    assert "no run has the label" in report(dyno, "a=b", code=1)


@pytest.mark.parametrize("words", [(), ("real", "--latest", "1")])
def test_a_report_needs_runs_named_in_one_way(dyno, make, words):
    result = dyno.run("report", *words)
    assert result.code == 2 and "--latest" in result.err


def test_a_store_of_a_newer_dyno_is_refused(dyno, make):
    make.db.execute("PRAGMA user_version = 999")
    assert "newer dyno" in report(dyno, "real", code=1)
