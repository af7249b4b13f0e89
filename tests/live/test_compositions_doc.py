# SPDX-License-Identifier: MIT
"""docs/compositions.md: its commands are run as they stand there, on half of
the data and with half of the work, and what the page says of them is what
comes out."""
import json
import re
import subprocess

import pytest

from conftest import ROOT, TIMEOUT_FACTOR, Dyno
from test_same_work import COMPOSITIONS, content, written

TRIPS = {"literal": (29.0, 0.5), "batched": (6.05, 0.25),
         "pipelined": (1.96, 0.02), "single": (1, 0), "procs": (1, 0)}
# Rolled-back orders touch the others too, and stock twice where an order has
# an item twice.
CERTAIN = {"warehouse": (0, 1, 2), "history": (0, 1, 2),
           "customer": (0, 1, 2), "item": (0, 1, 2), "new_order": (1, 2),
           "orders": (1, 2), "order_line": (1, 2)}


SHORTER = (("load tpcc -w 2 ", "load tpcc -w 1 "),
           ("--iterations 2000 ", "--iterations 1000 "),
           ("-u 8 -t 5s --ramp-up 1s", "-u 8 -t 2s --ramp-up 0"))


def blocks():
    page = (ROOT / "docs" / "compositions.md").read_text(encoding="utf-8")
    for as_it_stands, shorter in SHORTER:
        assert as_it_stands in page
        page = page.replace(as_it_stands, shorter)
    return re.findall(r"^```sh\n(.*?)^```", page, re.M | re.S)


class Reader:
    """Somebody who reads the page and does what it says."""

    def __init__(self, folder, server):
        self.dyno = Dyno(folder)
        (folder / "bin").mkdir()
        (folder / "bin" / "dyno").symlink_to(self.dyno.bin)
        self.env = {**self.dyno.env, "SERVER": server, "DYNO_AUDIT": "quick",
                    "PATH": f"{folder}/bin:{self.dyno.env['PATH']}"}

    def run(self, block):
        done = subprocess.run(
            ["sh", "-eu"], input=block, cwd=self.dyno.dir, text=True,
            env=self.env, capture_output=True, check=False,
            timeout=400 * TIMEOUT_FACTOR)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    def result(self, name):
        path = self.dyno.dir / "dyno-results" / f"{name}.json"
        return json.loads(path.read_text())

    def best(self, block):
        """Transactions a second of each composition, the most of up to three
        times: others have the machine at times too."""
        best = dict.fromkeys(COMPOSITIONS, 0)
        for _ in range(3):
            self.run("rm -rf dyno-results/fast_*")
            self.run(block)
            for how in COMPOSITIONS:
                d = self.result(f"fast_{how}")
                assert d["valid"] is True
                best[how] = max(best[how], d["throughput"]["tps"])
            if best["literal"] < best["batched"] < best["procs"]:
                break
        return best


def test_the_commands_of_the_page_show_what_it_says(pg, tmp_path):
    load, same, fast, show = blocks()
    reader = Reader(tmp_path, pg.url("", tcp=True).rstrip("/"))
    reader.run(load)
    reader.run(same)
    rows = {how: content(pg, f"bench_{how}") for how in COMPOSITIONS}
    writes = {how: written(pg, f"bench_{how}") for how in COMPOSITIONS}
    for how, (want, off) in TRIPS.items():
        d = reader.result(f"same_{how}")
        assert d["valid"] is True
        assert d["round_trips_per_transaction"] == pytest.approx(want, abs=off)
        assert rows[how] == rows["literal"]
        for table, columns in CERTAIN.items():
            for column in columns:
                assert (writes[how][table][column]
                        == writes["literal"][table][column]), (how, table)
    tps = reader.best(fast)
    assert tps["literal"] < tps["batched"] < tps["procs"], tps
    shown = reader.run(show)
    for how in COMPOSITIONS:
        assert f"same_{how}.json" in shown
        assert f"fast_{how}.json" in shown
    for how in ("", *(f"_{how}" for how in COMPOSITIONS)):
        pg.sql(f"DROP DATABASE bench{how} WITH (FORCE)")
