/* SPDX-License-Identifier: MIT */
/* A user: its Lua thread, its globals, and the coroutine that runs them. */
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "workload/sysbench/sql.h"

#include <stdlib.h>
#include <string.h>

/* ---- its globals ---- */

static void set_number(lua_State *L, const char *name, uint64_t n)
{
    lua_pushnumber(L, (lua_Number)n);
    lua_setfield(L, -2, name);
}

static void set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

static const char *rand_name(int type)
{
    static const char *const names[] = {"uniform", "gaussian", "special",
                                        "pareto", "zipfian"};

    return names[type];
}

static void push_list(lua_State *L, const char *text)
{
    int n = 0;

    lua_newtable(L);
    while (*text) {
        const size_t len = strcspn(text, ",");

        lua_pushlstring(L, text, len);
        lua_rawseti(L, -2, ++n);
        text += len + (text[len] == ',');
    }
}

static void push_opt(lua_State *L, const struct sb_cfg *cfg, size_t i)
{
    const char *text = cfg->texts[i];

    if (cfg->opts[i].kind == SB_FLAG)
        lua_pushboolean(L, cfg->flags[i]);
    else if (!text)
        lua_pushnil(L);
    else if (cfg->opts[i].kind == SB_NUMBER)
        lua_pushnumber(L, strtod(text, NULL));
    else if (cfg->opts[i].kind == SB_LIST)
        push_list(L, text);
    else
        lua_pushstring(L, text);
}

static void push_opts(lua_State *L, const struct sb_state *st)
{
    const struct sb_cfg *cfg = st->cfg;

    lua_newtable(L);
    set_number(L, "threads", st->n_users);
    set_number(L, "percentile", 95);
    set_number(L, "verbosity", 3);
    set_text(L, "db_driver", st->driver_name);
    set_text(L, "rand_type", rand_name(cfg->rand_type));
    set_number(L, "rand_seed", st->ds->seed);
    for (size_t i = 0; i < cfg->n_opts; i++) {
        push_opt(L, cfg, i);
        lua_setfield(L, -2, cfg->opts[i].name);
    }
}

/* A Lua thread in the globals on top of the stack. */
static void new_thread(lua_State *L, struct sb_user *u)
{
    luaL_unref(L, LUA_REGISTRYINDEX, u->lua_ref);
    u->lua_ref = LUA_NOREF;
    u->lua = lua_newthread(L);
    lua_pushvalue(L, -2);
    lua_setfenv(L, -2);
    u->lua_ref = luaL_ref(L, LUA_REGISTRYINDEX);
}

static int begin(lua_State *L)
{
    struct sb_user *u = lua_touserdata(L, 1);
    const struct sb_state *st = u->state;

    lua_rawgeti(L, LUA_REGISTRYINDEX, u->host->functions_ref);
    lua_getfield(L, -1, "environment");
    lua_newtable(L);
    lua_pushvalue(L, -1);
    u->table_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    set_number(L, "tid", u->base.number);
    set_text(L, "command", st->command);
    lua_pushboolean(L, st->cfg->allow_shell);
    lua_setfield(L, -2, "shell");
    push_opts(L, st);
    lua_setfield(L, -2, "opt");
    lua_call(L, 1, 1);
    new_thread(L, u);
    sb_load_chunk(L, st->cfg->path, lua_gettop(L));
    lua_xmove(L, u->lua, 1);
    return 0;
}

/* What a failure leaves behind is no use any more; its globals are. */
static int renew(lua_State *L)
{
    struct sb_user *u = lua_touserdata(L, 1);

    lua_rawgeti(L, LUA_REGISTRYINDEX, u->table_ref);
    lua_getfield(L, -1, "env");
    new_thread(L, u);
    return 0;
}

static int forget(lua_State *L)
{
    struct sb_user *u = lua_touserdata(L, 1);

    luaL_unref(L, LUA_REGISTRYINDEX, u->lua_ref);
    luaL_unref(L, LUA_REGISTRYINDEX, u->table_ref);
    lua_gc(L, LUA_GCCOLLECT, 0);
    return 0;
}

/* ---- failures ---- */

struct failure {
    struct sb_user *u;
    bool restart, is_sql;
};

static int describe(lua_State *L)
{
    struct failure *f = lua_touserdata(L, 1);
    struct sb_user *u = f->u;

    lua_rawgeti(L, LUA_REGISTRYINDEX, u->host->functions_ref);
    lua_getfield(L, -1, "failed");
    lua_rawgeti(L, LUA_REGISTRYINDEX, u->table_ref);
    lua_xmove(u->lua, L, 1);
    f->is_sql = u->raised && lua_type(L, -1) == LUA_TSTRING &&
                lua_tostring(L, -1) == u->raised;
    lua_call(L, 2, 2);
    f->restart = lua_toboolean(L, -1);
    sb_show_place(u->host, luaL_checkstring(L, -2), &u->fault);
    return 0;
}

static void set_lost(struct sb_user *u, enum rc rc)
{
    u->life = SB_LOST;
    u->fault.rc = rc;
}

