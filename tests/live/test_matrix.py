# SPDX-License-Identifier: MIT
"""dyno matrix with servers of dyno's own."""
import glob
import json
import os
import sqlite3
import subprocess
import tempfile
from pathlib import Path

import pytest

from conftest import wait_until

PLAN = """
servers:
  pg: {kind: postgres, preset: nosync}
  maria: {kind: mariadb, preset: nosync}
axes:
  composition: [procs, batched]
  server: [pg, maria]
exclude:
  - {composition: batched, server: maria}
vus: 2
iterations: 60
ramp_up: 0
"""


@pytest.fixture
def base(dyno):
    """The folder of servers; nothing but snapshots may be left in it.

    Not below pytest's own, which other users may not enter.
    """
    with tempfile.TemporaryDirectory(prefix="dyno-mx.", dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        dyno.env["DYNO_SERVERS"] = folder
        yield Path(folder)
        nothing_left(Path(folder))


def processes_below(folder):
    """Those that name it on their command line."""
    found = []
    for name in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(name, "rb") as f:
                if os.fsencode(folder) in f.read():
                    found.append(name)
        except OSError:
            pass
    return found


def servers_in(folder):
    return [path.name for path in folder.iterdir()
            if path.is_dir() and path.name != ".snapshots"]


def nothing_left(folder):
    assert not servers_in(folder)
    assert not processes_below(folder)


def summaries(dyno):
    folder = dyno.dir / "dyno-results"
    return {path.name: path.read_text()
            for path in sorted(folder.glob("*.json"))}


def test_kill_with_a_server_at_work_then_resume(dyno, base):
    (dyno.dir / "plan.yaml").write_text(PLAN + """
hooks:
  before: 'test "$MATRIX_NUMBER" != 2 || test -e go || sleep 60'
""", encoding="utf-8")
    journal = dyno.dir / "dyno-results" / "matrix" / "plan" / "journal"
    process = dyno.start("matrix", "plan.yaml")
    # The hook has the server of the second run before it.
    wait_until(lambda: process.poll() is not None or (
        journal.exists() and "begin 2" in journal.read_text()
        and (base / "plan-maria" / "data").exists()), "the second server", 300)
    second = dyno.run("matrix", "plan.yaml")
    assert second.code == 1
    assert "another dyno is at work on server 'plan-" in second.err
    process.kill()
    dyno.finish(process)
    wait_until(lambda: not processes_below(base), "no server")
    first = summaries(dyno)
    assert [name[:6] for name in first] == ["001_pg"]

    (dyno.dir / "go").touch()
    result = dyno.run("matrix", "plan.yaml", "--resume", timeout=300)
    assert result.code in (0, 3), result.err
    after = summaries(dyno)
    assert [name.split("_")[:2] for name in after] == [
        ["001", "pg"], ["002", "maria"], ["003", "pg"]]
    assert first.items() <= after.items()
    for text in after.values():
        summary = json.loads(text)
        # A run this short may lack data for an audit, and nothing else.
        assert summary["valid"], summary["invalid_reasons"]
        # Nor is there time for two looks at the server's processes.
        processes = summary["server"]["processes"]
        assert not processes or processes["name"] in ("postgres", "mariadbd")


@pytest.fixture
def small(base):
    """The same on a file system of 500 MB."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=500m,mode=755", "tmpfs",
         str(base)], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    yield base
    try:
        nothing_left(base)
    finally:
        subprocess.run(["umount", "-l", str(base)], check=False)


def test_what_has_no_room_is_refused_and_the_next_one_runs(dyno, small):
    text = """
servers:
  pg: {kind: postgres, preset: nosync, settings: {max_wal_size: 64MB,
       min_wal_size: 32MB}}
axes: {warehouses: [40, 1]}
vus: 2
iterations: 100
ramp_up: 0
"""
    (dyno.dir / "plan.yaml").write_text(text, encoding="utf-8")
    result = dyno.run("matrix", "plan.yaml", timeout=300)
    assert result.code == 1
    assert "- run 1 (warehouses=40): failed: load: the disk is too small: " \
        "40 warehouses would take about " in result.out
    with sqlite3.connect(dyno.dir / "dyno-results" / "dyno.db") as store:
        assert store.execute("SELECT name, valid FROM runs").fetchall() == [
            ("001_pg_s1_v2_c2", 1)]

    text = text.replace("[40, 1]", "[40, 50]")
    (dyno.dir / "none.yaml").write_text(text, encoding="utf-8")
    result = dyno.run("matrix", "none.yaml", timeout=60)
    assert (result.code, result.out) == (1, "")
    assert "the disk is too small for even one of the runs" in result.err


def test_a_run_that_fills_the_disk_is_ended_and_the_next_one_runs(
        dyno, small):
    """Binary logs are purged between the two."""
    (dyno.dir / "plan.yaml").write_text("""
workload: kv
servers:
  maria: {kind: mariadb, preset: nosync, settings: {log_bin: binlog,
          innodb_log_file_size: 32M}}
axes: {iterations: [1000000000, 100]}
records: 100
data: kept
vus: 2
ramp_up: 0
hooks:
  before: sh logs.sh before
  after: sh logs.sh after
""", encoding="utf-8")
    (dyno.dir / "logs.sh").write_text("""
if test "$1$MATRIX_NUMBER" = after1; then
    until test -e filled; do sleep 0.1; done
    rm "$DYNO_SERVERS/filler"
fi
"$DYNO" exec --db "$DYNO_DB" --format csv 'SHOW BINARY LOGS' \
    > "$1$MATRIX_NUMBER"
""", encoding="utf-8")
    process = dyno.start("matrix", "plan.yaml", env={"DYNO": str(dyno.bin)})
    results = dyno.dir / "dyno-results" / "dyno.db"
    wait_until(lambda: process.poll() is not None or (
        results.exists() and "running" in dyno.run("runs", "list").out),
               "the first run", 300)
    free = os.statvfs(small)
    with open(small / "filler", "wb") as other:
        os.posix_fallocate(other.fileno(), 0,
                           free.f_bavail * free.f_frsize - (30 << 20))
    (dyno.dir / "filled").touch()
    result = dyno.finish(process, timeout=300)
    assert result.code == 5, result.err
    assert "- run 1 (iterations=1000000000): ended early: ended by the disk " \
        "guard: " in result.out
    with sqlite3.connect(results) as store:
        assert store.execute("SELECT name, status, valid FROM runs").fetchall(
            ) == [("001_maria_s100_v2_c2", "partial", 0),
                  ("002_maria_s100_v2_c2", "complete", 1)]

    def logs(when):
        """Name and size of each."""
        return [line.split(",") for line in
                (dyno.dir / when).read_text().splitlines()[1:]]
    assert len(logs("before2")) == 1
    assert int(logs("before2")[0][1]) < 1000 < int(logs("after1")[-1][1])
    assert logs("before2")[0][0] > logs("after1")[-1][0]
