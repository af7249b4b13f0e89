# SPDX-License-Identifier: MIT
"""dyno check without a server, and what a run keeps of it."""
import json
import os

import pytest

MACHINE = {"cores", "load", "clock", "timers", "open_files", "results_disk"}


def check(run, *args, code=0):
    result = run("check", "--format", "json", *args)
    assert result.code == code, result.err
    found = json.loads(result.out)
    assert found["schema_version"] == 1
    return found, {f["name"]: f for f in found["findings"]}


def test_without_a_target_the_machine_is_looked_at(dyno):
    found, by_name = check(dyno.run)
    assert found["target"] is None
    assert MACHINE <= set(by_name)
    assert "round_trip" not in by_name
    assert os.listdir(dyno.dir) == []


def test_each_warning_says_why_and_what_to_do(run):
    found, _ = check(run, "--db", "sqlite:a.db?synchronous=off")
    warnings = [f for f in found["findings"] if f["warning"]]
    assert len(warnings) == found["warnings"] >= 1
    for f in found["findings"]:
        assert f["name"] and f["value"]
        assert bool(f["why"]) == bool(f["advice"]) == f["warning"]


def test_a_database_file_is_measured_and_left_as_it_was(dyno):
    dyno.run("exec", "--db", "sqlite:a.db", "CREATE TABLE mine (x)")
    tables = ("exec", "--db", "sqlite:a.db", "--format", "csv",
              "SELECT name FROM sqlite_schema")
    before = dyno.run(*tables).out
    _, by_name = check(dyno.run, "--db", "sqlite:a.db")
    assert {"call", "commit", "data_disk"} <= set(by_name)
    assert "p50 of" in by_name["commit"]["value"]
    assert "synchronous" not in by_name
    assert dyno.run(*tables).out == before


def test_a_file_that_is_not_there_is_not_made(dyno):
    check(dyno.run, "--db", "sqlite:new.db")
    assert os.listdir(dyno.dir) == []


def test_a_table_of_that_name_is_not_touched(dyno):
    table = "dyno_check_scratch"
    dyno.run("exec", "--db", "sqlite:a.db", f"CREATE TABLE {table} (mine)",
             f"INSERT INTO {table} VALUES (42)")
    _, by_name = check(dyno.run, "--db", "sqlite:a.db")
    assert by_name["commit"]["value"].startswith("not measured: ")
    rows = dyno.run("exec", "--db", "sqlite:a.db", f"SELECT * FROM {table}",
                    "--format", "csv")
    assert rows.out.split() == ["mine", "42"]


def test_settings_that_distort_are_named(run):
    _, by_name = check(run, "--db", "sqlite:a.db?synchronous=off")
    assert by_name["synchronous"]["warning"] is True
    assert by_name["synchronous"]["value"] == "off"


def test_too_few_open_files_are_seen(dyno):
    result = dyno.run("check", "-u", 300, prefix=("prlimit", "--nofile=256"))
    assert result.code == 0, result.err
    assert "open_files (256 allowed): each connection needs one" in result.out


def test_the_text_has_all_findings(run):
    result = run("check", "--db", "noop:")
    assert result.code == 0
    assert result.err == ""
    for name in MACHINE | {"target"}:
        assert f"\n  {name}" in result.out


@pytest.mark.parametrize("args, why", [
    (("surplus",), "one argument too many"),
    (("--format", "xml"), "xml"),
    (("--vus", "0"), "--vus"),
])
def test_wrong_usage_is_said(run, args, why):
    result = run("check", *args)
    assert result.code == 2
    assert why in result.err


def test_a_target_that_cannot_be_asked_is_an_error(run):
    result = run("check", "--db", "postgres:host=/nowhere")
    assert result.code == 1
    assert "cores" in result.out
    assert "not asked" in result.out
    assert "/nowhere" in result.err


def test_a_run_keeps_what_was_found_before_it(run):
    args = ("run", "ping", "--db", "sqlite:a.db?synchronous=off",
            "--iterations", 10, "-u", 1, "-q")
    d = json.loads(run(*args, "--format", "json").out)
    by_name = {f["name"]: f for f in d["preflight"]}
    assert by_name["synchronous"]["warning"] is True
    assert {"cores", "clock", "call", "results_disk"} <= set(by_name)
    # Before a run nothing is written.
    assert "commit" not in by_name
    text = run(*args).out
    assert "Found before the run" in text
    assert "synchronous (off): nothing waits for the disk" in text
