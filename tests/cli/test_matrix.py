# SPDX-License-Identifier: MIT
"""dyno matrix: the file, the plan, going on after an interruption."""
import signal
import sqlite3

import pytest

from conftest import ROOT, wait_until

NOOP = """
workload: tpcc
servers:
  null-a: "noop:"
  null-b: {url: "noop:"}
axes:
  vus: [1, 2]
iterations: 200
ramp_up: 0
audit: "off"
"""


@pytest.fixture
def plan(dyno):
    """Writes the file; returns its name."""
    def write(text, name="plan.yaml"):
        (dyno.dir / name).write_text(text, encoding="utf-8")
        return name
    return write


def runs(dyno):
    """(name, status, labels) of what is stored, in order."""
    with sqlite3.connect(dyno.dir / "dyno-results" / "dyno.db") as store:
        return [(name, status, dict(store.execute(
            "SELECT key, value FROM labels WHERE run = ?", (run,))))
                for run, name, status in store.execute(
                    "SELECT id, name, status FROM runs ORDER BY id")]


def test_dry_run_prints_each_run_and_runs_nothing(dyno, plan):
    result = dyno.run("matrix", plan(NOOP + "repeat: 2\n"), "--dry-run")
    assert result.code == 0, result.err
    assert [line.split(maxsplit=1)[1] for line in
            result.out.splitlines()[:8]] == [
        f"server={server} vus={vus} repeat={repeat}" for repeat in (1, 2)
        for server in ("null-a", "null-b") for vus in (1, 2)]
    assert "4 variants, 8 runs; about" in result.out
    assert not (dyno.dir / "dyno-results").exists()


@pytest.mark.parametrize("order, expected", [
    ("grouped", "1.1 1.2 2.1 2.2"), ("interleaved", "1.1 2.1 1.2 2.2")])
def test_orders(dyno, plan, order, expected):
    text = f"""
servers: {{a: "noop:"}}
axes: {{vus: [1, 2]}}
repeat: 2
order: {order}
"""
    lines = dyno.run("matrix", plan(text), "-n").out.splitlines()[:4]
    assert " ".join(f"{line.split('vus=')[1][0]}.{line[-1]}"
                    for line in lines) == expected


def test_a_random_order_is_that_of_its_seed(dyno, plan):
    def order(seed):
        text = f"""
servers: {{a: "noop:"}}
axes: {{vus: [1, 2, 3, 4, 5, 6, 7, 8]}}
order: random
seed: {seed}
"""
        return [line.split("vus=")[1] for line in dyno.run(
            "matrix", plan(text), "-n").out.splitlines()[:8]]
    assert order(1) == order(1) != order(2)
    assert sorted(order(2)) == list("12345678")


def test_exclude_and_include_shape_the_plan(dyno, plan):
    text = """
servers: {a: "noop:", b: "noop:"}
axes:
  vus: [1, 2]
  connections: [vus, vus/2]
exclude:
  - {vus: 1, connections: vus/2}
  - {server: b, vus: [1, 2], connections: [vus]}
include:
  - {vus: 8, isolation: serializable}
  - {server: a, vus: 2, connections: vus}
"""
    out = dyno.run("matrix", plan(text), "-n").out
    assert [line[6:] for line in out.split("\n\n")[0].splitlines()] == [
        "server=a vus=1 connections=vus", "server=a vus=2 connections=vus",
        "server=a vus=2 connections=vus/2", "server=b vus=2 connections=vus/2",
        "server=a vus=8 isolation=serializable",
        "server=b vus=8 isolation=serializable"]


def test_each_run_is_stored_named_and_labelled(dyno, plan):
    result = dyno.run("matrix", plan(NOOP))
    assert result.code == 0, result.err
    stored = runs(dyno)
    assert [name for name, _, _ in stored] == [
        "001_null-a_s1_v1_c1", "002_null-a_s1_v2_c2",
        "003_null-b_s1_v1_c1", "004_null-b_s1_v2_c2"]
    assert {status for _, status, _ in stored} == {"complete"}
    labels = stored[3][2]
    assert labels.pop("variant").endswith("/4/1")
    assert labels == {"matrix": "plan", "server": "null-b", "vus": "2",
                      "repeat": "1"}
    table = [line.split() for line in result.out.splitlines()]
    assert table[0][:3] == ["server", "vus", "runs"]
    assert [row[:3] + row[-1:] for row in table[1:5]] == [
        [server, vus, "1", "valid"] for server in ("null-a", "null-b")
        for vus in "12"]
    assert "relative to server=null-a" in result.out


def test_connections_follow_the_users(dyno, plan):
    text = NOOP.replace("  vus: [1, 2]",
                        "  vus: [4]\n  connections: [vus/2, vus, 3*vus/4]")
    result = dyno.run("matrix", plan(text))
    assert result.code == 0, result.err
    assert [name.rsplit("_", 1)[1] for name, _, _ in runs(dyno)][:3] == [
        "c2", "c4", "c3"]


