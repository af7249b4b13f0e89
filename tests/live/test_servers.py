# SPDX-License-Identifier: MIT
"""Servers of dyno's own: made, hurt, removed; snapshots; the disk guard."""
import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

from conftest import wait_until

# Of all rows, whatever their order on the disk.
CONTENT = " + ".join(
    f"(SELECT sum(hashtextextended(x::text, 0)::numeric) FROM {table} x)"
    for table in ("warehouse", "district", "customer", "history", "orders",
                  "new_order", "order_line", "item", "stock"))
PASSWORDS = {".password", ".my.cnf", ".pgpass"}
# Small, and quick to begin: the tests are not about speed.
SMALL = {"postgres": ("--preset", "nosync", "--set", "shared_buffers=64MB",
                      "--set", "max_wal_size=96MB",
                      "--set", "min_wal_size=80MB"),
         "mariadb": ("--preset", "stock",
                     "--set", "innodb_log_file_size=32M")}


def processes(base):
    """Of servers in the base."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(base).encode() in path.read_bytes() and \
                    b"dyno\0" not in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            pass
    return found


class Servers:
    """dyno with a folder of servers of the test's own."""

    def __init__(self, dyno, base):
        self.dyno = dyno
        self.base = base
        base.chmod(0o755)
        dyno.env["DYNO_SERVERS"] = str(base)

    def ok(self, *args, timeout=120):
        result = self.dyno.run(*args, timeout=timeout)
        assert result.code == 0, result.err
        return result.out.strip()

    def start(self, kind, *args):
        return self.ok("server", "start", kind, *SMALL[kind], *args)

    def value(self, url, sql):
        return self.ok("exec", "--db", url, "--format", "csv",
                       sql).splitlines()[1]

    def left(self):
        return {name for name in os.listdir(self.base)
                if name != ".snapshots"} - PASSWORDS

    def close(self):
        for name in self.left():
            self.dyno.run("server", "destroy", name)


@pytest.fixture
def servers(dyno):
    folder = Path(tempfile.mkdtemp(prefix="dyno-servers.", dir="/tmp"))
    found = Servers(dyno, folder)
    yield found
    dyno.stop_all()
    found.close()
    assert not processes(folder)
    assert not found.left()
    shutil.rmtree(folder)


@pytest.fixture
def small_disk(dyno, request):
    """500 MiB, or what the test says, as a file system of their own."""
    size = getattr(request, "param", "500m")
    folder = Path(tempfile.mkdtemp(prefix="dyno-small.", dir="/tmp"))
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}",
                           "tmpfs", folder], check=False)
    if done.returncode:
        folder.rmdir()
        pytest.skip("mounting a file system is not permitted")
    found = Servers(dyno, folder)
    yield found
    dyno.stop_all()
    found.close()
    assert not processes(folder)
    assert not found.left()
    subprocess.run(["umount", folder], check=True)
    folder.rmdir()


@pytest.mark.smoke
@pytest.mark.parametrize("kind", ["postgres", "mariadb"])
def test_a_server_starts_stops_keeps_its_data_and_goes(servers, kind):
    url = servers.start(kind)
    pid = int(re.search(r"pid +(\d+)",
                        servers.ok("server", "status", kind)).group(1))
    assert os.geteuid() != 0 or os.stat(f"/proc/{pid}").st_uid != 0
    servers.ok("exec", "--db", url, "CREATE TABLE kept (n int)",
               "INSERT INTO kept VALUES (7)")
    tcp = servers.ok("server", "url", kind, "--tcp")
    assert "127.0.0.1" in tcp and "password" not in tcp
    assert servers.value(tcp, "SELECT n FROM kept") == "7"
    # Nobody without the password.
    assert servers.dyno.run("exec", "--db", tcp.split("?")[0],
                            "SELECT 1").code == 1
    servers.ok("server", "stop", kind)
    assert not processes(servers.base)
    assert "stopped" in servers.ok("server", "list")
    # With other settings, on the same data.
    url = servers.start(kind, "--set", "max_connections=37")
    assert servers.value(url, "SELECT n FROM kept") == "7"
    show = {"postgres": "SELECT current_setting('max_connections')",
            "mariadb": "SELECT @@max_connections"}
    assert servers.value(url, show[kind]) == "37"
    servers.ok("server", "stop", kind)
    # Neither a wrong folder of programs nor a start as it was changes them.
    assert servers.dyno.run("server", "start", kind, "--bindir",
                            servers.base).code == 2
    url = servers.ok("server", "start", kind)
    assert servers.value(url, show[kind]) == "37"
    assert "ready" in servers.ok("server", "log", kind)
    servers.ok("server", "destroy", kind)
    assert not processes(servers.base)
    assert not os.listdir(servers.base)