static enum rc lose_memory(struct sb_user *u)
{
    char limit[32];

    format_bytes(u->host->limit, limit, sizeof(limit));
    err_set(&u->fault, RC_NOMEM,
            "out of memory in Lua: the scripts of one thread hold more than "
            "%s (--lua-memory); this user ends",
            limit);
    u->faulty = true;
    set_lost(u, RC_NOMEM);
    sb_host_call(u->host, forget, u, NULL);
    return RC_INVALID;
}

static enum rc lose_stuck(struct sb_user *u)
{
    sb_host_stuck_text(u->host, &u->fault);
    u->faulty = true;
    set_lost(u, RC_INVALID);
    return RC_INVALID;
}

/* To be shown when the run is over. */
static void keep_first(struct sb_user *u)
{
    pthread_mutex_lock(&u->state->lock);
    if (!u->state->first_fault.rc)
        u->state->first_fault = u->fault;
    pthread_mutex_unlock(&u->state->lock);
}

static CORO_FN enum rc fail(struct sb_user *u, int status)
{
    struct failure f = {.u = u};
    struct err err = {0};

    if (u->host->stuck)
        return lose_stuck(u);
    if (status == LUA_ERRMEM)
        return lose_memory(u);
    if (sb_host_call(u->host, describe, &f, &err) ||
        sb_host_call(u->host, renew, u, &err)) {
        if (u->host->stuck)
            return lose_stuck(u);
        if (u->host->refused)
            return lose_memory(u);
        u->fault = err;
    }
    if (f.restart)
        return u->conn && u->conn->gone ? u->raised_rc : RC_DB_RETRY;
    u->faulty = !f.is_sql;
    if (u->faulty)
        keep_first(u);
    return f.is_sql ? u->raised_rc : RC_INVALID;
}

/* ---- running ---- */

/* Lua that asks is answered until it ends. */
static CORO_FN enum rc go_on(struct sb_user *u, int n_args, bool *out_true)
{
    int status;

    u->host->refused = false;
    while ((status = sb_host_resume(u->host, u, n_args)) == LUA_YIELD) {
        if (UNLIKELY(u->request.ask == SB_ASK_NOTHING)) {
            err_set(&u->fault, RC_INVALID,
                    "coroutine.yield() outside a coroutine of the script");
            u->faulty = true;
            sb_host_call(u->host, renew, u, NULL);
            return RC_INVALID;
        }
        sb_answer(u);
        if (UNLIKELY(u->host->stuck))
            return lose_stuck(u);
        lua_settop(u->lua, 0);
        lua_pushboolean(u->lua, 1);
        n_args = 1;
    }
    if (UNLIKELY(status))
        return fail(u, status);
    if (out_true)
        *out_true = lua_gettop(u->lua) > 0 && lua_toboolean(u->lua, 1);
    lua_settop(u->lua, 0);
    return RC_OK;
}

struct call {
    struct sb_user *u;
    const char *part, *name;
};

static int push_call(lua_State *L)
{
    const struct call *call = lua_touserdata(L, 1);

    lua_rawgeti(L, LUA_REGISTRYINDEX, call->u->host->functions_ref);
    lua_getfield(L, -1, call->part);
    lua_rawgeti(L, LUA_REGISTRYINDEX, call->u->table_ref);
    lua_pushstring(L, call->name);
    lua_xmove(L, call->u->lua, 3);
    return 0;
}

static void begin_try(struct sb_user *u)
{
    u->faulty = false;
    u->raised = NULL;
    u->raised_rc = RC_OK;
    u->request.ask = SB_ASK_NOTHING;
}

enum rc sb_run(struct sb_user *u, const char *part, const char *name,
               bool *out_true)
{
    struct call call = {u, part, name};
    enum rc rc;

    if (u->life == SB_LOST)
        return RC_INVALID;
    begin_try(u);
    rc = sb_host_call(u->host, push_call, &call, &u->fault);
    if (rc) {
        u->faulty = true;
        return u->host->stuck ? lose_stuck(u) : lose_memory(u);
    }
    return go_on(u, 2, out_true);
}

/* ---- its life ---- */

enum rc sb_vu_new(struct dataset *ds, uint64_t number, struct vu **out,
                  struct err *err)
{
    struct sb_user *u = mem_calloc_aligned(1, sizeof(*u));

    if (!u)
        return err_set(err, RC_NOMEM, "no memory for user %llu",
                       (unsigned long long)number);
    u->base = (struct vu){.ds = ds, .number = number};
    u->state = sb_of(ds);
    u->lua_ref = u->table_ref = LUA_NOREF;
    u->out = stderr;
    rng_init(&u->inputs, ds->seed, number, RNG_INPUT);
    *out = &u->base;
    return RC_OK;
}

void sb_vu_free(struct vu *vu)
{
    struct sb_user *u;
    struct sb_con *con;

    if (!vu)
        return;
    u = sb_user_of(vu);
    while ((con = u->cons)) {
        u->cons = con->next;
        buf_release(&con->bulk);
        mem_free(con);
    }
    mem_free(u);
}