def test_a_run_that_fails_is_listed_and_stops_no_other(dyno, plan):
    text = NOOP.replace('  null-a: "noop:"',
                        "  null-a: sqlite:no/such/folder/x.db")
    result = dyno.run("matrix", plan(text))
    assert result.code == 1
    assert [name[:11] for name, _, _ in runs(dyno)] == ["001_null-b_",
                                                        "002_null-b_"]
    assert "- run 1 (server=null-a vus=1): failed: " in result.out
    assert "no/such/folder" in result.out
    again = dyno.run("matrix", "plan.yaml", "--resume", "--retry")
    assert again.code == 1
    assert len(runs(dyno)) == 2


def test_a_run_that_crashes_is_listed_and_stops_no_other(dyno, plan):
    text = NOOP + "hooks: {around: 'sh -c \"kill -SEGV $$\"'}\n"
    result = dyno.run("matrix", plan(text))
    assert result.code == 1
    assert result.out.count("failed: it ended with signal 11") == 4


def test_kill_in_the_third_of_six_then_resume(dyno, plan):
    text = """
servers: {null: "noop:"}
axes: {vus: [1, 2, 3, 4, 5, 6]}
iterations: 200
ramp_up: 0
audit: "off"
hooks:
  before: 'test "$MATRIX_NUMBER" != 3 || test -e go || sleep 60'
""".replace("null:", "nil:")
    journal = dyno.dir / "dyno-results" / "matrix" / "plan" / "journal"
    name = plan(text)
    process = dyno.start("matrix", name)
    wait_until(lambda: journal.exists()
               and "begin 3" in journal.read_text(), "the third run")
    process.kill()
    dyno.finish(process)
    first = {path.name: path.read_bytes()
             for path in (dyno.dir / "dyno-results").glob("00*.json")}
    assert len(first) == 2

    (dyno.dir / "go").touch()
    refused = dyno.run("matrix", name)
    assert refused.code == 1
    assert "--resume" in refused.err
    result = dyno.run("matrix", name, "--resume")
    assert result.code == 0, result.err
    assert [name[-6:] for name, _, _ in runs(dyno)] == [
        f"_v{n}_c{n}" for n in range(1, 7)]
    for file, content in first.items():
        assert (dyno.dir / "dyno-results" / file).read_bytes() == content
    # Done: it only prints the table again.
    again = dyno.run("matrix", name, "--resume")
    assert (again.code, again.out) == (0, result.out)
    assert len(runs(dyno)) == 6


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_run_is_made_again(dyno, plan, how):
    """Killed or interrupted while the run itself goes on."""
    name = plan("""
servers: {nil: "noop:"}
axes: {vus: [1, 2]}
duration: 60s
ramp_up: 0
audit: "off"
""")
    store = dyno.dir / "dyno-results" / "dyno.db"
    process = dyno.start("matrix", name)
    wait_until(lambda: store.exists() and runs_or_none(dyno), "a run")
    process.send_signal(how)
    result = dyno.finish(process)
    if how == signal.SIGINT:
        assert result.code == 5
        assert ("'dyno matrix plan.yaml --results dyno-results --resume'"
                in result.err)
    plan_dir = dyno.dir / "dyno-results" / "matrix" / "plan"
    process = dyno.start("matrix", name, "--resume")
    wait_until(lambda: "begin 1 2" in (plan_dir / "journal").read_text(),
               "the second attempt")
    wait_until(lambda: [labels["variant"][-4:] for _, _, labels in runs(dyno)
                        ] == ["/1/2"], "its run alone")
    process.send_signal(signal.SIGINT)
    assert dyno.finish(process).code == 5


def runs_or_none(dyno):
    try:
        return runs(dyno)
    except sqlite3.OperationalError:
        return []


def test_a_torn_journal_line_was_never_promised(dyno, plan):
    name = plan(NOOP)
    assert dyno.run("matrix", name).code == 0
    journal = dyno.dir / "dyno-results" / "matrix" / "plan" / "journal"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:-2]) + lines[-2][:9])
    result = dyno.run("matrix", name, "--resume")
    assert result.code == 0, result.err
    assert "run 4 had ended: 004_null-b_s1_v2_c2" in result.err
    assert len(runs(dyno)) == 4


def test_a_changed_plan_is_not_resumed(dyno, plan):
    name = plan(NOOP)
    assert dyno.run("matrix", name).code == 0
    plan(NOOP.replace("200", "300"))
    result = dyno.run("matrix", name, "--resume")
    assert result.code == 1
    assert "another one than the file's" in result.err
    assert dyno.run("matrix", name).code == 0
    assert (dyno.dir / "dyno-results" / "matrix" / "plan-2").is_dir()


