# SPDX-License-Identifier: MIT
"""Targets that cannot be used, and folders that cannot be written: each gets a
clear error, and nothing is lost or left behind."""
import os
import subprocess

import pytest

from conftest import query, size_of, wait_until

DATA_COMMANDS = ["run", "load", "audit", "drop"]


def files_in(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*")
                  if p.is_file())


def refused(result, *messages):
    assert result.code == 1, result.err
    assert result.out == ""
    for message in messages:
        assert message in result.err


# ---- files ----

@pytest.mark.parametrize("command", DATA_COMMANDS)
def test_a_file_that_is_no_database_is_refused_and_kept(dyno, command):
    path = dyno.dir / "letter.txt"
    text = "Dear reader, this is a letter and not a database.\n" * 20
    path.write_text(text)
    result = dyno.run(command, "tpcc", "--db", "sqlite:letter.txt")
    refused(result, "'letter.txt' is not an SQLite database")
    assert path.read_text() == text
    assert files_in(dyno.dir) == ["letter.txt"]


def test_a_directory_is_no_database(dyno):
    (dyno.dir / "folder").mkdir()
    refused(dyno.run("run", "tpcc", "--db", "sqlite:folder"),
            "'folder' is a directory")
    assert files_in(dyno.dir) == []


def test_a_missing_folder_is_named(dyno):
    refused(dyno.run("run", "tpcc", "--db", "sqlite:none/x.sqlite"),
            "'none/x.sqlite'", "No such file or directory")
    assert files_in(dyno.dir) == []


def bound_by_permissions():
    """What to put before a command so that permissions hold for root too."""
    if os.geteuid() != 0:
        return []
    prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    try:
        subprocess.run([*prefix, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("root, and its capabilities cannot be given up here")
    return prefix


def test_a_file_that_cannot_be_written_is_refused(dyno, loaded):
    loaded.chmod(0o444)
    result = dyno.run("run", "tpcc", "--db", "sqlite:w1.sqlite",
                      prefix=bound_by_permissions())
    refused(result, "'w1.sqlite' is not writable: Permission denied")
    assert files_in(dyno.dir) == ["w1.sqlite"]


def test_a_folder_that_cannot_be_written_is_refused(dyno):
    folder = dyno.dir / "locked"
    folder.mkdir(0o555)
    result = dyno.run("run", "tpcc", "--db", "sqlite:locked/x.sqlite",
                      prefix=bound_by_permissions())
    refused(result, "locked' is not writable: Permission denied")
    assert files_in(dyno.dir) == []


def test_a_results_folder_is_tried_before_anything_is_loaded(dyno):
    folder = dyno.dir / "locked"
    folder.mkdir(0o555)
    result = dyno.run("run", "tpcc", "--db", "sqlite:x.sqlite", "--results",
                      "locked", prefix=bound_by_permissions())
    refused(result, "cannot write in results folder 'locked'")
    (dyno.dir / "file").touch()
    for name in ("file", "file/below"):
        refused(dyno.run("run", "tpcc", "--db", "sqlite:x.sqlite",
                         "--results", name),
                f"results folder '{name}': Not a directory")
    assert files_in(dyno.dir) == ["file"]


# ---- what the database holds ----

@pytest.mark.parametrize("args", [
    ["run", "tpcc"], ["load", "tpcc"], ["load", "tpcc", "--replace"],
    ["audit", "tpcc"], ["drop", "tpcc"]], ids=" ".join)
def test_tables_of_another_tool_are_never_touched(dyno, args):
    path = dyno.dir / "shop.sqlite"
    query(path, "CREATE TABLE customer (name)")
    query(path, "INSERT INTO customer VALUES ('Ada')")
    refused(dyno.run(*args, "--db", "sqlite:shop.sqlite"),
            "table 'customer' exists and was not created by dyno")
    assert query(path, "SELECT name, sql FROM sqlite_master") == [
        ("customer", "CREATE TABLE customer (name)")]
    assert query(path, "SELECT * FROM customer") == [("Ada",)]


def test_data_of_another_scale_is_refused_with_what_to_do(dyno, loaded):
    before = size_of(loaded)
    for command in ("run", "load", "audit"):
        args = ["-w", "2"]
        refused(dyno.run(command, "tpcc", "--db", "sqlite:w1.sqlite", *args),
                "'sqlite:w1.sqlite' holds 1 warehouse", "not 2",
                "leave the number out", "--replace")
    assert size_of(loaded) == before
    assert query(loaded, "SELECT count(*) FROM warehouse") == [(1,)]


def test_data_that_lacks_a_table_is_refused(dyno, loaded):
    query(loaded, "ALTER TABLE order_line RENAME TO hidden")
    refused(dyno.run("run", "tpcc", "--db", "sqlite:w1.sqlite"),
            "table 'order_line' is missing", "--replace'")


def test_a_load_that_was_killed_is_named_and_can_be_replaced(dyno):
    db = ("--db", "sqlite:x.sqlite")
    process = dyno.start("load", "tpcc", "-w", "2", *db)
    wait_until(lambda: size_of(dyno.dir / "x.sqlite") > 5 << 20,
               "rows are written")
    process.kill()
    dyno.finish(process)
    for command in ("run", "audit", "load"):
        refused(dyno.run(command, "tpcc", *db),
                "the load of 'sqlite:x.sqlite' did not end",
                "dyno drop tpcc", "--replace'")
    result = dyno.run("load", "tpcc", "-w", "1", "--replace", *db)
    assert result.code == 0, result.err
    assert "Audit (full)\n  passed " in result.out
    assert "failed" not in result.out
    assert query(dyno.dir / "x.sqlite",
                 "SELECT count(*) FROM warehouse") == [(1,)]


def test_a_load_that_was_killed_can_be_dropped(dyno):
    db = ("--db", "sqlite:x.sqlite")
    process = dyno.start("load", "tpcc", *db)
    wait_until(lambda: size_of(dyno.dir / "x.sqlite") > 5 << 20,
               "rows are written")
    process.kill()
    dyno.finish(process)
    result = dyno.run("drop", "tpcc", *db)
    assert (result.code, result.out) == (0, "")
    assert query(dyno.dir / "x.sqlite", "SELECT * FROM sqlite_master") == []


# ---- full disks ----

@pytest.fixture
def small_disk(dyno):
    """A function that mounts a small file system; unmounted at the end."""
    folder = dyno.dir / "small"

    def mount(mebibytes):
        folder.mkdir()
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs",
             folder], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"no small file system: {done.stderr.strip()}")
        return folder

    yield mount
    if os.path.ismount(folder):
        subprocess.run(["umount", "-l", folder], check=False)


