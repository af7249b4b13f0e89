-- SPDX-License-Identifier: MIT
--
-- What scripts see.  Runs once in each Lua state with the functions of C, and
-- returns what C calls: environment(user) makes the globals of one user, the
-- others run parts of a script in them.
local core = ...

local setmetatable, getmetatable, setfenv = setmetatable, getmetatable, setfenv
local type, error, pcall, pairs, ipairs = type, error, pcall, pairs, ipairs
local select, tostring, tonumber, rawequal = select, tostring, tonumber,
   rawequal
local co_resume, co_yield, co_create = coroutine.resume, coroutine.yield,
   coroutine.create
local format = string.format
local TAG = core.tag
local take = core.take
local unpack = unpack

-- Calls of the database pass through a script's own coroutines.
local pass

local function resume(co, ...)
   return pass(co, co_resume(co, ...))
end

function pass(co, ok, tag, ...)
   if ok and rawequal(tag, TAG) then
      return resume(co, co_yield(TAG))
   end
   return ok, tag, ...
end

local function finish(ok, ...)
   if not ok then
      error((...), 0)
   end
   return ...
end

local function copy(from)
   local to = {}
   for k, v in pairs(from) do
      to[k] = v
   end
   return to
end

-- ---- connections, statements, parameters ----

local con, stmt, param, result = core.con, core.stmt, core.param, core.result

function con.query(self, sql)
   core.query(self, sql)
   return take()
end

function con.query_row(self, sql)
   core.query(self, sql, true)
   local rs = take()
   local row = rs:fetch_row()
   if row == nil then
      return nil
   end
   return unpack(row, 1, rs.nfields)
end

function con.prepare(self, sql, name)
   core.prepare(self, sql, name)
   return take()
end

function con.bulk_insert_next(self, values)
   if core.bulk_add(self, values) then
      return take()
   end
end

function con.bulk_insert_done(self)
   if core.bulk_done(self) then
      return take()
   end
end

function con.disconnect(self)
   if core.disconnect(self) then
      return take()
   end
   return true
end

function stmt.execute(self)
   core.execute(self)
   return take()
end

function stmt.bind_create(_, kind, max_len)
   return core.new_param(kind, max_len)
end

function result.free()
   return true
end

local driver = {}
driver.__index = driver
driver.__tostring = function() return '<sql_driver>' end

function driver.connect()
   core.connect()
   return take()
end

function driver.name()
   return core.driver_name
end

-- ---- the module dyno ----

local bulk = {}
bulk.__index = bulk

function bulk.row(self, ...)
   if core.rows_add(self[1], ...) then
      take()
   end
end

function bulk.done(self)
   core.rows_end(self[1])
   return take()
end

local function make_dyno()
   local dyno = copy(core.dyno)

   -- Rows for one table by the driver's fastest way, in one transaction.
   function dyno.bulk(c, tablename, columns)
      core.rows_begin(c, tablename, columns)
      return setmetatable({(take())}, bulk)
   end

   return dyno
end

-- ---- reports ----

local function per_second(stat)
   local s = stat.time_interval
   return stat.events / s, (stat.reads + stat.writes + stat.other) / s,
      stat.reads / s, stat.writes / s, stat.other / s, stat.latency_pct * 1000,
      stat.errors / s, stat.reconnects / s
end

local function add_reports(sysbench, env)
   function sysbench.report_csv(stat)
      env.print(format("%.0f,%u,%4.2f,%4.2f,%4.2f,%4.2f,%4.2f,%4.2f,%4.2f,"
                          .. "%4.2f", stat.time_total, stat.threads_running,
                       per_second(stat)))
   end

   function sysbench.report_json(stat)
      env.print(format('{"time": %.0f, "threads": %u, "tps": %.2f, "qps": '
                          .. '{"total": %.2f, "reads": %.2f, "writes": %.2f, '
                          .. '"other": %.2f}, "latency": %.2f, "errors": %.2f,'
                          .. ' "reconnects": %.2f}', stat.time_total,
                       stat.threads_running, per_second(stat)))
   end

   function sysbench.report_default(stat)
      local tps, qps, r, w, o, lat, err, recon = per_second(stat)
      env.print(format("[ %.0fs ] thds: %u tps: %.2f qps: %.2f (r/w/o: "
                          .. "%.2f/%.2f/%.2f) lat (ms,%u%%): %.2f err/s: %.2f"
                          .. " reconn/s: %.2f", stat.time_total,
                       stat.threads_running, tps, qps, r, w, o,
                       sysbench.opt.percentile or 95, lat, err, recon))
   end
