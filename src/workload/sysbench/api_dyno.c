/* SPDX-License-Identifier: MIT */
/* The module dyno: what generators and checks of scripts need. */
#include "workload/sysbench/sql.h"
#include "workload/tpcc/nurand.h"

#include <string.h>

#define TEXT_MAX 4096

/* nurand(A, x, y): the constant C is the run's. */
static int l_nurand(lua_State *L)
{
    const struct sb_host *h = sb_host_of(L);
    const int64_t a = (int64_t)luaL_checknumber(L, 1);
    const int64_t x = (int64_t)luaL_checknumber(L, 2);
    const int64_t y = (int64_t)luaL_checknumber(L, 3);
    struct rng run;
    uint64_t c;

    luaL_argcheck(L, a >= 0, 1, "less than 0");
    luaL_argcheck(L, x >= 0 && x <= y, 3, "less than the second, or below 0");
    rng_init(&run, h->state->ds->seed, (uint64_t)a, RNG_RUN);
    c = rng_below(&run, (uint64_t)a + 1);
    lua_pushnumber(L, (lua_Number)nurand(&h->user->inputs, (uint64_t)a,
                                         (uint64_t)x, (uint64_t)y, c));
    return 1;
}

static int l_last_name(lua_State *L)
{
    const int64_t n = (int64_t)luaL_checknumber(L, 1);
    char name[TPCC_LAST_MAX];

    luaL_argcheck(L, n >= 0 && n <= 999, 1, "not in 0..999");
    lua_pushlstring(L, name, last_name((uint64_t)n, name));
    return 1;
}

/* The stream of a key, the same in every run of a seed. */
static void key_stream(lua_State *L, int index, struct rng *r)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    size_t len;
    const char *s = luaL_checklstring(L, index, &len);

    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
    rng_init(r, sb_host_of(L)->state->ds->seed, h, RNG_DATA);
}

/* text(key, "##-@@@@"): the key decides, not the time nor the user. */
static int l_text(lua_State *L)
{
    char out[TEXT_MAX / 4];
    struct rng r;
    size_t len;
    const char *text = luaL_checklstring(L, 2, &len);

    luaL_argcheck(L, len <= sizeof(out), 2, "longer than 1024 bytes");
    key_stream(L, 1, &r);
    sb_fill_template(&r, text, out, len);
    lua_pushlstring(L, out, len);
    return 1;
}

/* number(key, a, b) */
static int l_number(lua_State *L)
{
    const int64_t a = (int64_t)luaL_checknumber(L, 2);
    const int64_t b = (int64_t)luaL_checknumber(L, 3);
    struct rng r;

    luaL_argcheck(L, a <= b, 3, "less than the second");
    key_stream(L, 1, &r);
    lua_pushnumber(L, (lua_Number)rng_range(&r, a, b));
    return 1;
}

/* check(title, holds [, detail]) */
static int l_check(lua_State *L)
{
    struct sb_state *st = sb_host_of(L)->state;
    const char *title = luaL_checkstring(L, 1);
    const bool holds = lua_toboolean(L, 2);
    const char *detail = luaL_optstring(L, 3, "it does not hold");
    struct audit_check *check = NULL;
    char *kept;

    if (!st->audit)
        return luaL_error(L, "dyno.check() belongs into the function check()");
    for (size_t i = 0; i < st->audit->n_checks; i++) {
        if (strcmp(st->audit->checks[i].title, title) == 0)
            check = &st->audit->checks[i];
    }
    if (!check) {
        if (st->audit->n_checks == AUDIT_CHECKS_MAX)
            return luaL_error(L, "more than %d checks", AUDIT_CHECKS_MAX);
        kept = arena_strdup(&st->sqls_arena, title);
        if (!kept)
            return luaL_error(L, "no memory for a check");
        check = audit_add(st->audit, "check", kept);
    }
    audit_expect(check, holds, "%s", detail);
    lua_pushboolean(L, holds);
    return 1;
}

void sb_api_dyno(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"nurand", l_nurand}, {"last_name", l_last_name}, {"text", l_text},
        {"number", l_number}, {"check", l_check},         {NULL, NULL},
    };

    lua_newtable(L);
    luaL_register(L, NULL, functions);
    lua_setfield(L, -2, "dyno");
}