enum rc sb_give(const struct sb_user *u, enum rc rc, struct err *err)
{
    if (!err)
        return rc;
    *err = u->faulty || !u->sql_err.text[0] ? u->fault : u->sql_err;
    /* What the database said, with the script's place. */
    if (!u->faulty && u->raised)
        snprintf(err->text, sizeof(err->text), "%s", u->fault.text);
    return rc;
}

/* Makes its Lua; the script's main function is ready to run. */
enum rc sb_user_make(struct sb_user *u, struct err *err)
{
    enum rc rc = sb_host_here(u->state, &u->host, err);

    if (!rc && u->host->stuck) {
        sb_host_stuck_text(u->host, err);
        return RC_INVALID;
    }
    u->host = rc ? NULL : u->host;
    if (!rc) {
        u->host->user = u;
        begin_try(u);
        rc = sb_host_call(u->host, begin, u, err);
    }
    if (rc)
        u->life = SB_LOST;
    return rc;
}

static enum rc end_main(struct sb_user *u, struct err *err)
{
    err_set(err, RC_USAGE,
            "%s asks the database before it is run: what does so belongs into "
            "thread_init() or a command",
            u->state->cfg->path);
    return RC_USAGE;
}

enum rc sb_user_main(struct sb_user *u, struct err *err)
{
    struct failure f = {.u = u};
    const int status = sb_host_resume(u->host, u, 0);
    enum rc rc;

    if (status == 0)
        return RC_OK;
    if (status == LUA_YIELD)
        return end_main(u, err);
    if (u->host->stuck) {
        sb_host_stuck_text(u->host, err);
        return RC_INVALID;
    }
    rc = sb_host_call(u->host, describe, &f, err);
    if (!rc && err)
        *err = u->fault;
    return RC_INVALID;
}

enum rc sb_user_begin(struct sb_user *u, struct conn *c, struct err *err)
{
    enum rc rc;

    u->conn = c;
    rc = sb_user_make(u, err);
    if (rc)
        return rc;
    rc = go_on(u, 0, NULL);
    return rc ? sb_give(u, rc, err) : RC_OK;
}

enum rc sb_vu_prepare(struct vu *vu, struct conn *c, struct err *err)
{
    struct sb_user *u = sb_user_of(vu);
    enum rc rc;

    /* Opened again: statements are prepared as they are needed. */
    if (u->host) {
        u->conn = c;
        return RC_OK;
    }
    rc = sb_user_begin(u, c, err);
    if (rc)
        return rc;
    rc = sb_run(u, "call", "thread_init", NULL);
    return rc ? sb_give(u, rc, err) : RC_OK;
}

enum rc sb_vu_leave(struct vu *vu, struct conn *c)
{
    struct sb_user *u = sb_user_of(vu);
    struct err err = {0};
    enum rc rc = RC_OK;

    u->conn = c;
    if (u->host && u->life != SB_LOST && !u->host->stuck)
        rc = sb_run(u, "call", "thread_done", NULL);
    /* What a lost or a stopped connection refuses is no news. */
    if (rc && (c->gone || loop_cancelled(loop_current())))
        rc = RC_OK;
    if (rc) {
        sb_give(u, rc, &err);
        log_warn("user %llu, thread_done(): %s", (unsigned long long)vu->number,
                 err.text);
    }
    sb_close_cons(u);
    u->conn = NULL;
    return rc;
}

/* ---- one transaction ---- */

size_t sb_draw(struct vu *vu)
{
    struct sb_user *u = sb_user_of(vu);

    u->inputs_before = u->inputs;
    u->same_inputs = false;
    return 0;
}

enum rc sb_execute(struct vu *vu, struct conn *c, bool *rolled_back)
{
    struct sb_user *u = sb_user_of(vu);
    bool ends = false;
    enum rc rc;

    (void)rolled_back;
    if (UNLIKELY(u->life == SB_LOST))
        return RC_INVALID;
    if (UNLIKELY(u->host->stuck))
        return lose_stuck(u);
    u->conn = c;
    if (u->same_inputs)
        u->inputs = u->inputs_before;
    begin_try(u);
    sb_host_tidy(u->host);
    lua_rawgeti(u->lua, LUA_REGISTRYINDEX, u->host->event_ref);
    lua_rawgeti(u->lua, LUA_REGISTRYINDEX, u->table_ref);
    rc = go_on(u, 1, &ends);
    if (UNLIKELY(ends))
        u->life = SB_DONE;
    /* After a duplicate key the same inputs would fail again. */
    u->same_inputs = rc == RC_DB_RETRY && u->request.rc == RC_DB_RETRY;
    return rc;
}

bool sb_error(const struct vu *vu, struct err *err)
{
    const struct sb_user *u =
        (const struct sb_user *)(const void *)vu; /* the first member */

    if (!u->faulty)
        return false;
    if (err)
        *err = u->fault;
    return true;
}

bool sb_ends(const struct vu *vu, bool *out_lost)
{
    const struct sb_user *u =
        (const struct sb_user *)(const void *)vu; /* the first member */

    *out_lost = u->life == SB_LOST;
    return u->life != SB_GOES_ON;
}
