# SPDX-License-Identifier: MIT
"""Loads that are killed and gone on with, the ways of loading, partitions."""
import os
import random
import re
import shutil
import signal
import subprocess
import time

import pytest

from conftest import wait_until

WAYS = {"tables": ("--load-by", "tables"),
        "warehouses": ("--load-by", "warehouses"),
        "range": ("-w", "2", "--partitions", "2"),
        "hash": ("-w", "2", "--partitions", "2", "--partition-by", "hash")}
COMPOSITIONS = ["literal", "batched", "pipelined", "single", "procs"]


def load(dyno, url, *args, timeout=180):
    return dyno.run("load", "tpcc", "--db", url, "--audit", "off", *args,
                    timeout=timeout)


def checksums(result):
    assert result.code == 0, result.err
    sums = dict(re.findall(r"verified (\w+) .*checksum (\w+)", result.err))
    assert len(sums) == 9
    return sums


def kill_after(dyno, process, seconds):
    """Not synchronisation: any moment will do, also one after the end."""
    time.sleep(seconds)
    process.kill()
    dyno.finish(process)


def progress_of(pg, dbname="test"):
    """How many pieces are done; -1 when no load is under way."""
    if pg.sql("SELECT to_regclass('dyno_tpcc_load') IS NULL",
              dbname) == ["t"]:
        return -1
    return int(pg.sql("SELECT count(*) FROM dyno_tpcc_load", dbname)[0])


def test_a_load_killed_at_any_moment_goes_on_to_the_same_content(dyno, pg, db):
    start = time.monotonic()
    want = checksums(load(dyno, db, "--verify"))
    took = time.monotonic() - start
    draw = random.Random(6)
    for i in range(10):
        way = ("tables", "warehouses")[i % 2]
        dyno.run("drop", "tpcc", "--db", db)
        process = dyno.start("load", "tpcc", "--db", db, *WAYS[way])
        kill_after(dyno, process, draw.uniform(0, took * 0.7))
        result = load(dyno, db, "--continue", "--verify", *WAYS[way])
        assert checksums(result) == want, i
        assert progress_of(pg) == -1
        keys = pg.sql("SELECT count(*) FROM pg_constraint WHERE contype = 'p'"
                      " AND connamespace = 'public'::regnamespace AND"
                      " conrelid <> 'dyno_tpcc'::regclass", "test")
        assert keys == ["8"]


@pytest.mark.parametrize("way", ["tables", "warehouses", "range"])
def test_a_load_goes_on_after_the_server_was_killed(dyno, server, way):
    server.sql("CREATE DATABASE test")
    process = dyno.start("load", "tpcc", "--db", server.url("test"),
                         "--audit", "off", *WAYS[way])
    wait_until(lambda: progress_of(server) > 1
               or process.poll() is not None, "pieces are done", timeout=60)
    server.kill()
    result = dyno.finish(process)
    assert result.code == 1
    assert "what was loaded so far is kept" in result.err
    server.start()
    result = load(dyno, server.url("test"), "--continue", "--verify")
    checksums(result)
    assert progress_of(server) == -1


def test_nothing_but_continue_replace_and_drop_touches_half_a_load(
        dyno, pg, db):
    process = dyno.start("load", "tpcc", "--db", db, "--load-by",
                         "warehouses", "--seed", "5", "--foreign-keys")
    wait_until(lambda: progress_of(pg) > 0 or process.poll() is not None,
               "a piece is done")
    process.send_signal(signal.SIGINT)
    result = dyno.finish(process)
    assert (result.code, result.out) == (1, "")
    assert "loading was interrupted" in result.err
    assert "what was loaded so far is kept" in result.err
    before = progress_of(pg)
    for command in ("load", "run", "audit"):
        result = dyno.run(command, "tpcc", "--db", db)
        assert result.code == 1
        assert "did not end (1 warehouse, seed 5)" in result.err
        assert "--continue" in result.err
    result = load(dyno, db, "--continue", "--replace")
    assert result.code == 2
    result = load(dyno, db, "--continue", "--partitions", "3")
    assert result.code == 1 and "--partitions: '3' is asked for" in result.err
    assert progress_of(pg) == before
    # The seed and the switches are those that it began with.
    checksums(load(dyno, db, "--continue", "--verify"))
    assert pg.sql("SELECT value FROM dyno_tpcc WHERE name = 'seed'",
                  "test") == ["5"]
    assert pg.sql("SELECT count(*) FROM pg_constraint WHERE contype = 'f'",
                  "test") == ["10"]


def test_what_the_server_still_does_for_a_killed_load_is_waited_for(
        dyno, pg, db):
    """A piece that the dying connection commits is not loaded again."""
    process = dyno.start("load", "tpcc", "--db", db, "--load-by",
                         "warehouses")
    wait_until(lambda: progress_of(pg) > 0 or process.poll() is not None,
               "a piece is done")
    process.send_signal(signal.SIGINT)
    assert "is kept" in dyno.finish(process).err
    piece, = pg.sql("DELETE FROM dyno_tpcc_load WHERE (phase, piece) IN"
                    " (SELECT phase, piece FROM dyno_tpcc_load WHERE phase ="
                    " 0 LIMIT 1) RETURNING concat_ws(',', phase, piece, tab,"
                    " n_rows, total)", "test")
    with subprocess.Popen(
            [f"{pg.programs}/psql", "-X", "-q", pg.url("test")[9:]],
            stdin=subprocess.PIPE, text=True) as old:
        old.stdin.write(f"BEGIN; INSERT INTO dyno_tpcc_load VALUES ({piece});"
                        "\n")
        old.stdin.flush()
        wait_until(lambda: pg.sql("SELECT count(*) FROM pg_locks WHERE"
                                  " relation = 'dyno_tpcc_load'::regclass AND"
                                  " mode = 'RowExclusiveLock'",
                                  "test") == ["1"], "the old one writes")
        process = dyno.start("load", "tpcc", "--db", db, "--continue",
                             "--verify")
        wait_until(lambda: pg.sql("SELECT count(*) FROM pg_locks WHERE"
                                  " relation = 'dyno_tpcc_load'::regclass AND"
                                  " NOT granted", "test") == ["1"]
                   or process.poll() is not None, "it is waited for")
        old.stdin.write("SELECT pg_sleep(1.5); COMMIT;\n")
    result = dyno.finish(process, timeout=120)
    assert "waiting for its end" in result.err
    checksums(result)