@pytest.mark.parametrize("command", ["load", "run"])
def test_a_disk_that_fills_up_while_loading_is_left_empty(dyno, small_disk,
                                                          command):
    folder = small_disk(20)
    result = dyno.run(command, "tpcc", "--db", "sqlite:small/x.sqlite",
                      "--no-disk-check")
    refused(result, "loading 1 warehouse", "disk is full",
            "what was loaded so far has been removed")
    assert files_in(folder) == []


def test_a_limit_on_the_size_of_files_is_an_error_like_a_full_disk(dyno):
    result = dyno.run("load", "tpcc", "--db", "sqlite:x.sqlite",
                      prefix=["prlimit", "--fsize=20000000"])
    refused(result, "what was loaded so far has been removed")
    assert files_in(dyno.dir) == []


def test_a_disk_that_fills_up_while_running_ends_the_run_in_order(
        dyno, small_disk, loaded):
    folder = small_disk((size_of(loaded) >> 20) + 6)
    path = folder / "x.sqlite"
    path.write_bytes(loaded.read_bytes())
    # The disk guard would not let it come so far.
    d = dyno.summary("--db", "sqlite:small/x.sqlite", "-t", "60s",
                     "--no-disk-check", code=5)
    assert d["valid"] is False
    assert "window_incomplete" in d["invalid_reasons"]
    assert d["run"]["status"] == "partial"
    assert "no space left" in d["run"]["partial_reason"]
    assert d["transactions"]["new_order"]["committed"] > 0
    assert d["accounting"]["new_order"]["difference"] == 0
    assert any(e["class"] == "no_space" for e in d["errors"]), d["errors"]
    assert dyno.stored() == [d["run"]["name"] + ".json"]
    # Not quick_check, which finds NULLs in any table WITHOUT ROWID (3.40).
    assert query(path, "PRAGMA integrity_check") == [("ok",)]


# ---- what the database cannot do ----

@pytest.mark.parametrize("scheme, name", [("sqlite:x.sqlite", "sqlite"),
                                          ("noop:", "noop")])
def test_a_composition_that_the_database_cannot_do_is_refused(dyno, scheme,
                                                              name):
    refused(dyno.run("run", "tpcc", "--db", scheme, "--composition",
                     "pipelined"),
            f"--composition: 'pipelined' needs a pipeline, which {name} has"
            " not; use literal or batched")
    assert files_in(dyno.dir) == []


# ---- two at once ----

def test_a_second_run_on_a_file_is_refused_and_the_first_goes_on(dyno,
                                                                 loaded):
    first = dyno.start("run", "tpcc", "--db", "sqlite:w1.sqlite", "-t", "60s",
                       "--ramp-up", "0", "--audit", "quick")
    wait_until(lambda: size_of(dyno.dir / "w1.sqlite-wal") > 1 << 20,
               "the first run writes")
    for command in DATA_COMMANDS:
        result = dyno.run(command, "tpcc", "--db", "sqlite:w1.sqlite")
        refused(result, "'w1.sqlite' is in use by another dyno",
                f"(pid {first.pid})")
    assert first.poll() is None
    first.send_signal(2)
    result = dyno.finish(first)
    assert result.code == 5, result.err
    assert "audit_failed" not in result.out
    assert "difference 0" in " ".join(result.out.split())
    assert dyno.stored() == ["001_sqlite_s1_v4_c4.json"]
