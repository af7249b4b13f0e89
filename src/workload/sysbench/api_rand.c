/* SPDX-License-Identifier: MIT */
/* sysbench.rand: from the user's own stream. */
#include "base/buf.h"
#include "workload/sysbench/sql.h"

#include <string.h>

#define TEMPLATE_MAX 4096

static int draw(lua_State *L, enum sb_rand_type type)
{
    const struct sb_host *h = sb_host_of(L);
    const int64_t a = (int64_t)luaL_checknumber(L, 1);
    const int64_t b = (int64_t)luaL_checknumber(L, 2);

    lua_pushnumber(L, (lua_Number)sb_dist_draw(&h->state->dist, type,
                                               &h->user->inputs, a, b));
    return 1;
}

static int l_default(lua_State *L)
{
    return draw(L, sb_host_of(L)->state->dist.type);
}

static int l_uniform(lua_State *L)
{
    return draw(L, SB_UNIFORM);
}

static int l_gaussian(lua_State *L)
{
    return draw(L, SB_GAUSSIAN);
}

static int l_special(lua_State *L)
{
    return draw(L, SB_SPECIAL);
}

static int l_pareto(lua_State *L)
{
    return draw(L, SB_PARETO);
}

static int l_zipfian(lua_State *L)
{
    return draw(L, SB_ZIPFIAN);
}

static int l_unique(lua_State *L)
{
    lua_pushnumber(L, (lua_Number)sb_unique(sb_host_of(L)->state));
    return 1;
}

static lua_Number unit(lua_State *L)
{
    return (lua_Number)(rng_next(&sb_lua_user(L)->inputs) >> 11) * 0x1.0p-53;
}

static int l_uniform_double(lua_State *L)
{
    lua_pushnumber(L, unit(L));
    return 1;
}

/* As much of it as a number of Lua holds exactly. */
static int l_uniform_uint64(lua_State *L)
{
    lua_pushnumber(L, (lua_Number)(rng_next(&sb_lua_user(L)->inputs) >> 11));
    return 1;
}

static int l_string(lua_State *L)
{
    size_t len;
    const char *text = luaL_checklstring(L, 1, &len);
    char out[TEMPLATE_MAX / 4];

    if (len <= sizeof(out)) {
        sb_fill_template(&sb_lua_user(L)->inputs, text, out, len);
        lua_pushlstring(L, out, len);
    } else {
        char *wide = lua_newuserdata(L, len);

        sb_fill_template(&sb_lua_user(L)->inputs, text, wide, len);
        lua_pushlstring(L, wide, len);
    }
    return 1;
}

/* Letters and digits, between a and b of them. */
static int l_varstring(lua_State *L)
{
    static const char chars[] = "0123456789abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    struct rng *r = &sb_lua_user(L)->inputs;
    const int64_t a = (int64_t)luaL_checknumber(L, 1);
    const int64_t b = (int64_t)luaL_checknumber(L, 2);
    int64_t n;
    char *out;

    luaL_argcheck(L, a >= 0 && a <= b && b <= INT32_MAX, 2,
                  "not between 0 and 2147483647, or less than the first");
    n = rng_range(r, a, b);
    out = lua_newuserdata(L, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        out[i] = chars[rng_below(r, sizeof(chars) - 1)];
    lua_pushlstring(L, out, (size_t)n);
    return 1;
}

/* math.random() */
static int l_math_random(lua_State *L)
{
    int64_t a = 1, b;

    if (lua_gettop(L) == 0) {
        lua_pushnumber(L, unit(L));
        return 1;
    }
    b = (int64_t)luaL_checknumber(L, lua_gettop(L) > 1 ? 2 : 1);
    if (lua_gettop(L) > 1)
        a = (int64_t)luaL_checknumber(L, 1);
    luaL_argcheck(L, a <= b, 1, "interval is empty");
    lua_pushnumber(L, (lua_Number)rng_range(&sb_lua_user(L)->inputs, a, b));
    return 1;
}

void sb_api_rand(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"default", l_default},
        {"uniform", l_uniform},
        {"gaussian", l_gaussian},
        {"special", l_special},
        {"pareto", l_pareto},
        {"zipfian", l_zipfian},
        {"unique", l_unique},
        {"uniform_double", l_uniform_double},
        {"uniform_uint64", l_uniform_uint64},
        {"string", l_string},
        {"varstring", l_varstring},
        {"math_random", l_math_random},
        {NULL, NULL},
    };

    lua_newtable(L);
    luaL_register(L, NULL, functions);
    lua_setfield(L, -2, "rand");
}
