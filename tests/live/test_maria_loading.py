# SPDX-License-Identifier: MIT
"""Ways of loading MariaDB: partitions, by its own driver and by ODBC."""
import pytest

from odbc_live import maria_odbc
from test_maria_runs import COMPOSITIONS, assert_sound
from test_pg_loading import WAYS, checksums, load

CUT = """
    SELECT partition_method, COUNT(*) FROM information_schema.partitions
    WHERE table_schema = 'own' AND partition_name IS NOT NULL GROUP BY 1"""


def test_a_load_by_range_is_run_and_dropped(dyno, maria, maria_db):
    result = load(dyno, maria_db, *WAYS["range"])
    assert result.code == 0, result.err
    assert maria.sql(CUT) == ["RANGE\t12"]
    assert_sound(dyno.summary("--db", maria_db, "-u", 2, "--iterations", 200,
                              *WAYS["range"], timeout=120))
    # What is dropped by half is known, and dropped.
    maria.sql("CREATE TABLE other (i int, FOREIGN KEY (i) REFERENCES item"
              " (i_id))", "own")
    result = dyno.run("drop", "tpcc", "--db", maria_db)
    assert result.code == 1 and "foreign key" in result.err
    result = dyno.run("run", "tpcc", "--db", maria_db)
    assert result.code == 1 and "drop" in result.err
    maria.sql("DROP TABLE other", "own")
    assert dyno.run("drop", "tpcc", "--db", maria_db).code == 0
    assert maria.sql("SHOW TABLES FROM own") == []


@pytest.mark.long
def test_everything_works_on_partitions(dyno, maria, maria_db):
    want = checksums(load(dyno, maria_odbc(maria, "own"), "--verify",
                          *WAYS["range"], timeout=600))
    result = load(dyno, maria_db, "--verify", "--replace", *WAYS["hash"],
                  timeout=600)
    assert checksums(result) == want
    assert maria.sql(CUT) == ["HASH\t12"]
    for composition in COMPOSITIONS:
        assert_sound(dyno.summary(
            "--db", maria_db, "-u", 2, "--iterations", 200, "--composition",
            composition, *WAYS["hash"], timeout=300))


@pytest.mark.parametrize("by", ["range", "hash"])
def test_foreign_keys_and_partitions_are_refused_before_the_load(
        dyno, maria, maria_db, by):
    result = load(dyno, maria_db, "--foreign-keys", *WAYS[by])
    assert result.code == 2
    assert "no foreign keys on tables with partitions" in result.err
    assert maria.sql("SHOW TABLES FROM own") == []
