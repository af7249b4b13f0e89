# SPDX-License-Identifier: MIT
"""Scripts for sysbench, on SQLite."""
import json
import re

import pytest

from conftest import ROOT, query

DOCUMENT = (ROOT / "docs" / "workloads.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```lua\n(.*?)^```", DOCUMENT, re.M | re.S)
ONCE = ("-u", 1, "--iterations", 1, "--ramp-up", 0)


def write(dyno, text, name="s.lua"):
    (dyno.dir / name).write_text(text, encoding="utf-8")


def summary(dyno, *args, code=0):
    result = dyno.run("run", "s.lua", "-u", 2, "--ramp-up", 0, "-q",
                      "--format", "json", *args)
    assert result.code == code, result.err + result.out
    return json.loads(result.out)


def completed(d):
    return sum(t["committed"] for t in d["transactions"].values())


def errors(dyno, *args):
    """The texts of a run that is not valid."""
    d = summary(dyno, *args, code=3)
    return [e["text"] for e in d["errors"]]


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples_of_the_documentation_run(dyno, example):
    write(dyno, example)
    if "function prepare" in example:
        result = dyno.run("run", "s.lua", "prepare")
        assert result.code == 0, result.err
    d = summary(dyno, "--iterations", 40)
    assert d["valid"] is True and completed(d) == 40
    if "function check" in example:
        assert d["audit"]["passed"] is True
    if "function cleanup" in example:
        assert dyno.run("run", "s.lua", "cleanup").code == 0


def test_a_mistake_names_its_place_as_the_documentation_says(dyno):
    shown = re.search(r"^```\n(items.lua:3.*?)^```", DOCUMENT, re.M | re.S)
    write(dyno, "\nfunction event()\n   con:query(\"SELECT 1\")\nend\n",
          "items.lua")
    result = dyno.run("run", "items.lua", *ONCE, "--format", "json")
    assert result.code == 3
    assert json.loads(result.out)["errors"][0]["text"] == shown[1].rstrip()
    assert "the script failed: " + shown[1].rstrip() in result.err


@pytest.mark.parametrize("text, place, caret", [
    ("function event()\n  x = = 1\nend\n", "s.lua:2:5: ", 4),
    ("local t\nt.a = 1\n", "s.lua:2:1: ", 0),
    ("  error('stop here')\n", "s.lua:1:3: stop here", 2),
])
def test_a_script_that_cannot_be_loaded_ends_before_the_run(dyno, text, place,
                                                            caret):
    write(dyno, text)
    result = dyno.run("run", "s.lua")
    assert result.code == 2
    assert place in result.err
    assert result.err.splitlines()[2] == "  " + caret * " " + "^"
    assert not (dyno.dir / "dyno-results").exists()


def test_a_statement_that_a_command_sends_in_vain_is_shown(dyno):
    write(dyno, """
function prepare()
   sysbench.sql.driver():connect():query("SELEKT 1")
end
""")
    result = dyno.run("run", "s.lua", "prepare")
    assert result.code == 1
    assert "s.lua:3:" in result.err and "SELEKT" in result.err
    assert result.err.rstrip().endswith("^")


def test_options_of_a_script_are_in_the_help_and_checked(dyno):
    write(dyno, """
sysbench.cmdline.options = {
   table_size = {"Rows of a table", 10}, fast = {"Be fast", false},
   names = {"Some names", {"a", "b"}}, vus = {"Taken by dyno", "x"},
   free = {"Without a default"}}
function event()
   local o = sysbench.opt
   assert(o.table_size == 25 and o.fast == true and o.vus == "y")
   assert(#o.names == 3 and o.names[3] == "z" and o.free == nil)
   assert(o.threads == 1)
end
""")
    text = dyno.run("run", "s.lua", "--help").out
    for expected in ("--table-size N", "Rows of a table [10]",
                     "--fast", "--opt-vus", "--names LIST"):
        assert expected in text
    result = dyno.run("run", "s.lua", *ONCE, "--table_size=25", "--fast",
                      "--names", "x,y,z", "--opt-vus=y")
    assert result.code == 0, result.out
    result = dyno.run("run", "s.lua", "--table-size=many")
    assert result.code == 2
    assert "--table-size: 'many' is no number" in result.err


def test_a_command_that_is_not_there_is_named(dyno):
    write(dyno, "function event() end\n")
    result = dyno.run("run", "s.lua", "prepare")
    assert result.code == 2 and "no command 'prepare'" in result.err
    write(dyno, "function prepare() end\n")
    result = dyno.run("run", "s.lua")
    assert result.code == 2 and "no function event()" in result.err


