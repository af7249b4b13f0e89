# SPDX-License-Identifier: MIT
"""Planned starts and pacing on PostgreSQL."""
import json
import time

import pytest

from test_pg_faults import ready, started, stored  # noqa: F401


COMPOSITIONS = ("literal", "batched", "pipelined", "single", "procs")
PAUSE_S = 2
RATE = 200
USERS = 8


def total(d, key, of="transactions"):
    """Seconds, over all transactions, of a mean in microseconds."""
    sums = 0
    for t in d[of].values():
        n = t["committed"] + t["rolled_back"] + t["failed"] + t["unknown"]
        value = t[key]["mean"] if isinstance(t[key], dict) else t[key]
        sums += n * (value or 0) / 1e6
    return sums


@pytest.mark.parametrize("connections", (None, USERS // 2))
def test_a_pause_of_the_server_is_in_every_planned_start(dyno, ready,
                                                         connections):
    args = ("--connections", connections) if connections else ()
    # One call for a transaction: what the pause held up is made good in time
    # on a slow machine too.
    finish = started(dyno, "run", "tpcc", "--ramp-up", "0", "-u", USERS, "-t",
                     "8s", "--rate", f"{RATE}/s", "--arrivals", "even",
                     "--composition", "procs", "--audit", "quick", "--db",
                     ready.url(), *args)
    time.sleep(1)
    ready.pause()
    time.sleep(PAUSE_S)
    ready.resume()
    code, out, err = finish(30)
    assert code == 0, out + err
    d = stored(dyno)
    assert d["rate"]["planned"] == 8 * RATE
    assert d["rate"]["behind_from_s"] is None
    assert d["outage"]["longest_s"] == pytest.approx(PAUSE_S, abs=0.8)
    # The first start in the pause waits for all of it, the last for nothing.
    waits = RATE * PAUSE_S ** 2 / 2
    assert total(d, "wait_us_per_transaction") > 0.7 * waits
    assert max(t["response_us"]["max"] for t in d["transactions"].values()) \
        > 0.9e6 * PAUSE_S
    assert d["transactions"]["new_order"]["response_us"]["p999"] > \
        0.8e6 * PAUSE_S
    # In the database there was one long statement for each connection.
    n = sum(t["committed"] for t in d["transactions"].values())
    quick = n * d["transactions"]["new_order"]["service_us"]["p90"] / 1e6
    assert total(d, "service_us") < \
        (connections or USERS) * (PAUSE_S + 0.5) + quick
    assert total(d, "response_us") > 0.7 * waits


@pytest.mark.parametrize("composition", COMPOSITIONS)
def test_every_composition_keeps_the_pauses(dyno, shared, composition):
    d = dyno.summary("--db", shared, "--pacing", "0.02", "-t", "4s",
                     "--composition", composition, "--connections", "1/4",
                     "--audit", "quick")
    assert_sound_without_audit(d)
    assert (d["run"]["vus"], d["run"]["connections"]) == (20, 5)
    p = d["pacing"]
    n = d["transactions"]["new_order"]
    noise = 5 * 0.61 / (n["committed"] + n["rolled_back"]) ** 0.5
    assert p["nopm_per_user"] < p["nopm_per_user_bound"] * (1 + noise)
    assert p["nopm_per_user"] == pytest.approx(p["nopm_expected"] / 20,
                                               rel=noise)


def assert_sound_without_audit(d):
    assert d["valid"] is True, d["invalid_reasons"]
    a = d["accounting"]["new_order"]
    assert (a["difference"], a["unknown"]) == (0, 0)


def test_a_rate_over_the_servers_is_not_sustained(dyno, shared):
    d = dyno.summary("--db", shared, "--rate", "50000/s", "-u", 4, "-t", "2s",
                     "--audit", "off", code=3)
    assert d["invalid_reasons"] == ["rate_not_sustained"]
    assert d["rate"]["planned"] == pytest.approx(100_000, rel=0.02)
    assert d["rate"]["not_begun"] > 50_000
    assert 0 <= d["rate"]["behind_from_s"] < 1
    assert d["throughput"]["tps"] == pytest.approx(d["rate"]["begun_per_s"],
                                                   rel=0.05)


def test_a_threshold_that_fails_is_an_exit_code(dyno, shared):
    args = ("run", "tpcc", "--db", shared, "-u", 4, "-t", "2s", "--ramp-up",
            "0", "--audit", "off", "--format", "json", "-q")
    result = dyno.run(*args, "--threshold", "new_order.p99<10s", "--threshold",
                      "tpm>1@1s", "--threshold", "errors<1%")
    assert result.code == 0, result.err
    d = json.loads(result.out)
    assert [t["passed"] for t in d["thresholds"]] == [True] * 3
    p99, tpm, errors = (t["value"] for t in d["thresholds"])
    assert p99 == pytest.approx(d["transactions"]["new_order"]["response_us"]
                                ["p99"], rel=0.001)
    assert tpm <= d["throughput"]["tpm"] and errors == 0
    result = dyno.run(*args, "--threshold", "new_order.p99<1us", "--threshold",
                      "tpm>1")
    assert result.code == 4
    assert [t["passed"] for t in json.loads(result.out)["thresholds"]] == \
        [False, True]


def test_a_limit_of_statements_is_the_workloads_alone(dyno, db):
    """Loading and the audit take longer than a millisecond."""
    result = dyno.run("run", "tpcc", "--db", db, "-w", 1, "-u", 2, "-t", "1s",
                      "--ramp-up", "0", "--statement-timeout", "1ms",
                      "--format", "json", "-q", timeout=120)
    # What of the workload took as long has failed.
    assert result.code in (0, 3), result.err
    d = json.loads(result.out)
    assert d["load"]["rows"] > 500_000
    assert d["audit"]["passed"] is True
    assert set(d["invalid_reasons"]) <= {"too_many_failed",
                                         "nothing_completed"}


def test_too_many_users_are_those_of_the_option_that_names_them(dyno, shared):
    for args in (("--stages", "1s:99"), ("--vus", "99"),
                 ("--vus", "200", "--connections", "99")):
        result = dyno.run("run", "tpcc", "--db", shared, *args)
        assert result.code == 1
        assert f"{args[-2]}: 99 connections of the users" in result.err
