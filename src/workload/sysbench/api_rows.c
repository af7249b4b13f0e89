/* SPDX-License-Identifier: MIT */
/* Rows for one table by the driver's fastest way. */
#include "base/mem.h"
#include "workload/sysbench/sql.h"

#include <math.h>
#include <string.h>

#define ARENA_MAX (64U << 20)
#define COLUMNS_MAX 255

static struct sb_rows *check_rows(lua_State *L)
{
    struct sb_rows *rows = luaL_checkudata(L, 1, SB_ROWS_TYPE);

    if (!rows->open || rows->con->closed)
        luaL_error(L, "these rows have been sent");
    return rows;
}

static int ask(lua_State *L, enum sb_ask what, struct sb_rows *rows)
{
    struct sb_request *r = &sb_lua_user(L)->request;

    r->ask = what;
    r->con = rows->con;
    r->rows = rows;
    return sb_yield(L);
}

/* "name type" */
static void read_column(lua_State *L, struct sb_rows *rows, const char *text,
                        struct column *out)
{
    const char *blank = strchr(text, ' ');
    const size_t len = blank ? (size_t)(blank - text) : strlen(text);

    out->name = arena_strndup(&rows->arena, text, len);
    if (!out->name)
        luaL_error(L, "no memory for columns");
    while (blank && *blank == ' ')
        blank++;
    if (blank && strcmp(blank, "int") == 0)
        out->type = VALUE_INT;
    else if (blank && strcmp(blank, "text") == 0)
        out->type = VALUE_TEXT;
    else
        luaL_error(L, "a column is 'NAME int' or 'NAME text', not '%s'", text);
}

static int l_begin(lua_State *L)
{
    struct sb_con *con = sb_check_con(L, 1);
    const char *table = luaL_checkstring(L, 2);
    struct sb_rows *rows;
    struct column *cols;
    size_t n;

    luaL_checktype(L, 3, LUA_TTABLE);
    n = lua_objlen(L, 3);
    luaL_argcheck(L, n > 0 && n <= COLUMNS_MAX, 3, "no columns, or too many");
    rows = lua_newuserdata(L, sizeof(*rows));
    *rows = (struct sb_rows){.con = con, .open = true};
    luaL_getmetatable(L, SB_ROWS_TYPE);
    lua_setmetatable(L, -2);
    arena_init(&rows->arena, ARENA_MAX);
    arena_init(&rows->texts, ARENA_MAX);
    cols = ARENA_ARRAY(&rows->arena, struct column, n);
    rows->cells = MEM_ARRAY(struct value, n * SB_ROWS_BATCH);
    rows->table.name = arena_strdup(&rows->arena, table);
    if (!cols || !rows->cells || !rows->table.name)
        return luaL_error(L, "no memory for rows");
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, 3, (int)i + 1);
        read_column(L, rows, luaL_checkstring(L, -1), &cols[i]);
        lua_pop(L, 1);
    }
    rows->table.cols = cols;
    rows->table.n_cols = n;
    /* Lua goes on with what it was given. */
    sb_lua_user(L)->request.rows = rows;
    lua_rawgeti(L, LUA_REGISTRYINDEX, sb_lua_user(L)->table_ref);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, "rows");
    lua_pop(L, 1);
    return ask(L, SB_ASK_ROWS_BEGIN, rows);
}

static struct value read_cell(lua_State *L, struct sb_rows *rows, int index,
                              enum value_type type)
{
    const char *text;
    size_t len;

    if (lua_isnoneornil(L, index))
        return v_null();
    if (type == VALUE_INT)
        return v_int((int64_t)luaL_checknumber(L, index));
    text = luaL_checklstring(L, index, &len);
    text = arena_strndup(&rows->texts, text, len);
    if (!text)
        luaL_error(L, "no memory for rows");
    return v_textn(text, len);
}

static int l_add(lua_State *L)
{
    struct sb_rows *rows = check_rows(L);
    const size_t n = rows->table.n_cols;

    if ((size_t)lua_gettop(L) - 1 > n)
        return luaL_error(L, "%d values for %d columns", lua_gettop(L) - 1,
                          (int)n);
    for (size_t i = 0; i < n; i++)
        rows->cells[rows->n * n + i] =
            read_cell(L, rows, (int)i + 2, rows->table.cols[i].type);
    return ++rows->n < SB_ROWS_BATCH ? 0 : ask(L, SB_ASK_ROWS, rows);
}

static int l_end(lua_State *L)
{
    return ask(L, SB_ASK_ROWS_END, check_rows(L));
}

static int l_gc(lua_State *L)
{
    struct sb_rows *rows = luaL_checkudata(L, 1, SB_ROWS_TYPE);

    arena_release(&rows->arena);
    arena_release(&rows->texts);
    mem_free(rows->cells);
    return 0;
}

void sb_api_rows(lua_State *L)
{
    static const luaL_Reg functions[] = {{"rows_begin", l_begin},
                                         {"rows_add", l_add},
                                         {"rows_end", l_end},
                                         {NULL, NULL}};
    static const luaL_Reg methods[] = {{"__gc", l_gc}, {NULL, NULL}};

    luaL_register(L, NULL, functions);
    sb_new_type(L, SB_ROWS_TYPE, methods);
    lua_pop(L, 1);
}
