# SPDX-License-Identifier: MIT
"""The faults of other TPC-C clients, planted one by one: the audit names each.

Three ways: statements of dyno's own with a piece replaced (--sql-dir), rows
changed after the load, and the program dyno_faulty (tests/faults).
"""
import json
import os

import pytest

from conftest import ROOT, Dyno
from maria_live import SHOP

FLOATS = "money is added as floats"
TWELVE_USERS = ("-u", 12, "-t", "3s")

# Name: checks of which at least one must fail, other arguments, and for each
# statement what is replaced by what.  The data have two warehouses, so the
# other one is 3 - w.
STATEMENTS = {
    "remote lines update the home stock": (
        {"state_stock"}, (), {
            "literal/new_order_update_stock": (
                "s_w_id = :supply_w_id",
                "s_w_id = CASE WHEN :remote = 0 THEN :supply_w_id"
                " ELSE 3 - :supply_w_id END")}),
    "stock counters are not updated": (
        {"state_stock"}, (), {
            "literal/new_order_update_stock": (
                "s_order_cnt = s_order_cnt + 1", "s_order_cnt = s_order_cnt")}),
    "remote stock counters are not updated": (
        {"state_stock"}, (), {
            "literal/new_order_update_stock": (
                "s_remote_cnt + :remote", "s_remote_cnt + 0 * :remote")}),
    "payments are not counted": (
        {"state_payments"}, (), {
            "literal/payment_update_customer": (
                "c_payment_cnt = c_payment_cnt + 1",
                "c_payment_cnt = c_payment_cnt")}),
    FLOATS: (
        {"condition_8"}, (), {
            "literal/payment_update_warehouse": (
                "w_ytd + :amount", "CAST(w_ytd + :amount AS real)")}),
    "order lines are delivered at birth": (
        {"condition_7"}, (), {
            "literal/new_order_insert_line": (":supply_w_id, NULL,",
                                              ":supply_w_id, {now},")}),
    "a surname finds nobody": (
        {"outputs_by_name"}, (), {
            "literal/payment_customers_by_name": ("c_last = :c_last",
                                                  "c_last = :c_last || '$8'")}),
    "a surname finds anybody": (
        {"outputs_by_name"}, (), {
            "literal/payment_customers_by_name": (
                "c_last = :c_last", "c_last >= substr(:c_last, 1, 0)")}),
    "the first of a surname instead of the middle": (
        {"outputs_by_name"}, (), {
            "literal/payment_customers_by_name": ("c_id;", "c_id LIMIT 1;")}),
    "a delivery takes ten orders of one district": (
        {"state_delivery_districts"}, (), {
            f"literal/delivery_{name}": (":d_id", "(1 + 0 * :d_id)")
            for name in ("oldest", "delete", "read_order", "update_order",
                         "update_lines", "sum_lines", "update_customer")}),
}


def failed_checks(program, url, *args, **kwargs):
    """Name and detail of the checks that fail after a run."""
    result = program.run("run", "tpcc", "--db", url, "--ramp-up", 0, "-q",
                         "--format", "json", *args, **kwargs)
    assert result.code in (0, 3), result.err
    d = json.loads(result.out)
    failed = {c["name"]: c["detail"] for c in d["audit"]["checks"]
              if c["passed"] is False}
    assert ("audit_failed" in d["invalid_reasons"]) == bool(failed)
    assert all(failed.values())
    return failed


def assert_named(wanted, failed):
    assert wanted & set(failed), failed


def plant(folder, dialect, edits):
    """A folder for --sql-dir: statements of dyno's own, a piece replaced."""
    # SQLite has microseconds for a time.
    now = "1700000000000000" if dialect == "sqlite" else "now()"
    for name, (old, new) in edits.items():
        path = f"tpcc/{dialect}/{name}.sql"
        text = (ROOT / "sql" / path).read_text()
        assert old in text, path
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text.replace(old, new.format(now=now)))
    return folder


@pytest.mark.parametrize("fault", STATEMENTS)
def test_a_faulty_statement_is_named(dyno, loaded, fault):
    wanted, args, edits = STATEMENTS[fault]
    folder = plant(dyno.dir / "sql", "postgres", edits)
    assert_named(wanted, failed_checks(
        dyno, loaded, *TWELVE_USERS, "--composition", "literal", "--sql-dir",
        folder, *args))


# Its money is whole cents, which a double holds.
@pytest.mark.parametrize("fault", sorted(set(STATEMENTS) - {FLOATS}))
def test_a_faulty_statement_is_named_on_sqlite(dyno, sqlite, fault):
    wanted, args, edits = STATEMENTS[fault]
    folder = plant(dyno.dir / "sql", "sqlite", edits)
    assert_named(wanted, failed_checks(
        dyno, sqlite, "-u", 4, "--iterations", 2000, "--composition",
        "literal", "--sql-dir", folder, *args))


