# SPDX-License-Identifier: MIT
"""The program under test, for tests in Python.

It is named by DYNO_BIN.  Each test has a folder of its own, which is the
program's working folder and is removed afterwards.

    def test_version(dyno):
        result = dyno.run("--version")
        assert result.code == 0
        assert result.out.startswith("dyno ")

A conftest.py takes all names of this module: the hooks and the fixtures work
by being there.

DYNO_SANITIZER (asan, tsan) says that the build under test is instrumented:
time limits are longer, and tests marked "slow" are skipped.
"""
import json
import os
import shutil
import subprocess
import time
from collections import namedtuple
from pathlib import Path

import pytest

import once

SANITIZER = os.environ.get("DYNO_SANITIZER", "")
TIMEOUT_FACTOR = 6 if SANITIZER else 1
ROOT = Path(__file__).resolve().parents[2]

Result = namedtuple("Result", "code out err")


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "slow: needs the speed of an uninstrumented build")
    config.addinivalue_line(
        "markers", "long: takes long; runs when asked for (-m long)")
    once.begin(config)


def leave_out(config, items, unwanted):
    gone = [item for item in items if unwanted(item)]
    items[:] = [item for item in items if not unwanted(item)]
    if gone:
        config.hook.pytest_deselected(items=gone)


def pytest_collection_modifyitems(config, items):
    if not config.option.markexpr:
        leave_out(config, items, lambda i: i.get_closest_marker("long"))
    if not SANITIZER:
        return
    skip = pytest.mark.skip(reason=f"too slow under {SANITIZER}")
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(skip)


def find_program():
    name = os.environ.get("DYNO_BIN", str(ROOT / "build" / "dev" / "dyno"))
    path = Path(name).resolve()
    if not os.access(path, os.X_OK):
        pytest.fail(f"there is no program {path}: set DYNO_BIN", pytrace=False)
    return path


def clean_environment(home):
    """The caller's, without what would change the program's behaviour."""
    keep = {name: value for name, value in os.environ.items()
            if not name.startswith(("DYNO_", "PG", "MYSQL_", "LC_"))}
    keep.update(TZ="UTC", LC_ALL="C", HOME=str(home), NO_COLOR="1")
    return keep


class Dyno:
    """The program under test, in a folder of its own."""

    def __init__(self, folder):
        self.bin = find_program()
        self.dir = folder
        self.env = clean_environment(folder)
        self.started = []

    def run(self, *args, timeout=60, stdin="", env=None, prefix=()):
        """Runs "PREFIX dyno ARGS" to its end; the limit is in seconds."""
        done = subprocess.run(
            [*prefix, self.bin, *map(str, args)], cwd=self.dir, text=True,
            input=stdin,
            env={**self.env, **(env or {})}, capture_output=True,
            timeout=timeout * TIMEOUT_FACTOR, check=False)
        return Result(done.returncode, done.stdout, done.stderr)

    def summary(self, *args, code=0, **kwargs):
        """What "dyno run tpcc ARGS --format json" prints, parsed."""
        result = self.run("run", "tpcc", *args, "--ramp-up", "0", "-q",
                          "--format", "json", **kwargs)
        # The reasons once more at the end, where they are seen.
        assert result.code == code, result.err + result.out + str(
            result.out and json.loads(result.out)["invalid_reasons"])
        return json.loads(result.out)

    def stored(self, folder="dyno-results"):
        """The names in a results folder, without the store's own files."""
        return sorted(name for name in os.listdir(self.dir / folder)
                      if not name.startswith("dyno.db"))

    def start(self, *args, env=None):
        """A running program, to be sent signals; finish() waits for it."""
        process = subprocess.Popen(
            [self.bin, *map(str, args)], cwd=self.dir, text=True,
            env={**self.env, **(env or {})}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.started.append(process)
        return process

    @staticmethod
    def finish(process, timeout=60):
        out, err = process.communicate(timeout=timeout * TIMEOUT_FACTOR)
        return Result(process.returncode, out, err)

    def stop_all(self):
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.communicate()


def wait_until(condition, what, timeout=30):
    """Polls for what another process does."""
    end = time.monotonic() + timeout * TIMEOUT_FACTOR
    while not condition():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.01)


@pytest.fixture
def dyno(tmp_path):
    program = Dyno(tmp_path)
    yield program
    program.stop_all()
    # Databases are large: they are not kept until the next session.
    shutil.rmtree(tmp_path, ignore_errors=True)


@pytest.fixture
def run(dyno):
    """Shorthand for dyno.run."""
    return dyno.run
