# SPDX-License-Identifier: MIT
"""Planned starts, pacing and stages, on no database."""
import json

import pytest


def noop(dyno, *args, code=0):
    result = dyno.run("run", "tpcc", "--db", "noop:", "-w", "4", "-q",
                      "--format", "json", *args)
    assert result.code == code, result.err + result.out
    return json.loads(result.out)


@pytest.mark.parametrize("rate", (7, 999, 20000))
def test_a_rate_is_kept_and_counted(dyno, rate):
    d = noop(dyno, "--rate", f"{rate}/s", "--arrivals", "even", "-u", "16",
             "-t", "2s", "--ramp-up", "200ms")
    r = d["rate"]
    assert r["target_per_s"] == rate
    assert r["planned"] == 2 * rate
    assert (r["planned"], r["behind_from_s"]) == (r["begun"] + r["not_begun"],
                                                  None)
    # What is planned just before the end may end just after it.
    ended = sum(t["committed"] + t["rolled_back"]
                for t in d["transactions"].values())
    assert abs(ended - r["begun"]) <= max(16, rate // 20)


def test_random_starts_are_the_same_on_any_number_of_threads(dyno):
    planned = {noop(dyno, "--rate", "500", "-u", "8", "-t", "2s", "--ramp-up",
                    "100ms", "--threads", threads)["rate"]["planned"]
               for threads in (1, 2, 3)}
    assert len(planned) == 1
    # Within five deviations of a Poisson count.
    assert abs(planned.pop() - 1000) < 5 * 1000 ** 0.5


def test_a_rate_that_is_too_much_says_since_when(dyno):
    result = dyno.run("run", "tpcc", "-w", "1", "-u", "2", "--rate", "100000/s",
                      "-t", "2s", "--ramp-up", "100ms", "--audit", "off",
                      "--format", "json", "-q", timeout=120)
    assert result.code == 3, result.err
    d = json.loads(result.out)
    assert "rate_not_sustained" in d["invalid_reasons"]
    r = d["rate"]
    assert 0 <= r["behind_from_s"] < 1.5
    assert r["planned"] == pytest.approx(200_000, rel=0.02)
    assert r["not_begun"] == r["planned"] - r["begun"] > 0
    # The wait of those that did begin is in their response time, not in the
    # service time.
    new_order = d["transactions"]["new_order"]
    assert new_order["response_us"]["p50"] > \
        10 * new_order["service_us"]["p50"]
    assert new_order["late_us_per_transaction"] > 100_000


def test_paced_users_stay_below_their_bound(dyno):
    d = noop(dyno, "--pacing", "0.005", "-t", "4s", "--ramp-up", "1s")
    assert d["run"]["vus"] == 40
    p = d["pacing"]
    assert p["factor"] == 0.005
    # 1.286 at the shares of the mix, 200 times as fast.
    assert p["nopm_per_user_bound"] == pytest.approx(200 * 1.2863, rel=0.06)
    n = d["transactions"]["new_order"]["committed"]
    assert p["nopm_per_user"] == pytest.approx(
        p["nopm_expected"] / 40, rel=5 * 0.61 / n ** 0.5)


def test_users_come_and_go_with_the_stages(dyno):
    result = dyno.run("run", "ping", "--db", "noop:", "--stages",
                      "400ms:1,400ms:3,400ms:2", "--ramp-up", "100ms",
                      "--progress", "100ms", "--interval", "100ms")
    assert result.code == 0, result.err
    seen = [int(line.split("tx/s")[1].split()[0])
            for line in result.err.splitlines() if "measure" in line]
    most = seen.index(3)
    assert (seen[0], seen[-1]) == (1, 2)
    assert seen[:most] == sorted(seen[:most])
    assert "interval                1.20s" in result.out


@pytest.mark.parametrize("args, words", [
    (("--rate", "none"), "--rate: 'none' is not a rate"),
    (("--rate", "5/s", "--pacing", "spec"), "--pacing does not go"),
    (("--stages", "1m"), "--stages: '1m' is not LENGTH:USERS"),
    (("--stages", "1m:5", "-t", "1s"), "--duration"),
    (("--arrivals", "even"), "--arrivals is of planned starts: add --rate"),
    (("--connections", "100001"), "--connections: that is more than the 1000"),
    (("--connections", "many"), "--connections: 'many' is not a number"),
    (("--mix", "lookup", "--pacing", "spec"), "--pacing: the transactions"),
])
def test_what_is_no_load_is_wrong_usage(dyno, args, words):
    result = dyno.run("run", "tpcc", "--db", "noop:", *args)
    assert (result.code, result.out) == (2, "")
    assert words in result.err


def test_what_has_no_pacing_says_so(dyno):
    result = dyno.run("run", "ping", "--db", "noop:", "--pacing", "spec")
    assert result.code == 2
    assert "--pacing: the transactions" in result.err


def test_users_enter_one_after_the_other(dyno):
    result = dyno.run("run", "ping", "--db", "noop:", "-u", "10", "--ramp-up",
                      "1s", "-t", "100ms", "--progress", "100ms",
                      "--interval", "100ms")
    assert result.code == 0, result.err
    seen = [int(line.split("tx/s")[1].split()[0])
            for line in result.err.splitlines() if "ramp-up" in line]
    assert seen == sorted(seen)
    assert len(set(seen)) >= 4