# Exact decimals take a double without losing a cent here.
@pytest.mark.long
@pytest.mark.parametrize("fault", sorted(set(STATEMENTS) - {FLOATS}))
def test_a_faulty_statement_is_named_on_mariadb(dyno, maria_copy, fault):
    wanted, args, edits = STATEMENTS[fault]
    folder = plant(dyno.dir / "sql", "mysql", edits)
    assert_named(wanted, failed_checks(
        dyno, maria_copy.url(SHOP), "-u", 4, "--iterations", 2000,
        "--composition", "literal", "--sql-dir", folder, *args, timeout=120))


# Name: checks, and what is done to the rows after the load.
ROWS = {
    "half of the customers have no order": (
        {"population_orders"},
        "UPDATE orders SET o_c_id = (o_c_id + 1) / 2 WHERE o_d_id = 1"),
    "half of the customers have bad credit": (
        {"population_customer_credit"},
        "UPDATE customer SET c_credit = 'BC' WHERE c_id % 2 = 0"),
    "money is float": (
        {"condition_1"},
        "ALTER TABLE warehouse ALTER w_ytd TYPE real;"
        "ALTER TABLE district ALTER d_ytd TYPE real"),
    "a district earned what nobody paid": (
        {"condition_9"},
        "UPDATE district SET d_ytd = d_ytd + 0.01 WHERE d_w_id = 2"
        " AND d_id = 7"),
}


@pytest.mark.parametrize("fault", ROWS)
def test_faulty_rows_are_named(dyno, pg, loaded, fault):
    wanted, sql = ROWS[fault]
    pg.sql(sql, "copy")
    assert_named(wanted, failed_checks(dyno, loaded, "-u", 4, "--iterations",
                                       400))


@pytest.mark.long
@pytest.mark.parametrize("fault", ROWS)
def test_faulty_rows_are_named_on_mariadb(dyno, maria_copy, fault):
    wanted, sql = ROWS[fault]
    for column in ("w_ytd", "d_ytd"):
        sql = sql.replace(f"ALTER {column} TYPE real",
                          f"MODIFY {column} float")
    maria_copy.sql(sql, SHOP)
    assert_named(wanted, failed_checks(
        dyno, maria_copy.url(SHOP), "-u", 4, "--iterations", 400,
        timeout=120))


# Name: checks, of the program with that fault in it.
PROGRAMS = {
    "uniform_items": {"inputs_items"},
    "home_only": {"inputs_remote_lines"},
    "committed_rollback": {"condition_6", "accounting"},
    "same_constant": {"inputs_constants"},
}


@pytest.fixture
def faulty(dyno):
    program = Dyno(dyno.dir)
    program.bin = dyno.bin.parent / "tests" / "faults" / "dyno_faulty"
    if not os.access(program.bin, os.X_OK):
        pytest.skip(f"there is no {program.bin}: built without tests")
    return program


@pytest.mark.parametrize("fault", PROGRAMS)
def test_a_faulty_client_is_named(faulty, loaded, fault):
    assert_named(PROGRAMS[fault], failed_checks(
        faulty, loaded, *TWELVE_USERS, "--composition", "literal",
        env={"DYNO_FAULT": fault}))


@pytest.mark.long
def test_a_faulty_client_is_named_on_mariadb(faulty, maria_copy):
    fault = "committed_rollback"
    assert_named(PROGRAMS[fault], failed_checks(
        faulty, maria_copy.url(SHOP), *TWELVE_USERS, "--composition",
        "literal", env={"DYNO_FAULT": fault}, timeout=120))


ABSOLUTE = ("c_balance = c_balance - :amount",
            "c_balance = (SELECT c_balance FROM customer AS o WHERE o.c_w_id ="
            " :w_id AND o.c_d_id = :d_id AND o.c_id = :c_id) - :amount")


@pytest.mark.parametrize("edits, lost", [
    ({}, False),
    ({"literal/payment_read_customer": ("FOR NO KEY UPDATE", ""),
      "literal/payment_update_customer": ABSOLUTE,
      "literal/payment_update_bad_customer": ABSOLUTE}, True),
], ids=["relative", "absolute"])
def test_a_balance_written_as_it_was_read_is_named(faulty, loaded, edits,
                                                   lost):
    """Where twelve users pay for one customer; only then a payment is lost."""
    args = ("--sql-dir", plant(faulty.dir / "sql", "postgres", edits))
    failed = failed_checks(
        faulty, loaded, *TWELVE_USERS, "--composition", "literal",
        "--isolation", "read-committed", *(args if lost else ()),
        env={"DYNO_FAULT": "one_customer"})
    named = {"condition_10", "condition_12"}
    assert named & set(failed) == (named if lost else set())
