# SPDX-License-Identifier: MIT
"""Runs that were killed, or whose disk was full: nothing but the last
interval is lost."""
import json
import os
import shutil
import signal
import subprocess

import jsonschema
import pytest

from conftest import ROOT, query, wait_until

LONG = ("run", "tpcc", "--db", "noop:", "-t", "60s", "--ramp-up", "0.2s",
        "--interval", "100ms", "--audit", "off", "-u", "2", "--progress", "0")


def intervals(path, phase="measure"):
    """How many are committed; 0 while there is no store."""
    try:
        return query(path, "SELECT count(*) FROM intervals WHERE phase = "
                           f"'{phase}'")[0][0]
    except Exception:  # not there yet, or only half of it
        return 0


def start_and_measure(dyno, *args, path=None, n=5):
    path = path or dyno.dir / "dyno-results" / "dyno.db"
    process = dyno.start(*LONG, *args)
    wait_until(lambda: intervals(path) >= n or process.poll() is not None,
               "intervals are stored")
    assert process.poll() is None, process.communicate()
    return process


def test_a_killed_run_is_kept_up_to_its_last_interval(dyno):
    process = start_and_measure(dyno, "--name", "mine", "--label", "a=b")
    process.kill()
    dyno.finish(process)
    kept = query(dyno.dir / "dyno-results" / "dyno.db",
                 "SELECT begin_us, length_us FROM intervals WHERE phase = "
                 "'measure' ORDER BY number")
    assert len(kept) >= 5
    # Without a gap; how late each cut came is the machine's affair.
    assert [begin for begin, _ in kept[1:]] == pytest.approx(
        [begin + length for begin, length in kept[:-1]], abs=1)
    listed = json.loads(dyno.run("runs", "list", "--format", "json").out)[0]
    assert listed["status"] == "partial"
    assert "killed" in listed["reason"]
    assert listed["valid"] is False
    assert listed["tps"] > 0 and listed["nopm"] > 0
    shown = dyno.run("runs", "show", "mine")
    assert shown.code == 0
    assert "mine: NOT VALID, ended early" in shown.out
    assert "ended early: dyno ended without finishing it" in shown.out
    assert "New-Order" in shown.out and "vus" in shown.out
    summary = json.loads(dyno.run("runs", "show", "mine", "--format",
                                  "json").out)
    assert summary["run"]["status"] == "partial"
    assert summary["settings"]["vus"] == {"value": "2",
                                          "source": "command line"}
    assert summary["run"]["interval_s"] == pytest.approx(
        sum(length for _, length in kept) / 1e6, abs=1e-6)
    assert summary["transactions"]["payment"]["committed"] > 0
    assert summary["transactions"]["payment"]["response_us"]["p99"] > 0
    assert summary["invalid_reasons"] == ["window_incomplete"]
    assert summary["client"]["rss_peak_bytes"] is None
    jsonschema.validate(summary, json.loads(
        (ROOT / "docs" / "summary.schema.json").read_text()))


def test_a_run_that_goes_on_can_be_looked_at_and_not_removed(dyno):
    process = start_and_measure(dyno)
    listed = json.loads(dyno.run("runs", "list", "--format", "json").out)
    assert [run["status"] for run in listed] == ["running"]
    shown = dyno.run("runs", "show", "latest")
    assert "the run goes on" in shown.out
    removed = dyno.run("runs", "rm", "latest", "--yes")
    assert removed.code == 1
    assert "goes on and is not removed" in removed.err
    process.send_signal(signal.SIGINT)
    assert dyno.finish(process).code == 5
    listed = json.loads(dyno.run("runs", "list", "--format", "json").out)[0]
    assert (listed["status"], listed["reason"]) == ("partial",
                                                    "ended by signal 2")


# ---- a full disk ----

@pytest.fixture
def small_disk(dyno, request):
    """A file system of 4 MB, or as many as asked for, mounted in the test's
    folder."""
    path = dyno.dir / "small"
    path.mkdir()
    if os.geteuid() != 0:
        pytest.skip("mounting needs root")
    size = getattr(request, "param", 4)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}m", "tmpfs", path],
        capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("cannot mount here: " + mounted.stderr.strip())
    yield path
    dyno.stop_all()
    subprocess.run(["umount", "-l", path], check=True)


def fill(folder):
    """Takes all room that is left."""
    path = folder / "filler"
    with open(path, "wb", buffering=0) as f:
        try:
            while True:
                f.write(b"x" * 4096)
        except OSError:
            pass
    return path