def test_hooks_know_the_run_and_one_that_fails_is_named(dyno, plan):
    text = NOOP + """
hooks:
  before: test "$MATRIX_NUMBER" != 2
  after: echo "$MATRIX_RUN $MATRIX_SERVER $DYNO_DB" >> seen
"""
    result = dyno.run("matrix", plan(text))
    assert result.code == 1
    assert (dyno.dir / "seen").read_text().splitlines() == [
        "001_null-a_s1_v1_c1 null-a noop:", "002_null-b_s1_v1_c1 null-b noop:",
        "003_null-b_s1_v2_c2 null-b noop:"]
    assert "failed: hook 'before': exit code 1" in result.out
    assert "runs in 'dyno-results': 3;" in result.err


def test_a_hook_around_that_runs_nothing_is_said(dyno, plan):
    result = dyno.run("matrix", plan(NOOP + "hooks: {around: 'true'}\n"))
    assert result.code == 1
    assert "it ended with exit code 0 and stored no run" in result.out
    assert "runs in" not in result.err


def test_a_hook_that_fails_before_the_first_run_ends_the_plan(dyno, plan):
    name = plan(NOOP + """
hooks:
  before: echo no room; test -e mended || exit 3
""")
    result = dyno.run("matrix", name)
    assert result.code == 2
    assert ("hooks: before: run 1: hook 'before': exit code 3" in result.err
            and "--resume" in result.err)
    assert "valid" not in result.out
    assert "null-" not in dyno.run("runs", "list").out
    (dyno.dir / "mended").touch()
    result = dyno.run("matrix", name, "--resume")
    assert result.code == 0, result.err
    assert [status for _, status, _ in runs(dyno)] == ["complete"] * 4


def test_markdown_and_csv(dyno, plan):
    name = plan(NOOP)
    assert dyno.run("matrix", name).code == 0
    markdown = dyno.run("matrix", name, "--resume", "--format", "markdown").out
    assert markdown.splitlines()[0].startswith("| server | vus | runs |")
    csv = dyno.run("matrix", name, "--resume", "--format", "csv").out
    assert csv.splitlines()[0].startswith("server,vus,runs,")
    assert len(csv.splitlines()) == 5


