# SPDX-License-Identifier: MIT
"""Stored runs: what is kept, and looking at it afterwards."""
import csv
import io
import json
import sqlite3
from collections import Counter

import hdr_log
import pytest

from conftest import query

SHORT = ("--db", "noop:", "-t", "1s", "--ramp-up", "0.2s", "--interval",
         "100ms", "-q", "--audit", "off", "-u", "2")
TYPES = ["new_order", "payment", "order_status", "delivery", "stock_level"]


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Three runs, made once; each test has a copy of the folder."""
    folder = tmp_path_factory.mktemp("archive")
    from dyno_cli import Dyno
    dyno = Dyno(folder)
    for args in ((), ("--name", "mine", "--label", "build=a", "--label",
                      "machine=b"), ("--label", "build=a")):
        result = dyno.run("run", "tpcc", *SHORT, *args)
        assert result.code == 0, result.err
    return folder / "dyno-results"


@pytest.fixture
def kept(dyno, archive):
    import shutil
    shutil.copytree(archive, dyno.dir / "dyno-results")
    return dyno


def db(dyno, folder="dyno-results"):
    return dyno.dir / folder / "dyno.db"


def names(dyno, *args, folder="dyno-results"):
    result = dyno.run("runs", "list", "--format", "json", "--results", folder,
                      *args)
    assert result.code == 0, result.err
    return [run["name"] for run in json.loads(result.out)]


# ---- what is kept ----

def test_a_run_keeps_its_series_settings_and_reports(kept):
    runs = query(db(kept), "SELECT name, status, valid, workload FROM runs "
                           "ORDER BY id")
    assert runs == [("001_noop_s1_v2_c2", "complete", 1, "tpcc"),
                    ("mine", "complete", 1, "tpcc"),
                    ("002_noop_s1_v2_c2", "complete", 1, "tpcc")]
    assert query(db(kept), "SELECT key, value FROM labels WHERE run = 2") == [
        ("build", "a"), ("machine", "b")]
    assert ("vus", "2", "command line") in query(
        db(kept), "SELECT name, value, source FROM settings WHERE run = 1")
    phases = [p for p, in query(
        db(kept), "SELECT phase FROM intervals WHERE run = 1 ORDER BY number")]
    assert phases == sorted(phases, key=["ramp_up", "measure",
                                         "drain"].index)
    assert Counter(phases)["measure"] >= 2


def test_the_series_adds_up_to_the_result(kept):
    summary = json.loads(kept.run("runs", "show", "1", "--format",
                                  "json").out)
    for name in TYPES:
        (committed, rolled_back), = query(
            db(kept), f"""SELECT sum(committed), sum(rolled_back) FROM series
                      WHERE run = '001_noop_s1_v2_c2' AND phase = 'measure'
                      AND "transaction" = '{name}'""")
        txn = summary["transactions"][name]
        assert (committed, rolled_back) == (txn["committed"],
                                            txn["rolled_back"])
    (length,), = query(db(kept), "SELECT sum(length_us) FROM intervals WHERE "
                                 "run = 1 AND phase = 'measure'")
    assert abs(length / 1e6 - summary["run"]["interval_s"]) < 0.001


def test_a_password_is_stored_nowhere(dyno):
    folder = dyno.dir / "dyno-results"
    dyno.run("run", "tpcc", *SHORT[2:], "--db",
             "postgres://me:sesame@127.0.0.1:1/none")
    for path in folder.iterdir():
        assert b"sesame" not in path.read_bytes()


def test_a_run_that_could_not_be_made_is_not_kept(dyno):
    result = dyno.run("run", "tpcc", "--db", "sqlite:nowhere/x.sqlite")
    assert result.code == 1
    assert dyno.stored() == []
    assert not db(dyno).exists()


@pytest.mark.parametrize("composition", ["literal"])
def test_statements_have_times_of_their_own_when_asked_for(dyno, composition):
    result = dyno.run("run", "tpcc", "--iterations", "300", "-u", "2",
                      "--ramp-up", "0", "-q", "--audit", "off", "--composition",
                      composition, "--statement-stats", "on", "--name", "mine",
                      timeout=120)
    assert result.code == 0, result.err
    assert "Statements of New-Order" in result.out
    assert "read_district" in result.out and "COMMIT" in result.out
    summary = json.loads(dyno.run("runs", "show", "mine", "--format",
                                  "json").out)
    by = {(s["transaction"], s["call"], s["name"]): s
          for s in summary["statements"]}
    txn = summary["transactions"]["new_order"]
    begins = by["new_order", "begin", None]
    assert begins["count"] == (txn["committed"] + txn["rolled_back"] +
                               txn["retries"])
    assert by["new_order", "commit", None]["count"] == txn["committed"]
    for s in by.values():
        assert 0 < s["time_us"]["p50"] <= s["time_us"]["max"]
    # Together they take no longer than the transactions.
    spent = sum(s["count"] * s["time_us"]["mean"] for s in by.values()
                if s["transaction"] == "new_order")
    assert spent <= 1.05 * txn["service_us"]["mean"] * (
        txn["committed"] + txn["rolled_back"])
    assert query(db(dyno), "SELECT count(*) FROM statements") == [(len(by),)]


def test_without_asking_no_statement_is_timed(kept):
    summary = json.loads(kept.run("runs", "show", "1", "--format",
                                  "json").out)
    assert summary["statements"] == []


# ---- list and show ----

def test_runs_are_listed_and_filtered(kept):
    first, mine, second = "001_noop_s1_v2_c2", "mine", "002_noop_s1_v2_c2"
    assert names(kept) == [first, mine, second]
    assert names(kept, "--name", "0*") == [first, second]
    assert names(kept, "--label", "build=a") == [mine, second]
    assert names(kept, "--label", "build=a", "--label", "machine=b") == [mine]
    assert names(kept, "--workload", "ping") == []
    assert names(kept, "--latest", "2") == [mine, second]
    text = kept.run("runs", "list").out.splitlines()
    assert [line.split()[0] for line in text] == ["run", first, mine, second]
    assert " valid " in text[1]
    rows = list(csv.DictReader(io.StringIO(
        kept.run("runs", "list", "--format", "csv").out)))
    assert [row["name"] for row in rows] == [first, mine, second]
    assert float(rows[0]["tps"]) > 0
    assert kept.run("runs", "list", "--format", "markdown").out.count(
        "| valid |") == 3


@pytest.mark.parametrize("word", ["mine", "1", "002_noop_s1_v2_c2",
                                  "latest"])
def test_show_prints_what_the_run_printed(kept, word):
    result = kept.run("runs", "show", word)
    name = {"1": "001_noop_s1_v2_c2", "latest": "002_noop_s1_v2_c2"}.get(
        word, word)
    assert result.out.startswith(f"{name}: valid\n")
    stored = (kept.dir / "dyno-results" / f"{name}.json").read_text()
    shown = kept.run("runs", "show", word, "--format", "json").out
    assert json.loads(shown) == json.loads(stored)
    assert kept.run("runs", "show", word, "--format",
                    "markdown").out.startswith("## ")


@pytest.mark.parametrize("args,code,says", [
    (("show", "mien"), 1, "did you mean 'mine'?"),
    (("show", "zzzzzzzz"), 1, "the latest is '002_noop_s1_v2_c2'"),
    (("show",), 2, "which?"),
    (("show", "mine", "--format", "csv"), 2, "export --series csv"),
    (("list", "mine"), 2, "one argument too many"),
    (("list", "--yes"), 2, "--yes is no option of 'dyno runs list'"),
    (("lst",), 2, "did you mean 'list'?"),
    ((), 2, "dyno runs list"),
    (("list", "--results", "nowhere"), 1, "no results store 'nowhere/"),
    (("rm", "mine"), 2, "--yes"),
    (("import", "no.dyno"), 1, "cannot open 'no.dyno': No such file"),
    (("import", "."), 1, "cannot open results store '.': Is a directory"),
    (("export", "mine", "-o", ""), 2, "--output: the file has no name"),
    (("export", "mine", "-o", "no/x.dyno"), 1, "x.dyno': No such file"),
])
def test_mistakes_are_explained(kept, args, code, says):
    result = kept.run("runs", *args)
    assert (result.code, result.out) == (code, "")
    assert says in result.err


# ---- export and import ----

def test_the_series_is_exported_as_csv(kept):
    rows = list(csv.DictReader(io.StringIO(
        kept.run("runs", "export", "1", "--series", "csv").out)))
    assert {row["transaction"] for row in rows} == set(TYPES)
    measured = [row for row in rows if row["phase"] == "measure"
                and row["transaction"] == "payment"]
    summary = json.loads(kept.run("runs", "show", "1", "--format",
                                  "json").out)["transactions"]["payment"]
    assert sum(int(row["committed"]) for row in measured) == summary[
        "committed"]
    assert max(float(row["response_max_us"]) for row in measured) == summary[
        "response_us"]["max"]
    for row in measured:
        assert float(row["response_p50_us"]) <= float(row["response_p99_us"])


def test_histograms_are_exported_in_the_format_of_hdrhistogram(kept):
    result = kept.run("runs", "export", "1", "--histograms", "hlog", "-o",
                      "run.hlog")
    assert (result.code, result.out) == (0, "")
    start, lines = hdr_log.read((kept.dir / "run.hlog").read_text())
    summary = json.loads(kept.run("runs", "show", "1", "--format",
                                  "json").out)
    assert start == pytest.approx(query(
        db(kept), "SELECT started_us / 1e6 FROM runs WHERE id = 1")[0][0],
        abs=0.001)
    assert {line.tag for line in lines} == {
        f"{name}.{kind}" for name in TYPES for kind in ("response",
                                                        "service")}
    for name in TYPES:
        mine = [x for x in lines if x.tag == f"{name}.response"]
        merged = Counter()
        for line in mine:
            merged.update(line.histogram.counts)
            assert line.histogram.digits == 2
        want = summary["transactions"][name]
        assert sum(merged.values()) == (want["committed"] +
                                        want["rolled_back"])
        mine[0].histogram.counts = merged
        for key, pct in ("p50", 50), ("p99", 99), ("p999", 99.9):
            assert mine[0].histogram.percentile(pct) / 1e3 == pytest.approx(
                want["response_us"][key], rel=0.02, abs=0.002)
        assert max(x.max_ms for x in mine) == pytest.approx(
            want["response_us"]["max"] / 1e3, rel=0.01)


def test_runs_move_to_another_store_and_keep_everything(kept):
    result = kept.run("runs", "export", "mine", "1", "-o", "two.dyno")
    assert result.code == 0, result.err
    assert kept.run("runs", "import", "two.dyno", "--results",
                    "other").code == 0
    assert names(kept, folder="other") == ["001_noop_s1_v2_c2", "mine"]
    for args in ("show",), ("export", "--series", "csv"), (
            "export", "--histograms", "hlog"):
        here, there = (kept.run("runs", args[0], "mine", *args[1:],
                                "--results", folder)
                       for folder in ("dyno-results", "other"))
        assert here.code == 0 and here.out
        assert here == there
    assert kept.stored("other") == ["001_noop_s1_v2_c2.json", "mine.json"]


def test_an_export_is_one_file_and_overwrites_none(kept):
    before = sorted(kept.dir.iterdir())
    assert kept.run("runs", "export", "mine").code == 0
    assert sorted(set(kept.dir.iterdir()) - set(before)) == [
        kept.dir / "mine.dyno"]
    again = kept.run("runs", "export", "mine")
    assert again.code == 1
    assert "'mine.dyno' is there already" in again.err


def test_reading_an_export_leaves_nothing_beside_it(kept):
    (kept.dir / "out").mkdir()
    kept.run("runs", "export", "mine", "-o", "out/mine.dyno")
    assert kept.run("runs", "import", "out/mine.dyno", "--results",
                    "other").code == 0
    assert [p.name for p in (kept.dir / "out").iterdir()] == ["mine.dyno"]


def test_a_dash_is_standard_output(kept):
    series = kept.run("runs", "export", "mine", "--series", "csv")
    assert series.out and kept.run("runs", "export", "mine", "--series", "csv",
                                   "-o", "-").out == series.out
    page = kept.run("report", "mine", "-o", "-")
    assert page.out.startswith("<!doctype html>") and page.err == ""
    refused = kept.run("runs", "export", "mine", "-o", "-")
    assert (refused.code, refused.out) == (2, "")
    assert "cannot go to standard output" in refused.err
    assert not (kept.dir / "-").exists()


def test_columns_of_a_list_are_characters_not_bytes(kept):
    made = kept.run("run", "ping", "--db", "noop:", "--iterations", 10, "-q",
                    "--name", "ünïcödé")
    assert made.code == 0, made.err
    lines = kept.run("runs", "list").out.splitlines()
    assert len({line.index(":") for line in lines[1:]}) == 1


def test_merging_twice_changes_nothing_and_names_do_not_clash(kept):
    kept.run("runs", "export", "mine", "1", "-o", "two.dyno")
    assert kept.run("run", "tpcc", *SHORT, "--results", "other", "--name",
                    "mine").code == 0
    assert kept.run("run", "tpcc", *SHORT, "--results", "other").code == 0
    for _ in range(2):
        result = kept.run("runs", "import", "two.dyno", "--results", "other")
        assert result.code == 0, result.err
    assert "there already" in result.err
    assert sorted(names(kept, folder="other")) == [
        "001_noop_s1_v2_c2", "002_noop_s1_v2_c2", "mine", "mine-2"]


def test_removing_takes_the_rows_and_the_summary(kept):
    result = kept.run("runs", "rm", "mine", "1", "--yes")
    assert result.code == 0, result.err
    assert names(kept) == ["002_noop_s1_v2_c2"]
    assert kept.stored() == ["002_noop_s1_v2_c2.json"]
    for table in "intervals", "interval_transactions", "settings", "reports":
        assert query(db(kept), f"SELECT DISTINCT run FROM {table}") == [(3,)]
    unknown = kept.run("runs", "rm", "latest", "nothing", "--yes")
    assert unknown.code == 1
    assert names(kept) == ["002_noop_s1_v2_c2"]


# ---- several processes, other versions ----

def test_several_processes_write_to_one_store(dyno):
    started = [dyno.start("run", "tpcc", *SHORT) for _ in range(4)]
    for process in started:
        assert dyno.finish(process).code == 0
    assert len(names(dyno)) == 4
    assert dyno.stored() == [f"{n:03}_noop_s1_v2_c2.json"
                             for n in range(1, 5)]
    counts = query(db(dyno), "SELECT count(*) FROM intervals WHERE phase = "
                             "'measure' GROUP BY run")
    assert len(counts) == 4 and min(counts)[0] >= 2
    assert query(db(dyno), "PRAGMA integrity_check") == [("ok",)]


def test_a_store_of_a_newer_dyno_is_refused(kept):
    connection = sqlite3.connect(db(kept))
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    for args in ("runs", "list"), ("run", "tpcc", *SHORT):
        result = kept.run(*args)
        assert result.code == 1
        assert "has version 99, which a newer dyno made" in result.err


@pytest.mark.parametrize("content", ["CREATE TABLE mine (x)", None],
                         ids=["a foreign database", "no database"])
def test_what_is_no_store_of_dyno_is_left_alone(dyno, content):
    (dyno.dir / "dyno-results").mkdir()
    if content:
        query(db(dyno), content)
    else:
        db(dyno).write_text("shopping list\n" * 100)
    before = db(dyno).read_bytes()
    for args in ("runs", "list"), ("run", "tpcc", *SHORT):
        result = dyno.run(*args)
        assert result.code == 1
        assert "dyno.db'" in result.err
    assert db(dyno).read_bytes() == before
