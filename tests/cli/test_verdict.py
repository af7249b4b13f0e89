# SPDX-License-Identifier: MIT
"""Runs and data that do not count, and why."""
import json

import pytest

from conftest import query

NO_ORDERS = ("CREATE TRIGGER no_orders BEFORE INSERT ON orders BEGIN"
             " SELECT raise(abort, 'no orders today'); END")


def test_a_run_in_which_everything_fails_is_not_valid(dyno, loaded):
    query(loaded, NO_ORDERS)
    args = ("--db", f"sqlite:{loaded}", "--iterations", "16", "--mix",
            "new_order=1")
    d = dyno.summary(*args, code=3)
    assert d["valid"] is False
    assert d["invalid_reasons"] == ["nothing_completed", "too_many_failed"]
    assert d["run"]["status"] == "complete"
    assert d["transactions"]["new_order"]["failed"] == 16
    assert set(d["throughput"][name] for name in
               ("tps", "tpm", "nopm", "nopm_completed")) == {0}
    assert d["accounting"]["new_order"]["difference"] == 0
    error, = d["errors"]
    assert error["transaction"] == "new_order"
    assert error["class"] == "constraint"
    assert error["count"] == 16
    assert error["text"] == "no orders today"
    result = dyno.run("run", "tpcc", *args, "--ramp-up", "0")
    assert result.code == 3
    assert "NOT VALID" in result.out.splitlines()[0]
    assert "0.0 NOPM" in result.out
    assert "no orders" in result.out


def test_failures_are_forgiven_up_to_the_share_allowed(dyno, loaded):
    query(loaded, NO_ORDERS)
    args = ("--db", f"sqlite:{loaded}", "--iterations", "200", "--mix",
            "new_order=1,order_status=4", "--audit", "off")
    d = dyno.summary(*args, "--max-failed", "0.1", code=3)
    assert d["invalid_reasons"] == ["too_many_failed"]
    d = dyno.summary(*args, "--max-failed", "50%")
    assert d["valid"] is True
    assert d["transactions"]["new_order"]["failed"] > 0


def test_a_run_that_aborts_on_error_ends_early(dyno, loaded):
    query(loaded, NO_ORDERS)
    d = dyno.summary("--db", f"sqlite:{loaded}", "-t", "60s", "--on-error",
                     "abort", "--audit", "quick", code=5)
    assert d["run"]["status"] == "partial"
    assert "ended by an error" in d["run"]["partial_reason"]
    assert "window_incomplete" in d["invalid_reasons"]
    assert d["errors"][0]["text"] == "no orders today"


# What is done to the data, the check that finds it, and what it must say.
FAULTS = [
    ("UPDATE warehouse SET w_ytd = w_ytd + 1", "condition_1",
     ["warehouse 1", "300000.01", "300000.00"]),
    ("UPDATE district SET d_next_o_id = 3002 WHERE d_id = 4", "condition_2",
     ["district 4", "3001"]),
    ("DELETE FROM new_order WHERE no_d_id = 2 AND no_o_id = 2500",
     "condition_3", ["district 2"]),
    ("UPDATE orders SET o_ol_cnt = o_ol_cnt + 1 WHERE o_d_id = 3"
     " AND o_id = 7", "condition_4", ["district 3"]),
    ("UPDATE customer SET c_balance = c_balance + 1 WHERE c_d_id = 5"
     " AND c_id = 9", "condition_10", ["district 5"]),
    ("DELETE FROM item WHERE i_id = 77", "population_item", ["99999"]),
]


@pytest.mark.parametrize("sql, check, details", FAULTS,
                         ids=[check for _, check, _ in FAULTS])
def test_a_planted_fault_is_found_and_named(dyno, loaded, sql, check,
                                            details):
    query(loaded, sql)
    result = dyno.run("audit", "tpcc", "--db", f"sqlite:{loaded}", "--format",
                      "json")
    assert result.code == 3, result.err
    audit = json.loads(result.out)["audit"]
    assert audit["passed"] is False
    found = {c["name"]: c for c in audit["checks"] if c["passed"] is False}
    assert check in found, found
    for detail in details:
        assert detail in found[check]["detail"]


def test_the_audit_prints_the_fault_for_people(dyno, loaded):
    query(loaded, FAULTS[0][0])
    result = dyno.run("audit", "tpcc", "--db", f"sqlite:{loaded}")
    assert result.code == 3
    text = " ".join(result.out.split())
    assert "FAILED" in text and "condition_1" in text
    assert "warehouse 1: w_ytd 300000.01, sum of d_ytd 300000.00" in text


def test_a_run_on_faulty_data_is_not_valid(dyno, loaded):
    query(loaded, FAULTS[0][0])
    d = dyno.summary("--db", f"sqlite:{loaded}", "--iterations", "200", code=3)
    assert d["invalid_reasons"] == ["audit_failed"]
    assert d["audit"]["passed"] is False
    assert d["transactions"]["new_order"]["committed"] > 0


def test_an_audit_without_data_says_what_to_do(dyno):
    (dyno.dir / "dyno-results").mkdir()
    result = dyno.run("audit", "tpcc")
    assert (result.code, result.out) == (1, "")
    assert "holds no tpcc data; load it with 'dyno load tpcc'" in result.err
