# SPDX-License-Identifier: MIT
"""docs/workloads.md: its commands run one after the other as they stand there,
on real servers, but with less data and for a moment only.  Its scripts are run
by tests/cli/test_scripts.py and test_lua_scripts.py."""
import re
import shlex
from pathlib import Path

import pytest

from conftest import ROOT

SMALL = [(r"-t \d+s", ""), (r"--scale \d+", "--scale 1"),
         (r"--records \d+", ""), (r"dyno run kv", r"\g<0> --records 2000"),
         (r"--tables=4", r"\g<0> --table-size=200"),
         (r"examples/", f"{ROOT}/examples/")]
ONE_OF_MANY = "\\set id random(1, :rows)\nSELECT :id;\n"


def commands(page, servers):
    for block in re.findall(r"^```sh\n(.*?)^```", page, re.M | re.S):
        for line in block.splitlines():
            for pattern, small in SMALL:
                line = re.sub(pattern, small, line)
            words = [servers.get(w, w) for w in shlex.split(line)]
            ends = {"prepare", "cleanup"} & set(words)
            if words[1] == "run" and not ends:
                words += ["--iterations", "40", "--ramp-up", "0"]
            yield words[1:]


@pytest.mark.skipif(not Path("/usr/share/sysbench").is_dir(),
                    reason="sysbench is not installed")
def test_the_commands_of_the_page_run(dyno, db, maria_db):
    page = (ROOT / "docs" / "workloads.md").read_text(encoding="utf-8")
    first = re.search(r"^```sql\n(.*?)^```", page, re.M | re.S)
    for name, text in (("three", first[1]), ("read", ONE_OF_MANY),
                       ("write", ONE_OF_MANY)):
        (dyno.dir / f"{name}.sql").write_text(text, encoding="utf-8")
    servers = {"postgres://me@db.example/bench": db,
               "mysql://me@db.example/bench": maria_db}
    n = 0
    for words in commands(page, servers):
        result = dyno.run(*words, "-q", timeout=120)
        assert result.code == 0, (words, result.err + result.out)
        n += 1
    assert n >= 15
