# SPDX-License-Identifier: MIT
"""Scripts of sysbench's package do on the server what sysbench does with them:
the same tables, the same statements for each transaction."""
import re
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path("/usr/share/sysbench")
OLTP = ["oltp_delete", "oltp_insert", "oltp_point_select", "oltp_read_only",
        "oltp_read_write", "oltp_update_index", "oltp_update_non_index",
        "oltp_write_only", "select_random_points", "select_random_ranges"]
N = 6

pytestmark = pytest.mark.skipif(
    not (shutil.which("sysbench") and FOLDER.is_dir()),
    reason="sysbench is not installed")


class Server:
    """What both kinds have: a database, sysbench's options, a log."""

    def sysbench(self, script, command, *args, code=0):
        done = subprocess.run(
            ["sysbench", *self.options, "--report-interval=0", *args,
             f"{FOLDER}/{script}.lua", command], capture_output=True,
            text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def log(self):
        """What has been logged since the last call."""
        text = self.path.read_text(errors="replace")
        new, self.seen = text[self.seen:], len(text)
        return new


class Postgres(Server):
    def __init__(self, pg, url):
        self.pg, self.url, self.path, self.seen = pg, url, pg.dir / "log", 0
        self.options = ["--db-driver=pgsql", f"--pgsql-host={pg.dir}",
                        f"--pgsql-port={pg.port}", "--pgsql-user=dyno",
                        "--pgsql-db=test"]
        pg.sql("ALTER DATABASE test SET log_statement = 'all'")

    def statements(self):
        return re.findall(
            r"LOG:  (?:statement|execute [^:]+): (.*?)\n(?=\d{4}-|\Z)",
            self.log(), re.S)

    def drop(self):
        self.pg.sql("DROP TABLE sbtest1, sbtest2", "test")

    def tables(self):
        counts = [self.pg.sql(f"SELECT count(*), min(id), max(id), "
                              f"min(length(c)), max(k) <= 500 FROM sbtest{t}",
                              "test") for t in (1, 2)]
        dump = subprocess.run(
            [f"{self.pg.programs}/pg_dump", "-s", "-h", self.pg.dir, "-p",
             str(self.pg.port), "-U", "dyno", "test"], capture_output=True,
            text=True, check=True).stdout
        return [line for line in dump.splitlines()
                if not line.startswith("\\")], counts


class Maria(Server):
    def __init__(self, maria, url):
        self.maria, self.url, self.seen = maria, url, 0
        self.path = maria.dir / "general.log"
        self.options = ["--db-driver=mysql", "--mysql-user=dyno",
                        "--mysql-db=own", f"--mysql-socket={maria.socket}"]
        maria.sql(f"SET GLOBAL general_log_file = '{self.path}';"
                  "SET GLOBAL general_log = 1")

    def statements(self):
        found, kind = [], ""
        for line in self.log().splitlines():
            head = re.match(r"(?:\d{6} +[\d:]+)?\t+ *\d+ ([A-Z][a-z ]+)\t"
                            r"(.*)", line)
            kind = head[1] if head else kind
            if kind not in ("Query", "Execute"):
                continue
            if head:
                found.append(head[2])
            else:
                found[-1] += " " + line
        return found

    def drop(self):
        self.maria.sql("DROP DATABASE own; CREATE DATABASE own")

    def tables(self):
        return [self.maria.sql(
            f"SHOW CREATE TABLE sbtest{t}; SELECT count(*), min(id), max(id),"
            f" min(length(c)), max(k) <= 500 FROM sbtest{t}", "own")
            for t in (1, 2)]


@pytest.fixture(params=["postgres", "mariadb"])
def server(request):
    if request.param == "postgres":
        yield Postgres(request.getfixturevalue("pg"),
                       request.getfixturevalue("db"))
        return
    maria = request.getfixturevalue("maria")
    yield Maria(maria, request.getfixturevalue("maria_db"))
    maria.sql("SET GLOBAL general_log = 0")


def shape(statements):
    """Without what is drawn: values, and which of the tables."""
    found = []
    for text in statements:
        text = re.sub(r"'[^']*'", "S", " ".join(text.split()))
        text = re.sub(r"sbtest\d+", "sbtest", text)
        text = re.sub(r"\$\d+|\?|-?\b\d+\b", "N", text)
        if "sbtest" in text or text in ("BEGIN", "COMMIT"):
            found.append(re.sub(r"\bS\b", "N", text))
    return found


def options(script):
    tables = 1 if script.startswith("select_random") else 2
    return [f"--tables={tables}", "--table-size=500"]


def test_a_script_sends_what_sysbench_sends(dyno, server):
    server.sysbench("oltp_read_write", "prepare", "--tables=2",
                    "--table-size=500")
    for script in OLTP:
        server.log()
        server.sysbench(script, "run", *options(script), f"--events={N}",
                        "--time=0", "--threads=1")
        theirs = shape(server.statements())
        result = dyno.run("run", FOLDER / f"{script}.lua", *options(script),
                          "--db", server.url, "-u", 1, "--iterations", N,
                          "--ramp-up", 0, "-q")
        assert result.code == 0, result.out + result.err
        ours = shape(server.statements())
        assert len(theirs) >= N, (script, theirs)
        assert ours == theirs, script


def both_are_refused(dyno, server, args):
    """The script's KEY xid (id) is none of PostgreSQL's words."""
    why = 'type modifier is not allowed for type "xid"'
    assert why in server.sysbench("oltp_read_write", "prepare", *args, code=1)
    result = dyno.run("run", FOLDER / "oltp_read_write.lua", "prepare", *args,
                      "-u", 2, "--db", server.url)
    assert result.code == 1
    assert why in result.err
    assert re.search(r"oltp_common.lua:\d+:4: SQL error.*\n +con:query",
                     result.err)


@pytest.mark.parametrize("more", [[], ["--auto-inc=off"],
                                  ["--create-secondary=off"], ["--secondary"]])
def test_prepare_makes_the_tables_that_sysbench_makes(dyno, server, more):
    args = ["--tables=2", "--table-size=500", *more]
    if more == ["--secondary"] and isinstance(server, Postgres):
        return both_are_refused(dyno, server, args)
    server.sysbench("oltp_read_write", "prepare", *args, "--threads=2")
    theirs = server.tables()
    server.drop()
    script = FOLDER / "oltp_read_write.lua"
    result = dyno.run("run", script, "prepare", *args, "-u", 2, "--db",
                      server.url)
    assert result.code == 0, result.err
    assert result.out.count("Inserting 500 records into 'sbtest") == 2
    assert server.tables() == theirs
    result = dyno.run("run", script, "cleanup", *args, "--db", server.url)
    assert result.code == 0, result.err
    with pytest.raises((RuntimeError, AssertionError,
                        subprocess.CalledProcessError)):
        server.tables()


def test_bulk_insert_fills_a_table_for_each_user(dyno, server):
    script = FOLDER / "bulk_insert.lua"
    base = ["--db", server.url, "-u", 2]
    assert dyno.run("run", script, "prepare", *base).code == 0
    result = dyno.run("run", script, *base, "--iterations", 1000, "--ramp-up",
                      0, "-q")
    assert result.code == 0, result.out + result.err
    result = dyno.run("exec", "--db", server.url,
                      "SELECT count(*), max(id) FROM sbtest1")
    assert "500" in result.out
    assert dyno.run("run", script, "cleanup", *base).code == 0


def test_a_duplicate_key_restarts_the_event_with_other_inputs(dyno, server):
    (dyno.dir / "dup.lua").write_text("""
function prepare()
   sysbench.sql.driver():connect():query("CREATE TABLE d(id int primary key)")
end
function thread_init()
   con = sysbench.sql.driver():connect()
   n, restarts = 0, 0
end
function sysbench.hooks.before_restart_event(e)
   restarts = restarts + 1
   assert(e.sql_state == "23505" or e.sql_errno == 1062, e.sql_state)
   assert(e.query:find("INSERT"))
end
function event()
   n = n + 1
   con:query("BEGIN")
   con:query("INSERT INTO d VALUES (" .. math.floor(n / 2) .. ")")
   con:query("COMMIT")
end
function thread_done()
   assert(restarts == 4, restarts)
   print("restarts " .. restarts)
end
""")
    base = ["--db", server.url, "-u", 1]
    assert dyno.run("run", "dup.lua", "prepare", *base).code == 0
    result = dyno.run("run", "dup.lua", *base, "--iterations", 6,
                      "--ignore-errors", "23505,1062", "--ramp-up", 0)
    assert result.code == 0, result.out + result.err
    assert "restarts 4" in result.err


def test_rows_come_as_text_and_null_as_nil(dyno, server):
    (dyno.dir / "rows.lua").write_text("""
function event()
   local con = sysbench.sql.driver():connect()
   local st = con:prepare("SELECT 1, 'two', NULL, 3.50")
   local rs = st:execute()
   assert(rs.nrows == 1 and rs.nfields == 4)
   local row = rs:fetch_row()
   assert(row[1] == "1" and row[2] == "two" and row[3] == nil
          and row[4] == "3.50", row[4])
   assert(rs:fetch_row() == nil)
   local a, b, c, d = con:query_row("SELECT 4, NULL, 'x', 5")
   assert(a == "4" and b == nil and c == "x" and d == "5")
   return true
end
""")
    result = dyno.run("run", "rows.lua", "--db", server.url, "-u", 1,
                      "--ramp-up", 0, "--iterations", 1)
    assert result.code == 0, result.out + result.err
