# SPDX-License-Identifier: MIT
"""What cannot be is refused before anything is made, and leaves nothing."""
import json

import pytest

from conftest import query

RUN = ("run", "tpcc", "--db", "noop:", "-t", "1s")


@pytest.mark.parametrize("args, words", [
    # What a database lacks is one kind of mistake, whichever option it is.
    (("--composition", "procs"), "--composition: 'procs' is not available on"),
    (("--isolation", "read-committed"), "--isolation: sqlite has no level"),
    (("--statement-timeout", "1s"), "--statement-timeout is not available"),
    (("--no-prepare",), "--no-prepare: sqlite always prepares"),
    (("--foreign-keys",), "--foreign-keys is not available on sqlite"),
    (("--create-database",), "--create-database: databases of sqlite"),
    (("-t", "1s", "--threshold", "tpm>1@10s"),
     "the window of 'tpm>1@10s' is longer than the whole measurement interval"
     " of 1s"),
    (("--stages", "1s:1,2s:2", "--threshold", "tpm>1@10s"), "interval of 3s"),
    # "dyno runs rm 12" removes this run or the twelfth.
    (("--name", "12"), "'12' would be mistaken for the number of a run"),
    (("--name", "latest"), "'latest' would be mistaken for whichever run"),
    # It could not be in a JSON file, and nobody could ask for it again.
    (("--name", "a\udcff"), "the name of the run is not valid UTF-8"),
])
def test_it_is_wrong_usage_and_no_file_is_left(dyno, args, words):
    result = dyno.run("run", "tpcc", "--db", "sqlite:x.sqlite", *args)
    assert (result.code, result.out) == (2, "")
    assert words in result.err
    assert not list(dyno.dir.glob("x.sqlite*"))


def test_a_window_fits_a_run_that_is_counted(dyno):
    result = dyno.run("run", "ping", "--db", "noop:", "--iterations", 100,
                      "--threshold", "tps>1@100s", "--format", "json")
    assert json.loads(result.out)["thresholds"][0]["passed"] is False


def test_a_name_of_digits_and_others_is_a_name(dyno):
    result = dyno.run("run", "ping", "--db", "noop:", "--iterations", 100,
                      "--name", "12a")
    assert result.code == 0, result.err


def test_more_users_than_stacks_can_be_is_said_at_once(dyno):
    with open("/proc/sys/vm/max_map_count") as f:
        if int(f.read()) > 200_000:
            pytest.skip("this kernel has room for 100000 users")
    result = dyno.run(*RUN, "-u", 100_000)
    assert (result.code, result.out) == (1, "")
    assert "100000 users are more than the" in result.err
    assert "vm.max_map_count" in result.err
    assert "ramp-up" not in result.err


def test_help_for_a_workload_that_is_not_there_is_no_help(run):
    result = run("run", "nothing", "--help")
    assert (result.code, result.out) == (2, "")
    assert "unknown workload 'nothing'" in result.err
    assert run("run", "--help").code == 0


def test_runs_are_not_listed_by_half_a_label(dyno):
    assert dyno.run("run", "ping", "--db", "noop:", "--iterations", 100,
                    "--label", "k=v").code == 0
    result = dyno.run("runs", "list", "--label", "k")
    assert (result.code, result.out) == (2, "")
    assert "--label: 'k' is not KEY=VALUE" in result.err
    assert "noop" in dyno.run("runs", "list", "--label", "k=v").out


def test_a_workload_without_data_leaves_no_file(dyno):
    result = dyno.run("load", "ping", "--db", "sqlite:p.sqlite")
    assert result.code == 0
    assert "needs no data" in result.err
    assert not (dyno.dir / "p.sqlite").exists()


def test_a_load_goes_on_with_its_own_seed(dyno, loaded):
    query(loaded, "UPDATE dyno_tpcc SET value = 'loading' WHERE name ="
                  " 'state'")
    result = dyno.run("load", "tpcc", "--db", f"sqlite:{loaded}", "--continue",
                      "--seed", 7)
    assert (result.code, result.out) == (1, "")
    assert "--continue: the load that did not end is of seed 1, not 7" in \
        result.err


def test_there_is_nothing_to_go_on_with_in_complete_data(dyno, loaded):
    result = dyno.run("load", "tpcc", "--db", f"sqlite:{loaded}", "--continue")
    assert (result.code, result.out) == (0, "")
    assert "is complete, there is nothing to go on with" in result.err


def test_data_is_verified_with_its_own_seed(dyno, loaded):
    result = dyno.run("load", "tpcc", "--db", f"sqlite:{loaded}", "--verify",
                      "--seed", 7)
    assert (result.code, result.out) == (1, "")
    assert "--verify: the data is of seed 1, not 7" in result.err


def test_data_whose_removal_did_not_end_is_no_load_to_go_on_with(dyno, loaded):
    query(loaded, "UPDATE dyno_tpcc SET value = 'dropping' WHERE name ="
                  " 'state'")
    for command in ("load", "run", "audit"):
        result = dyno.run(command, "tpcc", "--db", f"sqlite:{loaded}")
        assert result.code == 1
        assert "is not complete (tables were being removed)" in result.err
        assert "--continue" not in result.err


def test_a_folder_of_files_is_left_to_the_user(dyno):
    folder = dyno.dir / "rows"
    folder.mkdir()
    (folder / "mine").write_text("")
    result = dyno.run("load", "tpcc", "--db", "csv:rows", "-q")
    assert result.code == 1
    assert "is not empty: it holds 'mine'; name another one" in result.err
    # Not what "dyno drop" and --replace would refuse in turn.
    for word in ("drop", "--replace", "--continue"):
        assert word not in result.err
    for option in ("--replace", "--continue"):
        result = dyno.run("load", "tpcc", "--db", "csv:rows", option)
        assert result.code == 2
        assert f"{option}: files are neither dropped nor" in result.err
    assert [p.name for p in folder.iterdir()] == ["mine"]


def test_a_question_mark_in_the_name_of_a_file_can_be_written(dyno):
    result = dyno.run("exec", "--db", "sqlite:a%3Fb%25.sqlite", "SELECT 1")
    assert result.code == 0, result.err
    dyno.run("exec", "--db", "sqlite:a%3Fb%25.sqlite", "CREATE TABLE t (i)")
    assert (dyno.dir / "a?b%.sqlite").exists()
    result = dyno.run("exec", "--db", "sqlite:a?b.sqlite", "SELECT 1")
    assert result.code == 2
    assert "a '?' in a name is written %3F" in result.err