def test_a_parallel_command_runs_once_for_each_user(dyno):
    write(dyno, """
sysbench.cmdline.commands = {
   all = {function() print("user " .. sysbench.tid .. " of "
                              .. sysbench.opt.threads) end,
          sysbench.cmdline.PARALLEL_COMMAND},
   one = {function() print("user " .. sysbench.tid) end}}
""")
    result = dyno.run("run", "s.lua", "all", "-u", 3)
    assert sorted(result.out.splitlines()) == [
        f"user {i} of 3" for i in range(3)]
    assert dyno.run("run", "s.lua", "one", "-u", 3).out == "user 0\n"


HANGS = {
    "compiled": "while true do end",
    "calling": "while true do local s = tostring({}) end",
    "catching": "while true do pcall(error, 'x') end",
    "matching": "string.find(('a'):rep(40), ('a*'):rep(30) .. 'b')",
}


@pytest.mark.slow  # instrumented code gets its signals late
@pytest.mark.parametrize("how", HANGS)
def test_a_script_that_never_returns_is_ended_and_the_results_kept(dyno, how):
    write(dyno, f"""
function event()
   n = (n or 0) + 1
   if n > 5 and sysbench.tid == 0 then {HANGS[how]} end
   sysbench.sql.driver():connect():query("SELECT 1")
end
""")
    # Eight for each user, so one that is ended by an error hangs three times.
    d = summary(dyno, "--iterations", 16, "--script-limit", "200ms",
                "--drain", "1s", code=3)
    assert d["valid"] is False
    assert completed(d) >= 5
    assert re.search(r"(has|did) not come back for 200ms of CPU time", str(d))


@pytest.mark.slow
def test_a_script_that_hangs_as_it_is_read_is_ended(dyno):
    write(dyno, "while true do end\n")
    result = dyno.run("run", "s.lua", "--help")
    assert result.code == 2 and "did not come back" in result.err


def test_out_of_memory_in_lua_ends_that_user_only(dyno):
    write(dyno, """
function event()
   kept = kept or {}
   if sysbench.tid == 0 then
      kept[#kept + 1] = ("x"):rep(1000000) .. #kept
   end
end
""")
    d = summary(dyno, "-t", "1s", "--lua-memory", "20MiB", code=3)
    assert "out of memory in Lua" in str(d)
    assert completed(d) > 50
    assert "user_died" in str(d["invalid_reasons"])


GREEDY = [
    "local t = {} while true do t[#t + 1] = {} end",
    "return ('x'):rep(2 ^ 40)",
    "local s = 'x' while true do s = s .. s end",
    "local f = function(g) return g(g) .. '' end return f(f)",
    "return table.concat({('x'):rep(1e6)}, '', 1, 1):rep(1e4)",
    "return sysbench.rand.varstring(2e9, 2e9)",
    "return load(('x=1 '):rep(1e8))",
    "local t = {} for i = 1, 1e9 do t[i] = newproxy(true) end",
    "while true do coroutine.wrap(function() coroutine.yield() end)() end",
]


@pytest.mark.slow  # the limit of addresses is too low for a sanitizer
@pytest.mark.parametrize("how", GREEDY, ids=range(len(GREEDY)))
def test_a_script_cannot_outgrow_the_limit(dyno, how):
    write(dyno, f"""
function event()
   pcall(function() {how} end)
   kept = nil
end
""")
    result = dyno.run("run", "s.lua", *ONCE, "-q", "--lua-memory", "32MiB",
                      "--script-limit", "500ms", "--format", "json",
                      prefix=("prlimit", "--as=1500000000"))
    d = json.loads(result.out)
    assert d["client"]["rss_peak_bytes"] < 200 << 20


def test_garbage_is_no_reason_to_run_out_of_memory(dyno):
    write(dyno, """
function event()
   kept = {}
   for i = 1, 200 do kept[i] = ("k"):rep(100000) .. i end -- 20 MB
   for i = 1, 5000 do local s = ("g"):rep(100000) .. i end -- 500 MB
end
""")
    d = summary(dyno, "--iterations", 2, "-u", 1, "--lua-memory", "48MiB")
    assert completed(d) == 2


@pytest.mark.parametrize("text, why", [
    ("require('ffi')", "scripts have no access to memory"),
    ("os.exit(0)", "a script cannot end dyno"),
    ("os.execute('true')", "field 'execute'"),
    ("io.popen('true')", "field 'popen'"),
    ("assert(loadstring(string.dump(function() end)))",
     "compiled code is not taken"),
    ("require('nowhere')", "module 'nowhere' is not found"),
    ("coroutine.yield()", "outside a coroutine"),
    ("sysbench.sql.driver('oracle')", "not 'oracle'"),
])
def test_what_a_script_may_not_do_is_an_error(dyno, text, why):
    write(dyno, f"function event()\n   {text}\nend\n")
    assert any(why in e for e in errors(dyno, *ONCE))