def test_a_long_name_with_blanks_and_quotes_does(dyno, servers):
    kind = "postgres"
    base = servers.base / "it's a \"long\" one" / ("x" * 120)
    base.mkdir(parents=True)
    deep = Servers(dyno, base)
    base.parent.chmod(0o755)
    url = deep.start(kind)
    try:
        assert deep.value(url, "SELECT 1") == "1"
        assert deep.value(deep.ok("server", "url", kind, "--tcp"),
                          "SELECT 1") == "1"
    finally:
        deep.ok("server", "destroy", kind)
    assert not os.listdir(base)
    shutil.rmtree(base.parent)
    dyno.env["DYNO_SERVERS"] = str(servers.base)


def test_a_setting_that_does_not_exist_is_named_and_nothing_is_left(servers):
    for kind, log in (("postgres", "unrecognized configuration parameter"),
                      ("mariadb", "its log says: [ERROR]")):
        result = servers.dyno.run("server", "start", kind, *SMALL[kind],
                                  "--set", "no_such_setting=1", timeout=120)
        assert result.code == 1
        assert log in result.err and "no_such_setting" in result.err
        assert not processes(servers.base)
        assert not os.listdir(servers.base)


def test_settings_that_shape_the_data_are_there_when_it_is_made(servers):
    url = servers.start("mariadb", "--set", "innodb-page-size=8k")
    assert servers.value(url, "SELECT @@innodb_page_size") == "8192"


def test_data_of_another_version_is_refused(servers):
    servers.start("postgres")
    servers.ok("server", "stop", "postgres")
    state = servers.base / "postgres" / "state.yaml"
    text = state.read_text()
    state.write_text(re.sub(r'version: "\d+', 'version: "9', text))
    result = servers.dyno.run("server", "start", "postgres")
    assert result.code == 1
    assert "was made by PostgreSQL 9." in result.err
    assert "dyno server destroy postgres" in result.err


def test_what_is_not_a_server_is_never_removed(servers):
    mine = servers.base / "mine"
    mine.mkdir()
    (mine / "data").write_text("dear")
    assert servers.dyno.run("server", "destroy", "mine").code == 1
    other = servers.base / ".snapshots" / "mine"
    other.mkdir(parents=True)
    (other / "data").write_text("dear")
    servers.ok("server", "destroy", "--left-behind")
    servers.ok("server", "drop-snapshot", "--all")
    assert servers.ok("server", "list") == ""
    assert servers.ok("server", "snapshots") == ""
    assert servers.dyno.run("server", "drop-snapshot", "mine").code == 1
    # Nor is its place taken.
    made = servers.dyno.run("server", "start", "postgres", "--name", "mine")
    assert made.code == 1
    assert "mine' is there and is no server of dyno's" in made.err
    assert (other / "data").read_text() == "dear"
    assert (mine / "data").read_text() == "dear"
    shutil.rmtree(mine)
    shutil.rmtree(other)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_killed_leaves_nothing_that_is_not_found(servers, how):
    dyno = servers.dyno
    run = dyno.start("run", "ping", "--server", "postgres", "-t", "1h", "-u",
                     "1", "--ramp-up", "0", "--audit", "off",
                     *SMALL["postgres"])
    wait_until(lambda: "running" in dyno.run("server", "status",
                                             f"run-{run.pid}").out,
               "the server runs", timeout=60)
    assert "in use" in servers.ok("server", "list")
    assert dyno.run("server", "destroy", f"run-{run.pid}").code == 1
    run.send_signal(how)
    dyno.finish(run)
    wait_until(lambda: not processes(servers.base), "its processes are gone")
    if how == signal.SIGKILL:
        assert "left behind" in servers.ok("server", "list")
        servers.ok("server", "destroy", "--left-behind")
    assert not servers.left()


def run_kept(servers, *args):
    """A run on a server that is made for it and kept: what it said, its
    name."""
    result = servers.dyno.run(
        "run", *args, "--server", "postgres", "--snapshot", "-u", "1",
        "--ramp-up", "0", "--audit", "off", "--keep-server",
        *SMALL["postgres"], timeout=200)
    assert result.code == 0, result.err
    return result.err, re.search(r"server '([\w-]+)' is kept",
                                 result.err).group(1)


