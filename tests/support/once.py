# SPDX-License-Identifier: MIT
"""Things that are dear to make, made by one of the test processes for all.

    with once("w1") as (folder, made):
        if not made:
            ... fill the folder ...

The others wait meanwhile.  What fails half-way is not made: the next one
tries again.  The folders go when the session ends.
"""
import fcntl
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

VARIABLE = "DYNO_TEST_SHARED"


def begin(config):
    """For pytest_configure; test processes of xdist inherit the variable."""
    if hasattr(config, "workerinput"):
        return
    folder = tempfile.mkdtemp(prefix="dyno-tests.", dir="/tmp")
    # Servers of another user than this one have their files in it.
    os.chmod(folder, 0o755)
    os.environ[VARIABLE] = folder
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@contextmanager
def once(name):
    root = Path(os.environ[VARIABLE])
    folder = root / name
    with open(root / f"{name}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = (root / f"{name}.made").exists()
        if not made:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        yield folder, made
        (root / f"{name}.made").touch()
