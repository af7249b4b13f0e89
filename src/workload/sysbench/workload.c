/* SPDX-License-Identifier: MIT */
/* The workload, and what of a script runs outside its users: commands, init()
 * and done(), check(), report hooks. */
#include "workload/sysbench/workload.h"

#include "base/log.h"
#include "base/mem.h"
#include "workload/sysbench/sql.h"

#include <string.h>

#define WHOLE "report_cumulative"

/* ---- around a run ---- */

struct look {
    struct sb_user *u;
    const char *name;
    bool has, parallel;
};

static int find_command(lua_State *L)
{
    struct look *look = lua_touserdata(L, 1);

    lua_rawgeti(L, LUA_REGISTRYINDEX, look->u->host->functions_ref);
    lua_getfield(L, -1, "command_kind");
    lua_rawgeti(L, LUA_REGISTRYINDEX, look->u->table_ref);
    lua_pushstring(L, look->name);
    lua_call(L, 2, 2);
    look->has = lua_toboolean(L, -2);
    look->parallel = lua_toboolean(L, -1);
    return 0;
}

static int find_event(lua_State *L)
{
    struct look *look = lua_touserdata(L, 1);

    lua_rawgeti(L, LUA_REGISTRYINDEX, look->u->table_ref);
    lua_getfield(L, -1, "env");
    lua_getfield(L, -1, "event");
    look->has = lua_isfunction(L, -1);
    return 0;
}

/* The one whose globals init() and the hooks see; it never has an event. */
static CORO_FN enum rc begin_control(struct dataset *ds, struct conn *c,
                                     struct err *err)
{
    struct sb_state *st = sb_of(ds);
    struct vu *vu = NULL;
    enum rc rc = sb_vu_new(ds, 0, &vu, err);

    if (rc)
        return rc;
    st->control = sb_user_of(vu);
    st->control->out = stdout;
    rng_init(&st->control->inputs, ds->seed, 0, RNG_RUN);
    rc = sb_user_begin(st->control, c, err);
    st->control->conn = rc ? NULL : c;
    return rc;
}

static void end_call(struct sb_user *u)
{
    sb_close_cons(u);
    u->conn = NULL;
}

/* A global function, when there is one, with a connection for this call. */
static CORO_FN enum rc call_control(struct sb_state *st, struct conn *c,
                                    const char *name, struct err *err)
{
    struct sb_user *u = st->control;
    enum rc rc;

    if (!u || u->life == SB_LOST)
        return RC_OK;
    u->conn = c;
    rc = sb_run(u, "call", name, NULL);
    if (rc)
        sb_give(u, rc, err);
    end_call(u);
    return rc;
}

static CORO_FN enum rc run_begin(struct dataset *ds, struct conn *c,
                                 uint64_t n_vus, struct err *err)
{
    struct sb_state *st = sb_of(ds);
    struct look look = {0};
    enum rc rc;

    st->n_users = n_vus;
    st->command = "run";
    rc = begin_control(ds, c, err);
    if (rc)
        return rc;
    look.u = st->control;
    rc = sb_host_call(st->control->host, find_event, &look, err);
    if (!rc && !look.has)
        rc = err_set(err, RC_USAGE,
                     "%s has no function event(), so it cannot be run",
                     st->cfg->path);
    return rc ? rc : call_control(st, c, "init", err);
}

static CORO_FN enum rc run_end(struct dataset *ds, struct conn *c,
                               struct err *err)
{
    struct sb_state *st = sb_of(ds);

    if (st->first_fault.rc)
        log_warn("the script failed: %s", st->first_fault.text);
    return call_control(st, c, "done", err);
}

static CORO_FN enum rc audit(struct dataset *ds, struct conn *c,
                             struct audit *audit, struct err *err)
{
    struct sb_state *st = sb_of(ds);
    enum rc rc;

    if (!st->control)
        rc = begin_control(ds, c, err);
    else
        rc = RC_OK;
    st->audit = audit;
    if (!rc)
        rc = call_control(st, c, "check", err);
    st->audit = NULL;
    return rc;
}

/* ---- commands ---- */

static enum rc is_parallel(struct sb_user *u, const char *name, bool *out,
                           struct err *err)
{
    struct look look = {.u = u, .name = name};
    enum rc rc = sb_host_call(u->host, find_command, &look, err);

    if (!rc && !look.has)
        rc = err_set(err, RC_USAGE,
                     "%s has no command '%s': it has neither an entry of "
                     "sysbench.cmdline.commands nor a function of this name",
                     u->state->cfg->path, name);
    *out = look.parallel;
    return rc;
}