end

-- ---- one user's globals ----

local plain = {"assert", "error", "getmetatable", "ipairs", "next", "pairs",
               "pcall", "rawequal", "rawget", "rawset", "select",
               "setmetatable", "tonumber", "tostring", "type", "unpack",
               "xpcall", "getfenv", "setfenv", "newproxy", "_VERSION"}

local function make_coroutine()
   local c = copy(coroutine)

   c.resume = resume
   function c.wrap(f)
      local co = co_create(f)
      return function(...)
         return finish(resume(co, ...))
      end
   end
   return c
end

local function make_sysbench(user, env)
   local sysbench = {
      tid = user.tid,
      version = "1.0.20",
      version_string = "sysbench 1.0.20 (dyno)",
      opt = user.opt,
      hooks = {},
      error = {NONE = 0, RESTART_EVENT = 1},
      rand = copy(core.rand),
      cmdline = {
         command = user.command,
         PARALLEL_COMMAND = true,
         ARG_NULL = 0, ARG_BOOL = 1, ARG_INT = 2, ARG_SIZE = 3,
         ARG_DOUBLE = 4, ARG_STRING = 5, ARG_LIST = 6, ARG_FILE = 7,
      },
      sql = {
         type = {NONE = 0, TINYINT = 1, SMALLINT = 2, INT = 3, BIGINT = 4,
                 FLOAT = 5, DOUBLE = 6, TIME = 7, DATE = 8, DATETIME = 9,
                 TIMESTAMP = 10, CHAR = 11, VARCHAR = 12},
         error = {NONE = 0, IGNORABLE = 1, FATAL = 2},
      },
   }

   function sysbench.sql.driver(name)
      if name ~= nil and name ~= core.driver_name then
         error(format("the target's driver is '%s', not '%s'",
                      core.driver_name, tostring(name)), 2)
      end
      return setmetatable({}, driver)
   end
   add_reports(sysbench, env)
   return sysbench
end

-- Of sysbench before 1.0.
local function add_old_names(env)
   local rand = core.rand

   env.sb_rand = rand.default
   env.sb_rand_uniform = rand.uniform
   env.sb_rand_gaussian = rand.gaussian
   env.sb_rand_special = rand.special
   env.sb_rand_pareto = rand.pareto
   env.sb_rand_uniq = rand.unique
   env.sb_rnd = rand.uniform_uint64
   env.sb_rand_str = rand.string
   env.thread_id = env.sysbench.tid
end