def test_users_have_globals_of_their_own(dyno):
    write(dyno, """
local hidden = 0
function thread_init()
   shared = nil
   string.mine = sysbench.tid
end
function event()
   assert(shared == nil or shared == sysbench.tid)
   assert(string.mine == sysbench.tid)
   shared = sysbench.tid
   hidden = hidden + 1
   n = (n or 0) + 1
   assert(hidden == n)
   sysbench.opt.mark = sysbench.tid
   local co = coroutine.wrap(function()
      sysbench.sql.driver():connect():query("SELECT 1")
      coroutine.yield(sysbench.tid)
   end)
   assert(co() == sysbench.tid)
end
""")
    # On noop all users share a thread.
    d = summary(dyno, "--iterations", 60, "--db", "noop:", "-u", 6,
                "--threads", 1)
    assert d["valid"] is True


def test_the_same_seed_draws_the_same_values(dyno):
    write(dyno, """
function event()
   local r = sysbench.rand
   print(r.uniform(1, 1e6), r.special(1, 1e6), r.gaussian(1, 1e6),
         r.pareto(1, 1e6), r.zipfian(1, 1e6), r.string("##@@"),
         math.random(100))
end
""")
    def drawn(seed):
        return dyno.run("run", "s.lua", "-u", 1, "--iterations", 5, "-q",
                        "--ramp-up", 0, "--seed", seed, "--db", "noop:").err
    assert len(set(drawn(1).splitlines())) == 5
    assert drawn(1) == drawn(1) != drawn(2)


def test_distributions_are_those_of_their_names(dyno):
    write(dyno, """
function event()
   local n, r = 20000, sysbench.rand
   local function share(draw, a, b)
      local k = 0
      for i = 1, n do
         local x = draw(1, 1000)
         assert(x >= 1 and x <= 1000 and x == math.floor(x))
         if x >= a and x <= b then k = k + 1 end
      end
      return k / n
   end
   local function about(is, wanted)
      assert(math.abs(is - wanted) < 0.02, is .. " is not " .. wanted)
   end
   about(share(r.uniform, 1, 100), 0.1)
   about(share(r.gaussian, 1, 500), 0.5)
   assert(share(r.gaussian, 400, 600) > 0.7)
   assert(share(r.special, 494, 506) > 0.74)
   about(share(r.pareto, 1, 200), 0.8)
   assert(share(r.zipfian, 1, 10) > 0.1)
   about(share(r.default, 1, 200), 0.8)
   local seen = {}
   for i = 1, n do
      local u = r.unique()
      assert(not seen[u], "twice")
      seen[u] = true
   end
end
""")
    result = dyno.run("run", "s.lua", *ONCE, "--db", "noop:", "--rand-type",
                      "pareto")
    assert result.code == 0, result.out


def test_report_hooks_are_called(dyno):
    write(dyno, """
function sysbench.hooks.report_intermediate(stat)
   print("interval", stat.events >= 0, stat.threads_running)
end
function sysbench.hooks.report_cumulative(stat)
   print("whole", stat.events, stat.reads)
   sysbench.report_csv(stat)
end
function event()
   sysbench.sql.driver():connect():query("SELECT 1")
end
""")
    result = dyno.run("run", "s.lua", "-u", 2, "--iterations", 30, "-q",
                      "--ramp-up", 0)
    assert result.code == 0, result.err
    assert "whole\t30\t30" in result.out


def test_a_failure_in_thread_done_makes_the_run_not_valid(dyno):
    write(dyno, "function event() end\nfunction thread_done() error('x') end")
    result = dyno.run("run", "s.lua", *ONCE)
    assert result.code == 3
    assert "thread_done(): s.lua:2" in result.err


def test_a_transaction_on_sqlite_is_one(dyno):
    write(dyno, """
function prepare()
   sysbench.sql.driver():connect():query("CREATE TABLE t (id INT)")
end
function event()
   con = con or sysbench.sql.driver():connect()
   con:query("BEGIN")
   con:query("INSERT INTO t VALUES (1)")
   if sysbench.rand.uniform(1, 2) == 1 then
      con:query("COMMIT")
   else
      con:query("ROLLBACK")
   end
   n = tonumber(con:query_row("SELECT count(*) FROM t"))
end
function check()
   dyno.check("some are there, some not", n == nil or n < 40)
end
""")
    db = ("--db", "sqlite:t.sqlite")
    assert dyno.run("run", "s.lua", "prepare", *db).code == 0
    d = summary(dyno, "--iterations", 40, *db)
    assert d["valid"] is True
    n = query(dyno.dir / "t.sqlite", "SELECT count(*) FROM t")[0][0]
    assert 0 < n < 40
