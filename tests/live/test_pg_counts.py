# SPDX-License-Identifier: MIT
"""Statements and round trips: as few as promised, and as many as the server
counts."""
import pytest

# Statements of the run itself; the rest is before and after it.
COUNT = """
    SELECT coalesce(sum(calls), 0) FROM pg_stat_statements
    WHERE dbid = (SELECT oid FROM pg_database WHERE datname = 'copy')
"""
N = 4000


@pytest.fixture
def statements(pg, loaded):
    pg.sql("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
    yield loaded
    pg.sql("DROP EXTENSION pg_stat_statements")


def counted(dyno, pg, url, *args):
    """A run of one user: its summary, and the server's count."""
    pg.sql("SELECT pg_stat_statements_reset()")
    d = dyno.summary("--db", url, "-u", 1, "--iterations", N, "--seed", 11,
                     "--audit", "off", "--telemetry", "off", *args,
                     timeout=120)
    assert d["valid"] is True
    assert sum(t["retries"] for t in d["transactions"].values()) == 0
    return d, int(pg.sql(COUNT)[0])


@pytest.mark.parametrize("composition, least, most",
                         [("literal", 28.5, 29.5), ("batched", 5.0, 6.3)])
def test_the_server_counts_as_many_statements_as_dyno(
        dyno, pg, statements, composition, least, most):
    d, server = counted(dyno, pg, statements, "--composition", composition)
    client = d["statements_per_transaction"] * N
    assert client == pytest.approx(server, rel=0.01)
    trips = d["round_trips_per_transaction"]
    assert least <= trips <= most
    # Only statements of one step share a flight.
    assert trips <= d["statements_per_transaction"] <= trips + 0.5


def test_without_prepared_statements_there_are_no_more(dyno, pg, statements):
    args = ("--composition", "batched")
    prepared, _ = counted(dyno, pg, statements, *args)
    # The same seed draws the same inputs in another run, too.
    plain, server = counted(dyno, pg, statements, *args, "--no-prepare")
    assert plain["statements_per_transaction"] * N == pytest.approx(
        server, rel=0.01)
    assert plain["round_trips_per_transaction"] == pytest.approx(
        prepared["round_trips_per_transaction"], rel=0.01)


def test_ping_is_one_statement_a_transaction(dyno, pg, statements):
    pg.sql("SELECT pg_stat_statements_reset()")
    result = dyno.run("run", "ping", "--db", statements, "-u", 1,
                      "--iterations", N, "-q")
    assert result.code == 0, result.err
    pings = pg.sql("SELECT sum(calls) FROM pg_stat_statements WHERE query ="
                   " 'SELECT $1::int'")
    assert pings == [str(N)]