def test_the_content_does_not_depend_on_the_way(dyno, db):
    want = checksums(load(dyno, db, "-w", 2, "--threads", 3, "--verify"))
    for way in ("tables", "range", "hash"):
        result = load(dyno, db, "--replace", "--verify", "-w", 2, *WAYS[way])
        assert checksums(result) == want, way


@pytest.mark.parametrize("by", ["range", "hash"])
def test_everything_works_on_partitions(dyno, pg, db, by):
    result = dyno.run("load", "tpcc", "--db", db, "--foreign-keys",
                      "--table-options", "WITH (fillfactor = 90)", *WAYS[by],
                      "--audit", "quick", timeout=180)
    assert result.code == 0, result.err
    leaves = pg.sql("SELECT relname, reloptions FROM pg_class WHERE"
                    " relispartition AND relkind = 'r' ORDER BY 1", "test")
    assert len(leaves) == 12
    assert leaves[0] == "customer_p0001|{fillfactor=90}"
    other = {"range": "hash", "hash": "range"}[by]
    for option, wanted, loaded in (
            ("--foreign-keys", "off", "on"), ("--partitions", "off", "2"),
            ("--partitions", "1", "2"), ("--unlogged", "on", "off"),
            ("--partition-by", other, by)):
        result = dyno.run("run", "tpcc", "--db", db, option, wanted)
        assert (result.code, result.out) == (1, "")
        assert (f"{option}: '{wanted}' is asked for, the data was loaded with"
                f" '{loaded}'") in result.err
    for composition in COMPOSITIONS:
        d = dyno.summary("--db", db, "-u", 2, "--iterations", 200,
                         "--composition", composition, "--foreign-keys",
                         "--audit", "quick", *WAYS[by], timeout=120)
        assert d["valid"] is True, d["invalid_reasons"]
    # What all of them left is read once.
    result = dyno.run("audit", "tpcc", "--db", db, timeout=120)
    assert result.code == 0, result.out
    result = dyno.run("drop", "tpcc", "--db", db)
    assert result.code == 0, result.err
    assert pg.sql("SELECT relname FROM pg_class WHERE relnamespace ="
                  " 'public'::regnamespace", "test") == []


def test_unlogged_tables_are_all_of_them_and_a_crash_empties_them(dyno,
                                                                  server):
    server.sql("CREATE DATABASE test")
    url = server.url("test")
    result = load(dyno, url, "--unlogged", *WAYS["range"])
    assert result.code == 0, result.err
    assert server.sql("SELECT relname FROM pg_class WHERE relkind = 'r' AND"
                      " relpersistence <> 'u' AND relnamespace ="
                      " 'public'::regnamespace", "test") == []
    server.stop(signal.SIGQUIT)
    server.start()
    result = load(dyno, url, "--continue")
    assert result.code == 1
    assert "as unlogged tables are after a crash" in result.err
    assert "--replace" in result.err


@pytest.mark.parametrize("args, words", [
    (("--partitions", "3"), ["more than the", "2 warehouses"]),
    (("--partitions", "0"), ["not in 1..4096"]),
    (("--partitions", "many"), ["'auto' or 'off'"]),
])
def test_partitions_that_cannot_be_are_refused(dyno, pg, db, args, words):
    result = load(dyno, db, "-w", 2, *args)
    assert result.code in (1, 2)
    for word in words:
        assert word in result.err
    assert pg.sql("SELECT count(*) FROM pg_class WHERE relnamespace ="
                  " 'public'::regnamespace", "test") == ["0"]


def test_a_role_that_may_not_create_tables_is_told_so(dyno, pg, db):
    result = load(dyno, pg.url("test", user="guest"))
    assert (result.code, result.out) == (1, "")
    assert "permission denied for schema public" in result.err


@pytest.fixture
def small_disk(pg):
    """A tablespace of 60 MiB with a database in it; its URL."""
    folder = pg.dir / "small"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=60m", "tmpfs",
                           folder], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        folder.rmdir()
        pytest.skip(f"no small file system: {done.stderr.strip()}")
    try:
        shutil.chown(folder, "postgres", "postgres")
        pg.sql(f"CREATE TABLESPACE small LOCATION '{folder}'")
        pg.sql("CREATE DATABASE little TABLESPACE small")
        yield pg.url("little")
        pg.sql("DROP DATABASE IF EXISTS little WITH (FORCE)")
        pg.sql("DROP TABLESPACE small")
    finally:
        subprocess.run(["umount", "-l", folder], check=False)


def test_a_disk_that_is_too_small_is_refused_or_named_when_it_is_full(
        dyno, small_disk):
    result = load(dyno, small_disk)
    assert result.code == 1
    assert re.search(r"1 warehouse would take about [\d.]+ MB .* free",
                     result.err)
    result = load(dyno, small_disk, "--no-disk-check")
    assert result.code == 1
    assert re.search(r"load of table \w+, warehouse 1: .*(No space left|"
                     "Check free disk space)", result.err)