static CORO_FN enum rc command(struct dataset *ds, const char *name,
                               size_t number, size_t n_users, struct conn *c,
                               struct err *err)
{
    bool parallel;
    struct vu *vu;
    struct sb_user *u;
    enum rc rc = sb_vu_new(ds, number, &vu, err);

    if (rc)
        return rc;
    u = sb_user_of(vu);
    u->out = stdout;
    sb_of(ds)->n_users = n_users;
    rng_init(&u->inputs, ds->seed, number, RNG_DATA);
    rc = sb_user_begin(u, c, err);
    if (!rc)
        rc = is_parallel(u, name, &parallel, err);
    if (!rc && (parallel || number == 0)) {
        rc = sb_run(u, "command", name, NULL);
        if (rc)
            sb_give(u, rc, err);
        /* The text has it, and ends with a caret. */
        if (rc && err)
            err->sqlstate[0] = '\0';
    }
    end_call(u);
    sb_vu_free(vu);
    return rc;
}

/* ---- reports ---- */

struct report {
    const struct sb_state *st;
    const char *name;
    const struct interval *interval;
    uint64_t asked[SB_N_KINDS];
    bool taken;
};

static void set(lua_State *L, const char *name, lua_Number n)
{
    lua_pushnumber(L, n);
    lua_setfield(L, -2, name);
}

static int call_report(lua_State *L)
{
    struct report *r = lua_touserdata(L, 1);
    const struct interval *in = r->interval;
    const struct interval_txn *t = &in->txns[0];

    lua_rawgeti(L, LUA_REGISTRYINDEX, r->st->control->host->functions_ref);
    lua_getfield(L, -1, "report");
    lua_rawgeti(L, LUA_REGISTRYINDEX, r->st->control->table_ref);
    lua_pushstring(L, r->name);
    lua_newtable(L);
    set(L, "threads_running", (lua_Number)in->users_active);
    set(L, "time_total", (lua_Number)(in->begin_ns + in->length_ns) / 1e9);
    set(L, "time_interval", (lua_Number)in->length_ns / 1e9);
    set(L, "events", (lua_Number)(t->committed + t->rolled_back));
    set(L, "reads", (lua_Number)r->asked[SB_READ]);
    set(L, "writes", (lua_Number)r->asked[SB_WRITE]);
    set(L, "other", (lua_Number)r->asked[SB_OTHER]);
    set(L, "errors", (lua_Number)(t->retries + t->failed));
    set(L, "reconnects", 0);
    set(L, "latency_pct", (lua_Number)t->response.p95_ns / 1e9);
    set(L, "latency_max", (lua_Number)t->response.max_ns / 1e9);
    set(L, "latency_sum", (lua_Number)t->response.sum_ns / 1e9);
    set(L, "latency_avg",
        t->response.n > 0
            ? (lua_Number)t->response.sum_ns / (lua_Number)t->response.n / 1e9
            : 0);
    lua_call(L, 3, 1);
    r->taken = lua_toboolean(L, -1);
    return 0;
}

static bool report(struct dataset *ds, const char *name,
                   const struct interval *interval, struct vu *const *vus,
                   size_t n_vus, struct err *err)
{
    struct sb_state *st = sb_of(ds);
    struct report r = {.st = st, .name = name, .interval = interval};

    if (!st->control || st->control->life == SB_LOST)
        return false;
    for (size_t i = 0; i < n_vus; i++) {
        const struct sb_user *u = sb_user_of(vus[i]);

        for (size_t k = 0; k < SB_N_KINDS; k++)
            r.asked[k] +=
                atomic_load_explicit(&u->n_asked[k], memory_order_relaxed);
    }
    /* An interval's own; of the whole, all. */
    for (size_t k = 0; k < SB_N_KINDS && strcmp(name, WHOLE) != 0; k++) {
        const uint64_t now = r.asked[k];

        r.asked[k] -= st->reported[k];
        st->reported[k] = now;
    }
    st->control->host->user = st->control;
    if (sb_host_call(st->control->host, call_report, &r, err))
        st->control->life = SB_LOST;
    return r.taken;
}

const struct workload sysbench_workload = {
    .name = "sysbench",
    .summary = "scripts for sysbench: dyno run FILE.lua",
    .opts = sb_opts,
    .cfg_bytes = sizeof(struct sb_cfg),
    .is_file = sb_is_script,
    .describe = sb_describe,
    .open = sb_open,
    .close = sb_close,
    .run_begin = run_begin,
    .run_end = run_end,
    .command = command,
    .vu_new = sb_vu_new,
    .vu_free = sb_vu_free,
    .vu_prepare = sb_vu_prepare,
    .vu_leave = sb_vu_leave,
    .draw = sb_draw,
    .execute = sb_execute,
    .error = sb_error,
    .ends = sb_ends,
    .report = report,
    .audit = audit,
};
