# SPDX-License-Identifier: MIT
"""The audit reads tables on connections of their own, where it can."""


def audit(dyno, url, *options, code=0):
    result = dyno.run("audit", "tpcc", "--db", url, *options, timeout=120)
    assert result.code == code, result.out + result.err
    return result.out


def name_of(url):
    return next(word for word in url.split() if word.startswith("dbname="))[7:]


def test_where_no_connection_is_to_spare_cursors_read(dyno, pg, loaded):
    pg.sql("CREATE ROLE reader LOGIN CONNECTION LIMIT 2")
    try:
        pg.sql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader",
               name_of(loaded))
        alone = loaded.replace("user=dyno", "user=reader")
        for level in "full", "quick":
            text = audit(dyno, alone, "--audit", level)
            assert text == audit(dyno, loaded, "--audit", level)
            assert "passed" in text
        log = (pg.dir / "log").read_text(errors="replace")
        assert 'too many connections for role "reader"' in log
    finally:
        pg.sql("DROP OWNED BY reader", name_of(loaded))
        pg.sql("DROP ROLE reader")


def test_a_table_that_cannot_be_read_fails_only_its_checks(dyno, pg, loaded):
    pg.sql("ALTER TABLE history RENAME COLUMN h_data TO h_text",
           name_of(loaded))
    text = audit(dyno, loaded, code=3)
    assert 'column "h_data" does not exist' in " ".join(text.split())
    assert "FAILED 4 of " in " ".join(text.split())
