# SPDX-License-Identifier: MIT
"""dyno check and the server's counters on MariaDB, by its own driver and by
ODBC."""
import pytest

from odbc_live import maria_odbc
from test_pg_check import check

pytestmark = pytest.mark.long


@pytest.fixture(params=["own driver", "odbc"])
def url(request, maria, maria_shared):
    return maria_shared if request.param == "own driver" else maria_odbc(maria)


def test_the_way_and_the_settings_are_looked_at(dyno, maria, url):
    found = check(dyno, url)
    for name in ("round_trip", "commit"):
        assert "p50 of" in found[name]["value"]
    # The tests' server has these for speed.
    for name in ("innodb_doublewrite", "innodb_flush_log_at_trx_commit",
                 "innodb_flush_method", "innodb_buffer_pool_size"):
        assert found[name]["warning"], name
    assert "general_log" not in found
    assert found["connections"]["value"].startswith("60 allowed, 0 reserved")
    assert check(dyno, url, "-u", 500)["connections"]["warning"]
    assert maria.sql("SHOW TABLES FROM shop LIKE 'dyno_check%'") == []


def test_the_server_s_counters_are_in_the_summary(dyno, url):
    d = dyno.summary("--db", url, "-u", 2, "-t", "3s", "--audit", "off",
                     timeout=120)
    server = d["server"]
    commits = server["commits_per_transaction"]
    assert commits == pytest.approx(1, abs=0.2)
    for name in ("wal_bytes", "rows_inserted", "rows_updated", "rows_read",
                 "blocks_hit", "bytes_received"):
        assert server[f"{name}_per_transaction"] > 0, name