def test_a_run_goes_on_when_its_disk_is_full(dyno, small_disk):
    path = small_disk / "dyno.db"
    process = start_and_measure(dyno, "--results", small_disk, "--name",
                                "mine", path=path)
    fill(small_disk)
    # It may write into what its log has room for already, for a while.
    line = process.stderr.readline()
    while "goes on" not in line:
        assert line, "it ended"
        line = process.stderr.readline()
    stored = intervals(path)
    assert stored >= 5
    process.send_signal(signal.SIGINT)
    result = dyno.finish(process)
    assert result.code == 5, result.err
    assert "mine: NOT VALID, ended early" in result.out
    shown = dyno.run("runs", "show", "mine", "--results", small_disk)
    assert shown.code == 0, shown.err
    assert "mine: NOT VALID, ended early" in shown.out
    assert intervals(path) >= stored
    assert query(path, "PRAGMA integrity_check") == [("ok",)]


def test_what_waits_for_a_full_disk_leaves_the_end_its_room(dyno, small_disk):
    path = small_disk / "dyno.db"
    process = start_and_measure(dyno, "--results", small_disk, "--name",
                                "mine", "--progress", "1s", path=path)
    fill(small_disk)
    wait_until(lambda: "goes on" in process.stderr.readline(),
               "the full disk is noticed")
    stored = intervals(path)
    # Meanwhile more waits than what is set aside could hold as a log.
    for _ in range(3):
        assert "measure" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    result = dyno.finish(process)
    assert result.code == 5, result.err
    assert "is not stored" not in result.err
    listed = json.loads(dyno.run("runs", "list", "--results", small_disk,
                                 "--format", "json").out)[0]
    assert (listed["status"], listed["reason"]) == ("partial",
                                                    "ended by signal 2")
    numbers = [n for n, in query(path, "SELECT number FROM intervals ORDER "
                                       "BY number")]
    assert len(numbers) > stored and numbers == list(range(len(numbers)))
    shown = dyno.run("runs", "show", "mine", "--results", small_disk)
    assert "Accounting" in result.out and shown.out == result.out


def test_runs_on_a_read_only_disk_can_be_read(dyno, small_disk):
    made = dyno.run(*LONG, "-t", "200ms", "--results", small_disk, "--name",
                    "mine")
    assert made.code == 0, made.err
    exported = dyno.run("runs", "export", "mine", "--results", small_disk,
                        "-o", small_disk / "100%20?#.dyno")
    assert exported.code == 0, exported.err
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    shown = dyno.run("runs", "show", "mine", "--results", small_disk)
    assert (shown.code, shown.out, shown.err) == (0, made.out, "")
    imported = dyno.run("runs", "import", small_disk / "100%20?#.dyno",
                        "--results", "other")
    assert imported.code == 0, imported.err
    removed = dyno.run("runs", "rm", "mine", "--yes", "--results", small_disk)
    assert removed.code == 1 and "small/dyno.db" in removed.err


def test_a_full_disk_and_a_kill_leave_what_was_stored(dyno, small_disk):
    path = small_disk / "dyno.db"
    process = start_and_measure(dyno, "--results", small_disk, path=path)
    filler = fill(small_disk)
    wait_until(lambda: "goes on" in process.stderr.readline(),
               "the full disk is noticed")
    process.kill()
    dyno.finish(process)
    shown = dyno.run("runs", "show", "latest", "--results", small_disk)
    assert shown.code == 0, shown.err
    assert "ended early" in shown.out and "New-Order" in shown.out
    filler.unlink()
    listed = json.loads(dyno.run("runs", "list", "--results", small_disk,
                                 "--format", "json").out)[0]
    assert listed["status"] == "partial"


def test_a_disk_that_has_room_again_is_written_again(dyno, small_disk):
    path = small_disk / "dyno.db"
    process = start_and_measure(dyno, "--results", small_disk, "--name",
                                "mine", path=path)
    filler = fill(small_disk)
    wait_until(lambda: "goes on" in process.stderr.readline(),
               "the full disk is noticed")
    filler.unlink()
    wait_until(lambda: "written again" in process.stderr.readline(),
               "the room is noticed")
    process.send_signal(signal.SIGINT)
    assert dyno.finish(process).code == 5
    numbers = [n for n, in query(path, "SELECT number FROM intervals ORDER "
                                       "BY number")]
    assert numbers == list(range(len(numbers)))


def test_a_folder_that_is_full_from_the_start_is_refused(dyno, small_disk):
    fill(small_disk)
    result = dyno.run(*LONG, "--results", small_disk)
    assert result.code == 1
    assert "small" in result.err
    assert result.out == ""


@pytest.mark.parametrize("small_disk", [120], indirect=True)
def test_a_database_on_a_full_disk_says_how_to_be_rid_of_it(dyno, small_disk,
                                                            loaded):
    shutil.copyfile(loaded, small_disk / "w1.sqlite")
    fill(small_disk)
    result = dyno.run("drop", "tpcc", "--db", "sqlite:small/w1.sqlite")
    assert (result.code, result.out) == (1, "")
    assert "the disk is full" in result.err
    assert "beside it (-wal, -shm)" in result.err
