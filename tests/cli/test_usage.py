# SPDX-License-Identifier: MIT
"""Help, usage, and what is wrong with a command line."""
import pytest

COMMANDS = ["run", "load", "audit", "drop", "exec", "baseline", "drivers",
            "workloads"]
DATA_COMMANDS = ["run", "load", "audit", "drop"]


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_of_eighty_columns_on_stdout(dyno, command):
    result = dyno.run(command, "--help")
    assert result.code == 0
    assert result.err == ""
    assert result.out.startswith(f"usage: dyno {command}")
    assert "--quiet" in result.out
    assert [line for line in result.out.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("command", DATA_COMMANDS)
def test_help_shows_the_scale_before_a_workload_is_named(dyno, command):
    assert "--warehouses N" in dyno.run(command, "--help").out


def test_help_lists_every_command(dyno):
    for flag in ("--help", "-h", "help"):
        result = dyno.run(flag)
        assert (result.code, result.err) == (0, "")
        for command in COMMANDS:
            assert f"\n  {command} " in result.out


def test_no_arguments_are_wrong_usage_and_show_how(dyno):
    result = dyno.run()
    assert (result.code, result.out) == (2, "")
    assert "usage: dyno COMMAND" in result.err
    assert "dyno run tpcc" in result.err


def test_version_is_a_line_with_a_number(dyno):
    result = dyno.run("--version")
    assert (result.code, result.err) == (0, "")
    name, version = result.out.split()
    assert name == "dyno"
    assert version.count(".") == 2


def test_drivers_and_workloads_are_listed(dyno):
    result = dyno.run("drivers")
    assert result.code == 0
    assert "sqlite:FILE" in result.out and "noop:" in result.out
    result = dyno.run("workloads")
    assert result.code == 0
    assert "tpcc" in result.out and "New-Order" in result.out


WRONG = [
    (["ru"], "unknown command 'ru'; did you mean 'run'?"),
    (["frobnicate"], "unknown command 'frobnicate'; 'dyno --help'"),
    (["run"], "which workload? write 'dyno run tpcc'"),
    (["load"], "which workload? write 'dyno load tpcc'"),
    (["audit"], "which workload?"),
    (["drop"], "which workload?"),
    (["run", "-w", "1"], "which workload?"),
    (["run", "tpc", "-w", "1"], "unknown workload 'tpc'; did you mean 'tpcc'"),
    (["run", "tpcc", "more"], "'more' is one argument too many"),
    (["drivers", "more"], "'more' is one argument too many"),
    (["run", "tpcc", "--vuss", "3"],
     "unknown option '--vuss'; did you mean '--vus'?"),
    (["load", "tpcc", "--replce"], "did you mean '--replace'?"),
    (["run", "tpcc", "-Z"], "unknown option '-Z'"),
    (["run", "tpcc", "--vus"], "--vus needs a value"),
    (["run", "tpcc", "--vus", "abc"], "--vus: 'abc' is not a whole number"),
    (["run", "tpcc", "--vus", "0"], "--vus: 0 is not in 1..100000"),
    (["run", "tpcc", "--seed", "-1"], "--seed: '-1' is negative"),
    (["run", "tpcc", "-t", "5x"], "--duration: '5x' is not a time"),
    (["run", "tpcc", "--on-error", "contine"], "did you mean 'continue'?"),
    (["run", "tpcc", "--home", "fixd"], "did you mean 'fixed'?"),
    (["run", "tpcc", "--format", "jsn"], "did you mean 'json'?"),
    (["audit", "tpcc", "--audit", "ful"], "did you mean 'full'?"),
    (["run", "tpcc", "--max-failed", "2"], "--max-failed: 2 is not in 0..1"),
    (["run", "tpcc", "--mix", "new_oder=1"], "did you mean 'new_order'"),
    (["run", "tpcc", "--mix", "new_order=0"], "--mix: all shares are 0"),
    (["run", "tpcc", "--composition", "litral"], "literal"),
    (["run", "tpcc", "--db", "sqlit:x"], "did you mean 'sqlite:'?"),
    (["run", "tpcc", "--db", "sqlite:x?syncronous=off"],
     "did you mean 'synchronous'?"),
    (["run", "tpcc", "--db", "sqlite:x?synchronous=of"],
     "did you mean 'off'?"),
    (["run", "tpcc", "--name", "a/b"], "holds a '/'"),
    (["run", "tpcc", "--name", ""], "the name of the run is empty"),
    (["run", "tpcc", "--name", ".x"], "begins with a dot"),
    (["exec"], "nothing to execute"),
]


@pytest.mark.parametrize("args, message", WRONG,
                         ids=[" ".join(args) for args, _ in WRONG])
def test_wrong_usage_names_the_right_one_and_makes_nothing(dyno, args,
                                                           message):
    result = dyno.run(*args)
    assert result.code == 2, result.err
    assert result.out == ""
    assert message in result.err
    assert result.err.count("\n") == 1
    # At most an empty results folder.
    assert [p for p in dyno.dir.rglob("*") if p.is_file()] == []


@pytest.mark.parametrize("args", [
    ("run", "ping", "postgres://u:sesame@h/x"),
    ("run", "postgres://u:sesame@h/x"),
    ("postgres://u:sesame@h/x",),
    ("run", "ping", "--db", "postgres//u:sesame@h/d"),
    ("run", "ping", "--db", "u:sesame@h"),
    ("run", "ping", "--db", "postgres://u:sesame"),
])
def test_a_password_in_the_wrong_place_is_not_printed(dyno, args):
    result = dyno.run(*args)
    assert result.code in (1, 2)
    assert "sesame" not in result.out + result.err


def test_the_workload_comes_before_values_that_look_like_one(dyno):
    result = dyno.run("run", "--name", "tpcc", "ping")
    assert result.code == 2
    assert "write the workload before the options" in result.err


def test_a_variable_that_is_no_value_is_named(dyno):
    result = dyno.run("run", "tpcc", "--db", "noop:", env={"DYNO_VUS": "abc"})
    assert (result.code, result.out) == (2, "")
    assert "DYNO_VUS: 'abc' is not a whole number" in result.err


def test_an_unknown_key_is_named_with_its_line_and_the_nearest(dyno):
    (dyno.dir / "c.yaml").write_text("# settings\nduration: 1s\nvuss: 3\n")
    result = dyno.run("run", "tpcc", "--config", "c.yaml")
    assert (result.code, result.out) == (2, "")
    assert "c.yaml:3: unknown key 'vuss'; did you mean 'vus'?" in result.err


def test_a_config_file_that_is_missing_is_named(dyno):
    result = dyno.run("run", "tpcc", "--config", "none.yaml")
    assert (result.code, result.out) == (1, "")
    assert "cannot open 'none.yaml': No such file" in result.err


def test_baseline_prints_a_line_for_each_number_of_threads(dyno):
    result = dyno.run("baseline", "-t", "200ms", "--threads", "2")
    assert result.code == 0, result.err
    lines = [line.split() for line in result.out.splitlines()]
    rows = [row for row in lines if row and row[0].isdigit()]
    assert [row[0] for row in rows] == ["1", "2"]
    for row in rows:
        assert int(row[1].replace(",", "")) > 0
        assert int(row[2].replace(",", "")) > 0
    assert not (dyno.dir / "dyno-results").exists()
