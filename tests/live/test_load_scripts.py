# SPDX-License-Identifier: MIT
"""The scripts in a csv folder make data that dyno takes as its own; that for
SQLite is in tests/cli/test_load_files.py."""
import re
import subprocess

import pytest

from conftest import Dyno


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("csv")
    result = Dyno(where).run("load", "tpcc", "--db", "csv:rows", "-q")
    assert (result.code, result.out, result.err) == (0, "", "")
    return where / "rows"


def run_script(command, script, folder):
    with open(folder / script) as text:
        done = subprocess.run(command, stdin=text, cwd=folder,
                              capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def checksums(dyno, target):
    result = dyno.run("load", "tpcc", "--db", target, "--verify", timeout=120)
    assert result.code == 0, result.err
    assert "will take" not in result.err  # what is there is compared
    return dict(re.findall(r"verified (\w+) .*checksum (\w+)", result.err))


def check(dyno, target, folder):
    sums = checksums(dyno, target)
    assert len(sums) == 9
    assert sums == checksums(dyno, f"csv:{folder}")
    result = dyno.run("audit", "tpcc", "--db", target, timeout=120)
    assert result.code == 0, result.out


def test_the_script_for_postgresql(dyno, pg, db, folder):
    run_script([f"{pg.programs}/psql", "-X", "-q", "-v", "ON_ERROR_STOP=1",
                "-f", "load.postgres.sql", db.removeprefix("postgres:")],
               "load.postgres.sql", folder)
    check(dyno, db, folder)


def test_the_script_for_mariadb(dyno, maria, maria_db, folder):
    run_script(["mariadb", "--no-defaults", "--local-infile=1", "-u", "dyno",
                f"--socket={maria.socket}", "own"], "load.mysql.sql", folder)
    check(dyno, maria_db, folder)


def test_a_load_on_mariadb_says_what_it_takes_and_is_verified(
        dyno, maria_db):
    result = dyno.run("load", "tpcc", "--db", maria_db, "-w", "1000000",
                      timeout=60)
    assert result.code == 1
    assert re.search(r"1000000 warehouses would take about "
                     r"[\d.]+ TB .* has"
                     r" [\d.]+ \wB free", result.err)
    result = dyno.run("load", "tpcc", "--db", maria_db, "--verify",
                      "--foreign-keys", timeout=180)
    assert result.code == 0, result.err
    assert re.search(r"1 warehouse will take about [\d.]+ MB of disk \(/.* has",
                     result.err)
    assert len(re.findall(r"verified \w+ .*checksum", result.err)) == 9
