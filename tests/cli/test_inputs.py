# SPDX-License-Identifier: MIT
"""The shares of TPC-C's inputs, from a run without a database and from the
tables that a run leaves behind.  Seeds are fixed; each bound is stated by
clause 9.2.2.5 of the specification or is more than five standard deviations
away, so that another seed would do as well."""
import pytest

from conftest import query

# Shares are those of clause 9.2.2.5; the mean of "remote_order_share" is 1 less
# the mean of 0.99^L for L = 5..15 lines.
BOUNDS = {
    "rollback_share": (0.009, 0.011),
    "remote_line_share": (0.0095, 0.0105),
    "remote_payment_share": (0.14, 0.16),
    "by_name_share": (0.57, 0.63),
    "lines_per_order": (9.5, 10.5),
    "hottest_fifth_of_items_share": (0.83, 0.85),
    "remote_order_share": (0.0935, 0.0968),
}


@pytest.mark.slow
def test_shares_of_five_million_transactions_are_those_specified(dyno):
    d = dyno.summary("--db", "noop:", "-w", "4", "-u", "4", "--seed", "3",
                     "--iterations", "5000000")
    inputs = d["inputs"]
    for name, (low, high) in BOUNDS.items():
        assert low <= inputs[name]["value"] <= high, name
        assert inputs[name]["n"] >= 2000000, name
    for lines in range(5, 16):
        share = inputs[f"orders_of_{lines}_lines_share"]["value"]
        assert abs(share - 1 / 11) <= 0.01, lines
    shares = {"new_order": 0.45, "payment": 0.43, "order_status": 0.04,
              "delivery": 0.04, "stock_level": 0.04}
    for name, share in shares.items():
        # Five standard deviations of 0.45 are 0.0011.
        assert abs(d["transactions"][name]["share"] - share) <= 0.0012, name


@pytest.mark.parametrize("home", ["fixed", "spread"])
def test_one_warehouse_has_nothing_remote(dyno, home):
    d = dyno.summary("--db", "noop:", "-w", "1", "--iterations", "20000",
                     "--home", home)
    for name in ("remote_line_share", "remote_payment_share",
                 "remote_order_share"):
        assert d["inputs"][name]["value"] == 0


def test_the_deck_is_exact(dyno):
    """100 decks of 23 cards for each of four users."""
    d = dyno.summary("--db", "noop:", "-u", "4", "--mix", "deck",
                     "--iterations", 4 * 23 * 100)
    counts = {name: t["committed"] + t["rolled_back"]
              for name, t in d["transactions"].items()}
    assert counts == {"new_order": 4000, "payment": 4000, "order_status": 400,
                      "delivery": 400, "stock_level": 400}


def test_the_look_up_mix_has_only_look_ups(dyno):
    d = dyno.summary("--db", "noop:", "--mix", "lookup", "--iterations",
                     "60000")
    assert len(d["transactions"]) == 6
    for name, t in d["transactions"].items():
        assert name.startswith("lookup_")
        # Five standard deviations of 10000 are 456.
        assert abs(t["committed"] - 10000) < 500, name


def test_the_same_seed_draws_the_same_on_any_number_of_threads(dyno):
    args = ("--db", "noop:", "-w", "4", "-u", "8", "--iterations", "40000")
    runs = [dyno.summary(*args, "--threads", threads, "--seed", seed)
            for threads, seed in ((1, 5), (2, 5), (4, 5), (2, 6))]
    counts = [{name: t["committed"] for name, t in d["transactions"].items()}
              for d in runs]
    assert runs[0]["inputs"] == runs[1]["inputs"] == runs[2]["inputs"]
    assert counts[0] == counts[1] == counts[2]
    assert runs[3]["inputs"] != runs[0]["inputs"]


@pytest.mark.slow
def test_what_was_drawn_is_found_in_the_tables(dyno):
    """About 2700 orders and 27000 lines of two warehouses: five standard
    deviations are 0.3 points for remote lines, 0.31 for the mean of lines."""
    d = dyno.summary("--db", "sqlite:w2.sqlite", "-w", "2", "-u", "2",
                     "--iterations", "6000", "--seed", "4", "--audit", "quick",
                     timeout=120)
    assert d["valid"] is True
    db = dyno.dir / "w2.sqlite"
    (orders, lines, local), = query(
        db, "SELECT count(*), sum(o_ol_cnt), sum(o_all_local) FROM orders"
            " WHERE o_id > 3000")
    (n, remote, of_orders), = query(
        db, "SELECT count(*), sum(ol_supply_w_id <> ol_w_id),"
            " count(DISTINCT CASE WHEN ol_supply_w_id <> ol_w_id THEN"
            " (ol_w_id * 100 + ol_d_id) * 1000000 + ol_o_id END)"
            " FROM order_line WHERE ol_o_id > 3000")
    assert orders == d["transactions"]["new_order"]["committed"]
    assert n == lines
    assert of_orders == orders - local
    assert 0.007 <= remote / lines <= 0.013
    assert 9.69 <= lines / orders <= 10.31
    (payments, elsewhere), = query(
        db, "SELECT count(*), sum(h_c_w_id <> h_w_id) FROM history"
            " WHERE rowid > 60000")
    assert payments == d["transactions"]["payment"]["committed"]
    # Of 2580 payments 15 %: five standard deviations are 3.5 points.
    assert 0.115 <= elsewhere / payments <= 0.185
