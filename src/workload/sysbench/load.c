/* SPDX-License-Identifier: MIT */
/*
 * Sources.  Each is compiled once for a thread, as the body of a function that
 * a small one returns: called in the globals of a user it gives him a function
 * of his own that shares the code with the others, and so what is compiled
 * further while it runs.
 */
#include "base/buf.h"
#include "workload/sysbench/sysbench.h"

#include <string.h>
#include <unistd.h>

#define SOURCE_MAX (16U << 20)
#define PATH_BYTES 512
#define WRAP_HEAD "return function(...) "
#define WRAP_TAIL "\nend"

/* The line that names a program for the shell is none of Lua's. */
static const char *skip_shebang(const char *s, size_t *len)
{
    const char *end;

    if (*len < 2 || s[0] != '#')
        return s;
    end = memchr(s, '\n', *len);
    if (!end)
        end = s + *len;
    *len -= (size_t)(end - s);
    return end;
}

/* Not bytecode: nobody checks it. */
static void compile(lua_State *L, const char *text, size_t len,
                    const char *name)
{
    if (len > 0 && text[0] == '\033')
        luaL_error(L, "%s: compiled code is not taken", name);
    if (luaL_loadbuffer(L, text, len, name))
        lua_error(L);
}

/* The source as a string of Lua's, which frees it whatever happens. */
static void push_source(lua_State *L, const char *path)
{
    struct buf b = BUF_INIT(SOURCE_MAX);
    struct err err = {0};
    const enum rc rc = buf_read_file(&b, path, &err);

    if (!rc)
        lua_pushlstring(L, buf_str(&b), b.len);
    else
        lua_pushstring(L, err.text);
    buf_release(&b);
    if (rc)
        lua_error(L);
}

/* Whether rows are read by anybody: without, they need not be kept. */
static bool reads_rows(const char *source)
{
    return strstr(source, "fetch_row") || strstr(source, "nrows") ||
           strstr(source, "nfields");
}

static void push_maker(lua_State *L, struct sb_host *h, const char *path)
{
    const char *source;
    size_t len;

    push_source(L, path);
    source = lua_tolstring(L, -1, &len);
    h->keeps_rows |= reads_rows(source);
    lua_rawgeti(L, LUA_REGISTRYINDEX, h->sources_ref);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, path);
    lua_pop(L, 1);
    source = skip_shebang(source, &len);
    lua_pushfstring(L, "@%s", path);
    /* Its mistakes are those of the plain text. */
    compile(L, source, len, lua_tostring(L, -1));
    lua_pop(L, 1);
    lua_pushliteral(L, WRAP_HEAD);
    lua_pushlstring(L, source, len);
    lua_pushliteral(L, WRAP_TAIL);
    lua_concat(L, 3);
    source = lua_tolstring(L, -1, &len);
    compile(L, source, len, lua_tostring(L, -2));
    lua_replace(L, -4);
    lua_pop(L, 2);
}

void sb_load_chunk(lua_State *L, const char *path, int env)
{
    struct sb_host *h = sb_host_of(L);

    lua_pushvalue(L, env);
    lua_rawgeti(L, LUA_REGISTRYINDEX, h->chunks_ref);
    lua_getfield(L, -1, path);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        push_maker(L, h, path);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, path);
    }
    /* env, chunks, maker */
    lua_pushvalue(L, -3);
    lua_setfenv(L, -2);
    lua_call(L, 0, 1);
    lua_replace(L, -3);
    lua_pop(L, 1);
}

static int l_load_file(lua_State *L)
{
    luaL_checktype(L, 2, LUA_TTABLE);
    sb_load_chunk(L, luaL_checkstring(L, 1), 2);
    return 1;
}

/* "oltp_common" beside the script, in the working folder, then where sysbench
 * has its own. */
static int l_load_module(lua_State *L)
{
    static const char *const folders[] = {NULL, ".", "/usr/share/sysbench",
                                          "/usr/local/share/sysbench"};
    const char *name = luaL_checkstring(L, 1);
    const char *script = sb_host_of(L)->state->cfg->path;
    const char *slash = strrchr(script, '/');
    char path[2 * PATH_BYTES], dotless[PATH_BYTES];

    snprintf(dotless, sizeof(dotless), "%s", name);
    for (char *p = dotless; *p; p++) {
        if (*p == '.')
            *p = '/';
    }
    for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
        if (folders[i])
            snprintf(path, sizeof(path), "%s/%s.lua", folders[i], dotless);
        else if (slash)
            snprintf(path, sizeof(path), "%.*s/%s.lua",
                     (int)(slash - script < PATH_BYTES ? slash - script
                                                       : PATH_BYTES - 8),
                     script, dotless);
        else
            continue;
        if (access(path, R_OK) == 0) {
            sb_load_chunk(L, path, 2);
            return 1;
        }
    }
    luaL_where(L, 2);
    lua_pushfstring(L,
                    "module '%s' is not found: neither beside the script nor "
                    "in . nor in /usr/share/sysbench",
                    name);
    lua_concat(L, 2);
    return lua_error(L);
}

/* load() and loadstring(): nil and a text when it does not compile. */
static int l_load_text(lua_State *L)
{
    size_t len;
    const char *text = luaL_checklstring(L, 1, &len);
    const char *name = luaL_checkstring(L, 2);

    if ((len > 0 && text[0] == '\033') || luaL_loadbuffer(L, text, len, name)) {
        lua_pushnil(L);
        if (len > 0 && text[0] == '\033')
            lua_pushliteral(L, "compiled code is not taken");
        else
            lua_pushvalue(L, -2);
        return 2;
    }
    lua_pushvalue(L, 3);
    lua_setfenv(L, -2);
    return 1;
}

static int l_print(lua_State *L)
{
    const struct sb_user *u = sb_host_of(L)->user;
    FILE *out = u ? u->out : stderr;
    const int n = lua_gettop(L);

    for (int i = 1; i <= n; i++) {
        if (luaL_callmeta(L, i, "__tostring"))
            fputs(luaL_checkstring(L, -1), out);
        else if (lua_isstring(L, i))
            fputs(lua_tostring(L, i), out);
        else if (lua_isnil(L, i) || lua_isboolean(L, i))
            fputs(lua_isnil(L, i)       ? "nil"
                  : lua_toboolean(L, i) ? "true"
                                        : "false",
                  out);
        else
            fprintf(out, "%s: %p", luaL_typename(L, i), lua_topointer(L, i));
        fputc(i < n ? '\t' : '\n', out);
    }
    if (n == 0)
        fputc('\n', out);
    return 0;
}

void sb_api_load(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"load_file", l_load_file},
        {"load_module", l_load_module},
        {"load_text", l_load_text},
        {"print", l_print},
        {NULL, NULL},
    };

    luaL_register(L, NULL, functions);
}
