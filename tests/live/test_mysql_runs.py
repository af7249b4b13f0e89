# SPDX-License-Identifier: MIT
"""A MySQL server, where DYNO_MYSQL_DIR names one: loads, runs in the
compositions that it can do, audits, scripts, its end."""
import json
import signal
import tempfile
from pathlib import Path

import pytest

from conftest import wait_until
from maria_cluster import Unavailable
from mysql_cluster import MysqlCluster
from test_maria_runs import assert_sound
from test_pg_bad_input import refuse
from test_pg_loading import checksums, load

# One server and its data for all: what hurts it comes last.
pytestmark = pytest.mark.xdist_group("mysql")

SETTINGS = {"innodb-log-file-size": "64M"}
TPCC = ("-u", 8, "--iterations", 400)


@pytest.fixture(scope="module")
def mysql():
    try:
        server = MysqlCluster(**SETTINGS)
    except Unavailable as why:
        pytest.skip(str(why))
    with server:
        yield server


def test_a_load_is_what_was_asked_for(dyno, mysql):
    cut = load(dyno, mysql.url("own"), "--verify", "--partitions", 1)
    assert mysql.sql("SELECT COUNT(*) FROM information_schema.partitions WHERE"
                     " partition_name = 'p0001'") == ["6"]
    plain = load(dyno, mysql.url("own"), "--verify", "--replace",
                 "--foreign-keys")
    assert checksums(cut) == checksums(plain)
    assert mysql.sql(
        "SELECT COUNT(*) FROM information_schema.referential_constraints"
        " WHERE constraint_schema = 'own'") == ["10"]


@pytest.mark.parametrize("how", ["literal", "batched", "pipelined", "procs",
                                 "pipelined --no-prepare"])
def test_eight_users_are_sound(dyno, mysql, how):
    d = dyno.summary("--db", mysql.url("own"), *TPCC, "--foreign-keys",
                     "--composition", *how.split(), timeout=180)
    assert_sound(d)
    assert d["server"]["facts"]["product"] == "MySQL"


def test_a_composition_that_it_lacks_is_refused_before_the_run(dyno, mysql):
    text = refuse(dyno, mysql.url("own"), "run", "tpcc", "--composition",
                  "single")
    assert "this server cannot do composition 'single'" in text


def test_the_small_workloads_run(dyno, mysql):
    for what in (("kv", "--records", 1000), ("pgbench:tpcb-like",), ("ping",)):
        result = dyno.run("run", *what, "-u", 2, "--iterations", 100, "-q",
                          "--ramp-up", 0, "--format", "json", "--db",
                          mysql.url("own"), timeout=120)
        assert result.code == 0, result.err + result.out
        assert json.loads(result.out)["valid"] is True


def test_results_in_each_format(dyno, mysql):
    out = {}
    for name in ("table", "csv", "json"):
        result = dyno.run("exec", "--db", mysql.url("own"), "--format", name,
                          "SELECT nosuch; SELECT 7 AS n, 'a,b' AS t",
                          "--on-error", "continue")
        assert "Unknown column 'nosuch'" in result.err
        out[name] = result.out
    assert out["csv"].splitlines()[-2:] == ["n,t", '7,"a,b"']
    assert "(1 row)" in out["table"] and "a,b" in out["json"]


def test_a_server_of_dynos_own_is_made_run_and_removed(dyno, mysql):
    servers = Path(tempfile.mkdtemp(prefix="dyno-servers.", dir="/tmp"))
    servers.chmod(0o755)
    result = dyno.run("run", "ping", "--server", "mysql", "--servers", servers,
                      "--bindir", Path(mysql.program).parent, "-u", 2,
                      "--iterations", 20, "--ramp-up", 0, "-q",
                      "--set", "innodb_buffer_pool_size=64M",
                      "--set", "loose_innodb_log_file_size=16M",
                      "--format", "json", timeout=180)
    assert result.code == 0, result.err
    facts = json.loads(result.out)["server"]["facts"]
    assert facts["innodb_buffer_pool_size"] == str(64 << 20)
    servers.rmdir()


def test_check_finds_what_distorts(dyno, mysql):
    result = dyno.run("check", "--db", mysql.url("own"), timeout=60)
    for name in ("innodb_doublewrite", "innodb_flush_log_at_trx_commit"):
        assert name in result.out, result.out + result.err


def test_a_server_that_is_killed_ends_the_run_with_a_reason(dyno, mysql):
    process = dyno.start("run", "tpcc", "--db", mysql.url("own"), "-u", 2,
                         "-t", "60s", "--ramp-up", "0", "--audit", "off",
                         "--foreign-keys")
    wait_until(lambda: mysql.sql(
        "SELECT COUNT(*) > 2 FROM information_schema.processlist WHERE"
        " db = 'own'") == ["1"] or process.poll() is not None,
        "users are there")
    mysql.stop(signal.SIGKILL)
    result = dyno.finish(process, timeout=120)
    assert result.code != 0
    assert "the database is gone" in result.out + result.err
