# SPDX-License-Identifier: MIT
"""Loading on PostgreSQL: the same content however it is done, nothing left of
what went wrong, nobody else's tables touched."""
import signal

import pytest

from conftest import wait_until

TABLES = ["customer", "district", "history", "item", "new_order",
          "order_line", "orders", "stock", "warehouse"]
OURS = "SELECT relname FROM pg_class WHERE relnamespace =" \
       " 'public'::regnamespace AND relkind IN ('r', 'i', 'v') ORDER BY 1"
DIGEST = "; ".join(
    f"SELECT '{t}', count(*), sum(hashtextextended({t}::text, 0))"
    f" FROM {t}" for t in TABLES)


def load(dyno, url, *args, timeout=120):
    return dyno.run("load", "tpcc", "--db", url, *args, timeout=timeout)


def test_the_content_does_not_depend_on_the_number_of_threads(dyno, pg, db):
    digests = []
    for threads in (1, 2, 4):
        result = load(dyno, db, "--replace", "--threads", threads, "-q",
                      "--audit", "off")
        assert (result.code, result.err) == (0, "")
        digests.append(pg.sql(DIGEST, "test"))
    assert digests[0] == digests[1] == digests[2]
    assert digests[0][0].startswith("customer|30000|")


def test_the_audit_accepts_a_load(dyno, db):
    result = load(dyno, db, "-w", 2)
    assert result.code == 0, result.err
    assert "Audit (full)\n  passed " in result.out
    assert "failed" not in result.out
    assert "loaded 2 warehouses" in result.err


def test_table_options_and_storage_reach_every_table(dyno, pg, db):
    result = load(dyno, db, "--storage", "heap", "--table-options",
                  "WITH (fillfactor = 80)", "-q", "--audit", "off")
    assert (result.code, result.err) == (0, "")
    rows = pg.sql("SELECT c.relname, amname, reloptions FROM pg_class c JOIN"
                  " pg_am a ON a.oid = relam WHERE relkind = 'r' AND"
                  " relnamespace = 'public'::regnamespace AND relname <>"
                  " 'dyno_tpcc' ORDER BY 1", "test")
    assert rows == [f"{t}|heap|{{fillfactor=80}}" for t in TABLES]


@pytest.mark.parametrize("args, words", [
    (("--storage", "nosuch"), ["nosuch", "storage.sql"]),
    (("--table-options", "WITH (nosuch = 1)"), ["nosuch", "schema.sql"]),
    (("--table-options", "WITH ("), ["syntax error", "schema.sql"]),
], ids=["storage", "unknown option", "bad option"])
def test_a_storage_that_is_not_there_leaves_nothing(dyno, pg, db, args, words):
    result = load(dyno, db, *args, timeout=20)
    assert (result.code, result.out) == (1, "")
    for word in words:
        assert word in result.err
    assert pg.sql(OURS, "test") == []


@pytest.mark.parametrize("kind", ["TABLE stock (x int)",
                                  "VIEW stock AS SELECT 1 AS x",
                                  "TABLE dyno_tpcc_x (x int)"])
def test_tables_of_others_are_not_touched(dyno, pg, db, kind):
    pg.sql(f"CREATE {kind}", "test")
    before = pg.sql(OURS, "test")
    other = "dyno_tpcc_x" in kind
    for args in (("load", "tpcc"), ("load", "tpcc", "--replace"),
                 ("run", "tpcc"), ("drop", "tpcc")):
        if other and args[0] != "drop":
            continue
        result = dyno.run(*args, "--db", db, timeout=20)
        assert result.code == 1, result.err
        if not other:
            assert "'stock' exists and was not created by dyno" in result.err
        assert pg.sql(OURS, "test") == before


def test_data_that_is_there_is_not_loaded_over(dyno, pg, loaded):
    result = load(dyno, loaded, timeout=20)
    assert result.code == 1
    assert "2 warehouses" in result.err and "--replace" in result.err
    result = dyno.run("run", "tpcc", "--db", loaded, "-w", 3, timeout=20)
    assert result.code == 1
    assert "holds 2 warehouses, not 3 warehouses" in result.err


@pytest.mark.parametrize("before, args, words", [
    ("CREATE VIEW v AS SELECT * FROM item", (), "view v depends on"),
    ("SELECT 1", ("--table-options", "WITH (fillfactr = 3)"), "fillfactr"),
    ("SELECT 1", ("--storage", "nosuch"), "nosuch"),
], ids=["a view of another", "options", "storage"])
def test_data_that_cannot_be_replaced_stays(dyno, pg, loaded, before, args,
                                            words):
    pg.sql(before, "copy")
    digest = pg.sql(DIGEST, "copy")
    result = load(dyno, loaded, "--replace", "-w", 1, *args, timeout=60)
    assert (result.code, result.out) == (1, "")
    assert words in result.err
    assert pg.sql(DIGEST, "copy") == digest
    assert pg.sql("SELECT value FROM dyno_tpcc WHERE name = 'state'",
                  "copy") == ["complete"]


def test_data_in_the_way_of_a_view_is_not_dropped(dyno, pg, loaded):
    pg.sql("CREATE VIEW v AS SELECT * FROM orders", "copy")
    result = dyno.run("drop", "tpcc", "--db", loaded, timeout=60)
    assert result.code == 1 and "view v depends on" in result.err
    assert pg.sql("SELECT count(*) FROM item", "copy") == ["100000"]
    assert dyno.run("audit", "tpcc", "--db", loaded).code == 0


def test_drop_removes_all_that_load_made_and_no_more(dyno, pg, loaded):
    pg.sql("CREATE TABLE mine (x int)", "copy")
    result = dyno.run("drop", "tpcc", "--db", loaded)
    assert result.code == 0, result.err
    assert pg.sql(OURS, "copy") == ["mine"]
    again = dyno.run("drop", "tpcc", "--db", loaded)
    assert again.code == 1


def test_tables_go_where_the_search_path_says(dyno, pg, db):
    pg.sql("CREATE SCHEMA bench", "test")
    result = load(dyno, f"{db} options='-c search_path=bench'", "-q",
                  "--audit", "quick")
    assert result.code == 0, result.err
    assert pg.sql(OURS, "test") == []
    assert pg.sql("SELECT count(*) FROM bench.warehouse", "test") == ["1"]


@pytest.mark.smoke
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM],
                         ids=["SIGINT", "SIGTERM"])
def test_an_interrupted_load_is_removed(dyno, pg, db, number):
    process = dyno.start("load", "tpcc", "-w", 20, "--db", db)
    wait_until(lambda: pg.sql("SELECT count(*) > 0 FROM pg_stat_activity"
                              " WHERE query LIKE '%COPY \"order_line\"%'"
                              " AND pid <> pg_backend_pid()") == ["t"]
               or process.poll() is not None, "rows are written")
    process.send_signal(number)
    result = dyno.finish(process, timeout=15)
    assert (result.code, result.out) == (1, "")
    assert "what was loaded so far has been removed" in result.err
    assert "loading was interrupted" in result.err
    assert pg.sql(OURS, "test") == []


def test_a_storage_that_is_not_there_costs_no_data(dyno, pg, loaded):
    result = dyno.run("load", "tpcc", "--db", loaded, "--replace", "-w", 1,
                      "--storage", "nope")
    assert (result.code, result.out) == (1, "")
    assert '"nope"' in result.err
    assert pg.sql("SELECT count(*) FROM warehouse", "copy") == ["2"]