local function add_loading(env, user)
   local loaded = {}

   env.package = {loaded = loaded, path = "", cpath = ""}
   function env.require(name)
      local had = loaded[name]
      if had ~= nil then
         return had
      end
      if name == "ffi" or name == "jit" then
         error(format("module '%s' is not available: scripts have no access "
                         .. "to memory", name), 2)
      end
      local builtin = ({sysbench = env.sysbench, dyno = env.dyno})[name]
      local ret = builtin or core.load_module(name, env)(name)
      if loaded[name] == nil then
         loaded[name] = ret == nil and true or ret
      end
      return loaded[name]
   end
   function env.load(chunk, name, _, e)
      if type(chunk) == "function" then
         local parts = {}
         for part in chunk do
            if part == "" then
               break
            end
            parts[#parts + 1] = part
         end
         chunk = table.concat(parts)
      end
      return core.load_text(chunk, name or chunk, e or env)
   end
   env.loadstring = function(text, name)
      return core.load_text(text, name or text, env)
   end
   function env.dofile(path)
      return core.load_file(path, env)()
   end
   function env.loadfile(path)
      local ok, f = pcall(core.load_file, path, env)
      if ok then
         return f
      end
      return nil, f
   end
   _ = user
end

local M = {}

function M.environment(user)
   local env = {}

   for _, name in ipairs(plain) do
      env[name] = _G[name]
   end
   env._G = env
   for _, name in ipairs({"string", "table", "math", "bit", "io"}) do
      env[name] = copy(_G[name])
   end
   env.io.popen = user.shell and io.popen or nil
   env.os = {clock = os.clock, date = os.date, difftime = os.difftime,
             getenv = os.getenv, time = os.time, remove = os.remove,
             rename = os.rename, tmpname = os.tmpname,
             execute = user.shell and os.execute or nil}
   function env.os.exit()
      error("os.exit: a script cannot end dyno", 2)
   end
   env.debug = {traceback = debug.traceback, getinfo = debug.getinfo}
   env.print = core.print
   env.coroutine = make_coroutine()
   -- The same seed is the same work.
   env.math.random = core.rand.math_random
   env.math.randomseed = function() end
   function env.collectgarbage(what, ...)
      if what == "stop" or what == "setpause" or what == "setstepmul" then
         return 0
      end
      return collectgarbage(what, ...)
   end
   env.sysbench = make_sysbench(user, env)
   env.dyno = make_dyno()
   add_old_names(env)
   add_loading(env, user)
   user.env = env
   return env
end

-- A global function of the script, when there is one.
function M.call(user, name)
   local f = user.env[name]
   if f == nil then
      return nil
   end
   if type(f) ~= "function" then
      error(format("'%s' is no function", name), 0)
   end
   return f(user.tid)
end

-- One event; true ends the user.
function M.event(user)
   local restart = user.restart
   if restart then
      user.restart = nil
      local hook = user.env.sysbench.hooks.before_restart_event
      if hook then
         hook(restart)
      end
   end
   return user.env.event(user.tid)
end

-- prepare, cleanup and what a script defines.
local function find_command(user, name)
   local list = user.env.sysbench.cmdline.commands
   local def = type(list) == "table" and list[name]

   if type(def) == "table" and type(def[1]) == "function" then
      return def[1], def[2] == true
   end
   if name ~= "event" and type(user.env[name]) == "function" then
      return user.env[name], false
   end
end

function M.command(user, name)
   local f = find_command(user, name)
   return f()
end

function M.command_kind(user, name)
   local f, parallel = find_command(user, name)
   return f ~= nil, parallel
end

-- Names and kinds of what a script defines, sorted, for the command line.
function M.options(user)
   local list, defs = {}, user.env.sysbench.cmdline.options
   if defs == nil then
      return list
   end
   assert(type(defs) == "table", "sysbench.cmdline.options is no table")
   for name, def in pairs(defs) do
      if type(name) ~= "string" or type(def) ~= "table" then
         error("sysbench.cmdline.options: each is name = {\"text\", default}",
               0)
      end
      local value = def[2]
      local kind = type(value)
      if kind == "table" then
         value = table.concat(value, ",")
      elseif kind == "boolean" then
         value = value and "on" or "off"
      elseif kind == "nil" then
         local kinds = {[1] = "boolean", [2] = "number", [3] = "number",
                        [4] = "number", [6] = "table"}
         kind = kinds[def[3]] or "string"
      end
      if def[3] == 5 then
         kind = "string"
      end
      list[#list + 1] = {name, tostring(def[1] or ""), kind,
                         value ~= nil and tostring(value) or nil}
   end
   table.sort(list, function(a, b) return a[1] < b[1] end)
   return list
end

-- An error: its text, and whether the event shall be tried again.
function M.failed(user, e)
   if type(e) == "table" then
      if e.errcode == 1 then
         user.restart = e
         return "restart", true
      end
      if e.sql_errmsg then
         return tostring(e.sql_errmsg), false
      end
      return "(a table that was raised as an error)", false
   end
   return tostring(e), false
end

function M.ignorable(user, e)
   local hook = user.env.sysbench.hooks.sql_error_ignorable
   return type(hook) == "function" and hook(e) and true or false
end

function M.report(user, name, stat)
   local hook = user.env.sysbench.hooks[name]
   if hook then
      hook(stat)
   end
   return hook ~= nil
end

return M
