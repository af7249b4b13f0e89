# SPDX-License-Identifier: MIT
"""dyno check on PostgreSQL."""
import json

import pytest


def check(dyno, url, *args):
    result = dyno.run("check", "--db", url, "--format", "json", *args)
    assert result.code == 0, result.err
    return {f["name"]: f for f in json.loads(result.out)["findings"]}


@pytest.mark.smoke
def test_the_way_to_the_server_is_measured(dyno, pg, db):
    found = check(dyno, db)
    for name in ("round_trip", "commit"):
        assert "p50 of" in found[name]["value"]
        assert "not measured" not in found[name]["value"]
    assert f"process {pg.server.pid} (postgres)" in found["server"]["value"]
    assert found["data_disk"]["value"].endswith(f"free at {pg.data}")
    assert pg.sql("SELECT count(*) FROM pg_class WHERE relname LIKE 'dyno%'",
                  "test") == ["0"]


def test_settings_that_distort_are_named(dyno, pg, db):
    found = check(dyno, db)
    # The tests' server has these for speed.
    for name in ("fsync", "full_page_writes", "shared_buffers"):
        assert found[name]["warning"], name
    assert "autovacuum" not in found
    pg.sql("ALTER DATABASE test SET synchronous_commit = off")
    pg.sql("ALTER DATABASE test SET log_statement = 'all'")
    found = check(dyno, db)
    assert found["synchronous_commit"]["value"] == "off"
    assert found["log_statement"]["warning"]


def test_limits_are_compared_with_what_is_meant(dyno, pg, db):
    assert not check(dyno, db, "-u", 4)["connections"]["warning"]
    limits = check(dyno, db, "-u", 500)["connections"]
    assert limits["warning"]
    assert limits["value"].startswith("40 allowed, 1 reserved, ")


def test_a_user_without_rights_learns_what_it_may(dyno, pg, db):
    found = check(dyno, pg.url("test", user="guest", tcp=True))
    assert "p50 of" in found["round_trip"]["value"]
    assert found["fsync"]["warning"]
    # Where the data is may not be known to everybody.
    assert "data_disk" not in found


def test_a_run_keeps_the_cheap_part(dyno, pg, db):
    result = dyno.run("run", "ping", "--db", db, "-u", 1, "--iterations", 50,
                      "-q", "--format", "json")
    assert result.code == 0, result.err
    found = {f["name"]: f for f in json.loads(result.out)["preflight"]}
    assert {"round_trip", "commit", "server", "fsync"} <= set(found)
    assert "timers" not in found