BASE = 'servers:\n  a: "noop:"\n'
BAD = [
    ("servers: [a", 2, "did not find expected"),
    ("", None, "no 'servers'"),
    (BASE + "servers: {}\n", 3, "'servers' is there twice"),
    (BASE + "axis: {}\n", 3, "axis: unknown key; did you mean 'axes'?"),
    (BASE + "durration: 1s\n", 3, "did you mean 'duration'?"),
    (BASE + "db: x\n", 3, "db: it is not for a matrix file"),
    (BASE + "duration: soon\n", 3, "duration: "),
    (BASE + "vus: 0\n", 3, "vus: 0 is not in 1..100000"),
    (BASE + "vus: [1, 2]\n", 3, "under 'axes'"),
    (BASE + "repeat: 0\n", 3, "repeat: 0 is not in 1..1000"),
    (BASE + "order: mixed\n", 3, "order: 'mixed' is none of grouped"),
    (BASE + "workload: tpch\n", 3, "workload: 'tpch' is none of"),
    (BASE + "axes:\n  server: [a, bb]\n", 4, "there is no server 'bb'"),
    (BASE + "axes:\n  server:\n    - a\n    - ab\n", 6,
     "server: there is no server 'ab'; did you mean 'a'?"),
    (BASE + "axes:\n  vus: [1, x]\n", 4, "vus: "),
    (BASE + "axes:\n  vus: []\n", 4, "vus: the list is empty"),
    (BASE + "axes:\n  vus: [1, 1]\n", 4, "'1' is there twice"),
    (BASE + "axes:\n  vuss: [1]\n", 4, "did you mean 'vus'?"),
    (BASE + "axes:\n  vus: {a: 1}\n", 4, "takes one value, not a map"),
    (BASE + "axes:\n  connections: [users]\n", 4, "vus/2"),
    (BASE + "vus: 1\naxes:\n  vus: [1]\n", 5, "leave one out"),
    (BASE + "axes:\n  preset: [oltp]\n", 4, "server 'a' has a 'url'"),
    (BASE + "axes:\n  preset: [fast]\n", 4, "'fast' is none of stock"),
    (BASE + "axes:\n  set.a b: [1]\n", 4, "is no setting's name"),
    (BASE + "axes: {vus: [1]}\nexclude:\n  - {vus: 2}\n", 5,
     "axis 'vus' has no value '2'"),
    (BASE + "axes: {vus: [1]}\nexclude:\n  - {w: 2}\n", 5,
     "there is no axis of this name"),
    (BASE + "axes: {vus: [1]}\nexclude:\n  - {vus: 1}\n", None,
     "leaves nothing to run"),
    (BASE + "hooks: {before: no-such-program -x}\n", 3,
     "before: there is no program 'no-such-program'"),
    (BASE + "hooks: {around: 'if then'}\n", 3,
     "the shell does not understand"),
    (BASE + "hooks: {during: ls}\n", 3, "during: unknown key"),
    # What the workload says of its options, and the database of both.
    (BASE + "composition: batchd\n", 3, "'batchd' is none of literal"),
    (BASE + "axes:\n  composition:\n    - batched\n    - procz\n", 6,
     "composition: 'procz' is none of literal"),
    (BASE + "include:\n  - {vus: 1}\n  - {composition: sngle}\n", 5,
     "composition: 'sngle' is none of literal"),
    (BASE + "isolation: serial\n", 3, "isolation: 'serial' is none of"),
    (BASE + "axes: {prepare: [on, maybe]}\n", 3, "neither on nor off"),
    ("servers: {a: 'postgres://h/d'}\naxes: {partitions: [auto, x]}\n", 2,
     "partitions: a number, 'auto' or 'off'"),
    (BASE + "mix: lookpu\n", 3, "mix: 'lookpu' is no transaction"),
    (BASE + "rate: 10\npacing: spec\n", 4, "does not go with planned"),
    (BASE + "axes: {stages: ['1m:x']}\n", 3, "stages: '1m:x' is not"),
    ("servers:\n  a: 'noop:'\n  b: 'sqlite:x'\naxes: {composition: [procs]}\n",
     4, "is not available on sqlite; use literal or batched (variant "
     "server=b)"),
    ("servers:\n  a: {url: 'sqlite:x', options: {prepare: off}}\n", 2,
     "prepare: sqlite always"),
    ("servers:\n  a: {url: 'sqlite:x'}\naxes:\n  unlogged: [off, on]\n", 4,
     "unlogged: --unlogged is not available on sqlite"),
    ("servers:\n  ../a: \"noop:\"\n", 2, "'../a' is no name"),
    ("servers:\n  a/b: \"noop:\"\n", 2, "'a/b' is no name"),
    ("servers:\n  a: {preset: oltp}\n", 2, "a 'kind'"),
    ("servers:\n  a: {url: 'noop:', preset: oltp}\n", 2,
     "preset: server 'a' has a 'url'"),
    ("servers:\n  a: {kind: oracle}\n", 2, "'oracle' is none of postgres"),
    ("servers:\n  a: nope:x\n", 2, "a: "),
    ("servers:\n  a:\n    kind: postgres\n    bindir: no/such\n", 2,
     "server 'a': "),
    ("servers: {a: &x 'noop:'}\n", 1, "anchors and tags"),
    ("name: ../../etc\n" + BASE, 1, "name: '../../etc' is no name"),
    ("- a\n", 1, "expected one list of 'name: value'"),
]


@pytest.mark.parametrize("text, line, message", BAD,
                         ids=[f"{i}-{bad[2][:24]}" for i, bad in
                              enumerate(BAD)])
def test_a_wrong_file_is_refused_before_anything_runs(
        dyno, plan, text, line, message):
    args = ("matrix", plan(text), "--dry-run")
    env = {"DYNO_SERVERS": str(dyno.dir / "own")}
    result = dyno.run(*args, env=env)
    assert result.code in (1, 2), result.out
    assert dyno.run(*args[:2], env=env) == result
    place = f"plan.yaml:{line}: " if line else "plan.yaml: "
    errors = [text for text in result.err.splitlines() if "error: " in text]
    assert errors and place in errors[0] and message in errors[0]
    assert not (dyno.dir / "dyno-results").exists()
    assert result.out == ""


def test_wrong_usage(dyno, plan):
    plan(NOOP)
    for args, message in [
            ((), "which plan"), (("a", "b"), "one file"),
            (("plan.yaml", "--resume", "--anew"), "exclude each other"),
            (("plan.yaml", "--retry"), "goes with --resume")]:
        result = dyno.run("matrix", *args)
        assert (result.code, result.out) == (2, "")
        assert message in result.err
    missing = dyno.run("matrix", "no.yaml")
    assert missing.code == 1
    assert "no.yaml" in missing.err


@pytest.mark.parametrize("path", sorted(
    (ROOT / "examples").glob("*.yaml")), ids=lambda path: path.name)
def test_examples_are_plans(dyno, plan, path):
    """On a machine without their servers: as far as the file goes."""
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if "kind:" in line]
    for line in lines:
        name, kind = line.split(":")[0], line.split("kind: ")[1]
        kind = kind.split(",")[0].rstrip("}")
        text = text.replace(line, f"{name}: {kind}://localhost/bench")
    result = dyno.run("matrix", plan(text), "--dry-run")
    assert result.code == 0, result.err
    assert "variants" in result.out