def test_the_second_variant_begins_with_the_content_of_the_first(servers):
    """The runs only read."""
    contents = []
    for word in ("kept a snapshot", "restored the data from a snapshot"):
        said, name = run_kept(servers, "tpcc", "-w", "1", "--mix", "lookup",
                              "--iterations", "20")
        assert word in said
        assert ("loaded" in said) == (not contents)
        contents.append(servers.value(servers.ok("server", "url", name),
                                      f"SELECT {CONTENT} AS sum"))
        servers.ok("server", "destroy", name)
    assert contents[0] == contents[1]


def test_snapshots_stay_in_their_budget_and_are_not_trusted(servers):
    small = ["kv", "--records", "1000", "--mix", "C", "--iterations", "20"]

    def snapshot_after(*args):
        said, name = run_kept(servers, *small, *args)
        servers.ok("server", "destroy", name)
        kept = os.listdir(servers.base / ".snapshots")
        return said, servers.base / ".snapshots" / kept[0], len(kept)

    said, first, n = snapshot_after()
    assert "kept a snapshot" in said and n == 1
    # Other data is another snapshot, and there is room for one.
    said, second, n = snapshot_after("--seed", "2",
                                     "--snapshot-budget", "80MB")
    assert "dropping the snapshot" in said and "kept a snapshot" in said
    assert n == 1 and second != first
    # No segment of WAL in it is one that would only be written over.
    wal = os.listdir(second / "data" / "pg_wal")
    assert 1 <= len([name for name in wal if len(name) == 24]) <= 2
    # One that cannot be used is dropped, and the data loaded.
    (second / "data" / "PG_VERSION").write_text("9\n")
    said, kept, n = snapshot_after("--seed", "2")
    assert "the snapshot is of no use" in said and "kept a snapshot" in said
    assert n == 1
    # Shown, and dropped by its name; nothing is left then.
    row = servers.ok("server", "snapshots").splitlines()[1].split()
    assert row[1] == "MB" and row[-1] == kept.name
    assert "1 snapshot, " in servers.dyno.run("server", "list").err
    wrong = servers.dyno.run("server", "drop-snapshot", kept.name[:-1])
    assert wrong.code == 1
    assert f"did you mean '{kept.name}'?" in wrong.err
    servers.ok("server", "drop-snapshot", kept.name)
    assert not os.listdir(servers.base)


def test_a_run_that_does_not_fit_is_refused_with_the_numbers(small_disk):
    result = small_disk.dyno.run(
        "run", "tpcc", "-w", "8", "--server", "postgres", "-t", "1s",
        *SMALL["postgres"], timeout=120)
    assert result.code == 1
    assert "the disk is too small: 8 warehouses would take about" in result.err
    assert re.search(r"has [\d.]+ MB free", result.err)
    assert not small_disk.left() and not processes(small_disk.base)


def test_a_run_that_runs_out_of_disk_is_ended_and_kept(small_disk):
    dyno = small_disk.dyno
    run = dyno.start("run", "tpcc", "-w", "1", "--server", "postgres", "-t",
                     "5m", "-u", "2", "--ramp-up", "0", "--audit", "quick",
                     "--rate", "20/s", *SMALL["postgres"])
    results = dyno.dir / "dyno-results" / "dyno.db"
    wait_until(lambda: results.exists() and "running" in dyno.run(
        "runs", "list").out, "the run begins", timeout=120)
    # Others fill the disk too.
    filler = small_disk.base / "filler"
    free = os.statvfs(small_disk.base)
    with open(filler, "wb") as other:
        os.posix_fallocate(other.fileno(), 0,
                           free.f_bavail * free.f_frsize - (30 << 20))
    done = dyno.finish(run, timeout=120)
    filler.unlink()
    assert done.code == 5, done.err
    assert "ended by the disk guard" in done.err
    assert "ended by the disk guard" in dyno.run("runs", "show",
                                                 "latest").out
    assert not small_disk.left() and not processes(small_disk.base)
    # The next one runs.
    result = dyno.run("run", "ping", "--server", "postgres", "-t", "1s",
                      "--ramp-up", "0", *SMALL["postgres"], timeout=120)
    assert result.code == 0, result.err


@pytest.mark.parametrize("small_disk", ["150m"], indirect=True)
def test_the_preset_fits_a_small_disk(small_disk):
    url = small_disk.ok("server", "start", "postgres")
    assert small_disk.value(url, "SHOW min_wal_size") == "32MB"
    result = small_disk.dyno.run("server", "start", "mariadb", "--set",
                                 "innodb_log_file_size=100M")
    assert result.code == 1
    assert re.search(r"the disk is too small: MariaDB takes about 130\.0 MB "
                     r"without any data, but '.*' has [\d.]+ MB free",
                     result.err)
    small_disk.ok("server", "destroy", "postgres")
