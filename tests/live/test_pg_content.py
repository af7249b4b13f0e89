# SPDX-License-Identifier: MIT
"""The same seed does the same work on PostgreSQL as on SQLite, which has
integers only: cents, ten-thousandths, microseconds since 1970."""
import csv
import io
from itertools import zip_longest

import pytest

# For each table: keys and counters, money, rates, times, texts.
TABLES = {
    "item": ("i_id i_im_id", "i_price", "", "", "i_name i_data"),
    "warehouse": ("w_id", "w_ytd", "w_tax", "", "w_name w_street_1 w_street_2"
                  " w_city w_state w_zip"),
    "district": ("d_id d_w_id d_next_o_id", "d_ytd", "d_tax", "", "d_name"
                 " d_street_1 d_street_2 d_city d_state d_zip"),
    "stock": ("s_i_id s_w_id s_quantity s_ytd s_order_cnt s_remote_cnt", "",
              "", "", "s_dist_01 s_dist_02 s_dist_03 s_dist_04 s_dist_05"
              " s_dist_06 s_dist_07 s_dist_08 s_dist_09 s_dist_10 s_data"),
    "customer": ("c_id c_d_id c_w_id c_payment_cnt c_delivery_cnt",
                 "c_credit_lim c_balance c_ytd_payment", "c_discount",
                 "c_since", "c_first c_middle c_last c_street_1 c_street_2"
                 " c_city c_state c_zip c_phone c_credit c_data"),
    "history": ("h_c_id h_c_d_id h_c_w_id h_d_id h_w_id", "h_amount", "",
                "h_date", "h_data"),
    "orders": ("o_id o_d_id o_w_id o_c_id o_carrier_id o_ol_cnt o_all_local",
               "", "", "o_entry_d", ""),
    "new_order": ("no_o_id no_d_id no_w_id", "", "", "", ""),
    "order_line": ("ol_o_id ol_d_id ol_w_id ol_number ol_i_id ol_supply_w_id"
                   " ol_quantity", "ol_amount", "", "ol_delivery_d",
                   "ol_dist_info"),
}
# What turns a column into that of SQLite, which is left as it is.
POSTGRES = ("{0}", "({0} * 100)::bigint", "({0} * 10000)::bigint",
            "(extract(epoch FROM {0}) * 1000000)::bigint", "{0}")
PLAIN = ("{0}",) * len(POSTGRES)


def select(table, forms, load_time):
    """Times of the run itself, which differ, become -1."""
    columns = []
    for kind, (names, form) in enumerate(zip(TABLES[table], forms)):
        for name in names.split():
            value = form.format(name)
            if kind == 3:
                value = f"CASE WHEN {value} <= {load_time} THEN {value}" \
                        f" WHEN {name} IS NOT NULL THEN -1 END"
            columns.append(f"{value} AS {name}")
    return f"SELECT {', '.join(columns)} FROM {table}"


def rows(dyno, url, sql):
    result = dyno.run("exec", "--db", url, "--format", "csv", sql, timeout=120)
    assert (result.code, result.err) == (0, "")
    return result.out


def assert_same_table(dyno, table, pg_url, sqlite_url):
    load_time, = rows(dyno, sqlite_url, "SELECT value FROM dyno_tpcc WHERE"
                      " name = 'load_time_us'").split()[1:]
    outs = [rows(dyno, url, select(table, forms, load_time)) for url, forms in
            ((pg_url, POSTGRES), (sqlite_url, PLAIN))]
    lines = [out.splitlines() for out in outs]
    assert lines[0][0] == lines[1][0]
    for one in lines:
        one.sort()
    if lines[0] == lines[1]:
        return
    for a, b in zip_longest(*lines, fillvalue=""):
        parsed = [next(csv.reader(io.StringIO(x)), []) for x in (a, b)]
        assert parsed[0] == parsed[1], table


@pytest.mark.parametrize("composition", ["literal", "batched"])
def test_2000_transactions_leave_the_same_content_as_on_sqlite(
        dyno, loaded, sqlite, composition):
    for url in (loaded, sqlite):
        d = dyno.summary("--db", url, "-u", 1, "--iterations", 2000, "--seed",
                         1, "--composition", composition, "--audit", "off",
                         timeout=120)
        assert d["valid"] is True
    for table in TABLES:
        assert_same_table(dyno, table, loaded, sqlite)


def test_the_population_is_the_same_as_on_sqlite(dyno, loaded, sqlite):
    for table in TABLES:
        assert_same_table(dyno, table, loaded, sqlite)
