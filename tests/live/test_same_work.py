# SPDX-License-Identifier: MIT
"""The same seed does the same work in each composition: the same content of the
database, and the same rows written on the way there."""
import json

import pytest

from conftest import Dyno
from once import once

COMPOSITIONS = ("literal", "batched", "pipelined", "single", "procs")
WAYS = {name: ("--composition", name) for name in COMPOSITIONS}
WAYS["procedure"] = ("--composition", "procs", "--call", "procedure")
OTHERS = [way for way in WAYS if way != "literal"]
# What is compared; the times of the run differ.
ROWS = {
    "item": "t", "warehouse": "t", "district": "t", "stock": "t",
    "customer": "t", "new_order": "t",
    "history": "(h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_amount,"
               " h_data)",
    "orders": "(o_id, o_d_id, o_w_id, o_c_id, o_carrier_id, o_ol_cnt,"
              " o_all_local)",
    "order_line": "(ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id,"
                  " ol_supply_w_id, ol_quantity, ol_amount, ol_dist_info,"
                  " ol_delivery_d IS NULL)",
}
OUTCOMES = ("committed", "rolled_back", "failed")


def content(pg, dbname):
    """Of each table the number of rows and a sum of their digests."""
    return {table: pg.sql(f"SELECT count(*), sum(hashtextextended({row}::text,"
                          f" 0)) FROM {table} AS t", dbname)
            for table, row in ROWS.items()}


def written(pg, dbname):
    """Rows inserted, updated and deleted in each table, those of transactions
    that rolled back included."""
    return {name: tuple(map(int, counts)) for name, *counts in (
        line.split("|") for line in pg.sql(
            "SELECT relname, n_tup_ins, n_tup_upd, n_tup_del FROM"
            " pg_stat_user_tables WHERE relname <> 'dyno_tpcc'", dbname))}


def work(dyno, url, way, iterations, seed):
    d = dyno.summary("--db", url, "-u", 1, "--iterations", iterations,
                     "--seed", seed, "--audit", "off", *WAYS[way], timeout=120)
    assert (d["valid"], d["errors"]) == (True, [])
    assert d["client"]["run_path_allocations"] == 0
    return {name: [t[outcome] for outcome in OUTCOMES]
            for name, t in d["transactions"].items()}


@pytest.fixture(scope="session")
def literal(pg, template):
    """Outcomes and content after 2,000 transactions of the reference, and the
    content before."""
    with once("literal-content") as (folder, made):
        if not made:
            pg.copy(template, "literal")
            outcomes = work(Dyno(folder), pg.url("literal"), "literal", 2000, 1)
            (folder / "it.json").write_text(json.dumps(
                [outcomes, content(pg, "literal"), content(pg, template)]))
            pg.sql("DROP DATABASE literal WITH (FORCE)")
        return json.loads((folder / "it.json").read_text())


@pytest.mark.parametrize("way", OTHERS)
def test_2000_transactions_leave_the_same_content_as_literal(
        dyno, pg, loaded, literal, way):
    outcomes, after, before = literal
    assert work(dyno, loaded, way, 2000, 1) == outcomes
    assert outcomes["new_order"][1] > 0, "none rolled back"
    assert content(pg, "copy") == after
    changed = {table for table in ROWS if after[table] != before[table]}
    assert changed == set(ROWS) - {"item"}


# With this seed no order rolls back and none has an item twice, so nothing is
# left that a composition may rightly write in another number.
PLAIN = (150, 23)


@pytest.fixture(scope="session")
def literal_writes(pg, template):
    with once("literal-writes") as (folder, made):
        if not made:
            pg.copy(template, "literal")
            outcomes = work(Dyno(folder), pg.url("literal"), "literal", *PLAIN)
            assert outcomes["new_order"][1] == 0
            twice = pg.sql(
                "SELECT count(*) - count(DISTINCT (ol_w_id, ol_d_id, ol_o_id,"
                " ol_supply_w_id, ol_i_id)) FROM order_line WHERE ol_o_id >"
                " 3000", "literal")
            assert twice == ["0"]
            (folder / "it.json").write_text(json.dumps(written(pg, "literal")))
            pg.sql("DROP DATABASE literal WITH (FORCE)")
        return {name: tuple(counts) for name, counts in
                json.loads((folder / "it.json").read_text()).items()}


@pytest.mark.parametrize("way", OTHERS)
def test_the_server_writes_the_same_rows_as_for_literal(
        dyno, pg, loaded, literal_writes, way):
    work(dyno, loaded, way, *PLAIN)
    assert written(pg, "copy") == literal_writes
    assert literal_writes["order_line"][0] > 300
    assert literal_writes["customer"][1] > 30
    assert literal_writes["new_order"][2] > 0
