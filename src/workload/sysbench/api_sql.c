/* SPDX-License-Identifier: MIT */
/*
 * Connections, statements, parameters and results, as Lua sees them.  What
 * needs the database leaves a request and yields; the prelude then calls
 * take(), inside Lua again, for its result or its error.
 */
#include "base/mem.h"
#include "workload/sysbench/sql.h"

#include <math.h>
#include <string.h>

static char tag; /* its address marks a yield that is ours */

struct sb_user *sb_lua_user(lua_State *L)
{
    return sb_host_of(L)->user;
}

int sb_yield(lua_State *L)
{
    lua_pushlightuserdata(L, &tag);
    return lua_yield(L, 1);
}

void sb_new_type(lua_State *L, const char *name, const luaL_Reg *functions)
{
    luaL_newmetatable(L, name);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    luaL_register(L, NULL, functions);
}

struct sb_con *sb_check_con(lua_State *L, int index)
{
    struct sb_con **con = luaL_checkudata(L, index, SB_CON_TYPE);

    if ((*con)->closed)
        luaL_error(L, "the connection is closed");
    return *con;
}

/* As luaL_checkudata(), which looks the type up by its name each time. */
static void *check_type(lua_State *L, const struct sb_host *h,
                        enum sb_type type, const char *name)
{
    void *p = lua_touserdata(L, 1);
    bool is;

    if (LIKELY(p && lua_getmetatable(L, 1))) {
        is = lua_topointer(L, -1) == h->types[type];
        lua_pop(L, 1);
        if (LIKELY(is))
            return p;
    }
    return luaL_checkudata(L, 1, name);
}

static struct sb_request *ask(lua_State *L, enum sb_ask what,
                              struct sb_con *con)
{
    struct sb_request *r = &sb_lua_user(L)->request;

    r->ask = what;
    r->con = con;
    r->wants_rows = false;
    return r;
}

/* ---- connections ---- */

static int l_connect(lua_State *L)
{
    ask(L, SB_ASK_CONNECT, NULL);
    return sb_yield(L);
}

/* The run's own stays open: the run closes it. */
static int l_disconnect(lua_State *L)
{
    struct sb_con **con = luaL_checkudata(L, 1, SB_CON_TYPE);

    if ((*con)->main || (*con)->closed)
        return 0;
    ask(L, SB_ASK_DISCONNECT, *con);
    return sb_yield(L);
}

static int l_query(lua_State *L)
{
    struct sb_con *con = sb_check_con(L, 1);
    const char *text = luaL_checkstring(L, 2);
    struct sb_request *r = ask(L, SB_ASK_QUERY, con);

    r->text = text;
    r->wants_rows = lua_toboolean(L, 3) || sb_host_of(L)->keeps_rows;
    return sb_yield(L);
}

/* ---- bulk inserts ---- */

static int l_bulk_init(lua_State *L)
{
    struct sb_con *con = sb_check_con(L, 1);
    size_t len;
    const char *text = luaL_checklstring(L, 2, &len);

    buf_reset(&con->bulk);
    buf_add(&con->bulk, text, len);
    con->bulk_head = len;
    con->bulk_rows = 0;
    return 0;
}

static int send_bulk(lua_State *L, struct sb_con *con)
{
    struct sb_request *r = ask(L, SB_ASK_QUERY, con);

    if (buf_rc(&con->bulk))
        return luaL_error(L, "no memory for rows");
    r->text = buf_str(&con->bulk);
    con->bulk_rows = 0;
    return sb_yield(L);
}

static int l_bulk_add(lua_State *L)
{
    struct sb_con *con = sb_check_con(L, 1);
    size_t len;
    const char *row = luaL_checklstring(L, 2, &len);
    struct buf *b = &con->bulk;

    if (con->bulk_head == 0)
        return luaL_error(L, "bulk_insert_init() comes first");
    if (con->bulk_rows == 0)
        b->len = con->bulk_head;
    buf_puts(b, con->bulk_rows++ ? "," : " ");
    buf_add(b, row, len);
    return b->len < SB_BULK_BYTES ? 0 : send_bulk(L, con);
}

static int l_bulk_done(lua_State *L)
{
    struct sb_con *con = sb_check_con(L, 1);

    return con->bulk_rows > 0 ? send_bulk(L, con) : 0;
}

/* ---- statements ---- */

static struct sb_stmt *push_stmt(lua_State *L, struct sb_con *con,
                                 const struct sb_sql *sql)
{
    const size_t n = sql->step.n_params;
    const size_t bytes =
        sizeof(struct sb_stmt) +
        n * (sizeof(struct sb_param *) + sizeof(struct value) + SB_PRINTED_MAX);
    struct sb_stmt *s = lua_newuserdata(L, bytes);

    memset(s, 0, bytes);
    s->con = con;
    s->sql = sql;
    s->n_params = n;
    s->args = (struct value *)(void *)(s + 1);
    s->params = (struct sb_param **)(void *)(s->args + n);
    s->printed = (char(*)[SB_PRINTED_MAX])(void *)(s->params + n);
    luaL_getmetatable(L, SB_STMT_TYPE);
    lua_setmetatable(L, -2);
    return s;
}

static int l_prepare(lua_State *L)
{
    struct sb_con *con = sb_check_con(L, 1);
    const char *text = luaL_checkstring(L, 2);
    const char *name = luaL_optstring(L, 3, NULL);
    struct sb_host *h = sb_host_of(L);
    const struct sb_sql *sql = sb_sql_find(h->state, text, name, h->keeps_rows);
    struct sb_request *r;

    if (!sql)
        return luaL_error(L, "no memory for this statement, or more than 255 "
                             "parameters in it");
    r = ask(L, SB_ASK_PREPARE, con);
    /* It stays on the stack of who asks for it. */
    r->stmt = push_stmt(L, con, sql);
    r->text = text;
    lua_rawgeti(L, LUA_REGISTRYINDEX, h->user->table_ref);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, "prepared");
    return sb_yield(L);
}

static struct sb_stmt *check_stmt(lua_State *L)
{
    struct sb_stmt *s =
        check_type(L, sb_host_of(L), SB_TYPE_STMT, SB_STMT_TYPE);

    if (s->con->closed)
        luaL_error(L, "the connection of the statement is closed");
    return s;
}

/* The parameters live as long as the statement: in its environment. */
static int l_bind_param(lua_State *L)
{
    struct sb_stmt *s = check_stmt(L);
    const int n = lua_gettop(L) - 1;

    if ((size_t)n != s->n_params)
        return luaL_error(L, "the statement has %d parameters, not %d",
                          (int)s->n_params, n);
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        s->params[i] = luaL_checkudata(L, i + 2, SB_PARAM_TYPE);
        lua_pushvalue(L, i + 2);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfenv(L, 1);
    s->bound = true;
    return 0;
}

static int l_execute(lua_State *L)
{
    struct sb_stmt *s = check_stmt(L);

    if (UNLIKELY(s->n_params > 0 && !s->bound))
        return luaL_error(L,
                          "bind_param() comes first: the statement has %d "
                          "parameters",
                          (int)s->n_params);
    ask(L, SB_ASK_EXECUTE, s->con)->stmt = s;
    return sb_yield(L);
}

/* What is prepared belongs to the connection, for whoever prepares the same
 * text again. */
static int l_close(lua_State *L)
{
    luaL_checkudata(L, 1, SB_STMT_TYPE);
    return 0;
}

/* ---- parameters ---- */

enum bind_type {
    BIND_TINYINT = 1,
    BIND_BIGINT = 4,
    BIND_DOUBLE = 6,
    BIND_VARCHAR = 12
};

static int l_new_param(lua_State *L)
{
    const int type = (int)luaL_checkinteger(L, 1);
    const lua_Integer max = luaL_optinteger(L, 2, 0);
    enum sb_param_kind kind = SB_PARAM_TEXT;
    struct sb_param *p;

    if (type < BIND_TINYINT || type > BIND_VARCHAR)
        return luaL_error(L, "unsupported type of parameter: %d", type);
    if (type <= BIND_BIGINT)
        kind = SB_PARAM_INT;
    else if (type <= BIND_DOUBLE)
        kind = SB_PARAM_DOUBLE;
    if (kind == SB_PARAM_TEXT && (max < 1 || max > INT32_MAX))
        return luaL_error(L, "bind_create(): how long a text may be is "
                             "missing");
    p = lua_newuserdata(L, sizeof(*p) + (size_t)max + 1);
    *p = (struct sb_param){
        .kind = kind, .is_null = true, .max_len = (uint32_t)max};
    luaL_getmetatable(L, SB_PARAM_TYPE);
    lua_setmetatable(L, -2);
    return 1;
}

static int l_set(lua_State *L)
{
    struct sb_param *p =
        check_type(L, sb_host_of(L), SB_TYPE_PARAM, SB_PARAM_TYPE);
    const char *text;
    size_t len;

    p->is_null = lua_isnoneornil(L, 2);
    if (p->is_null)
        return 0;
    switch (p->kind) {
    case SB_PARAM_INT:
        p->i = (int64_t)luaL_checknumber(L, 2);
        return 0;
    case SB_PARAM_DOUBLE:
        p->d = luaL_checknumber(L, 2);
        return 0;
    case SB_PARAM_TEXT:
        break;
    }
    text = luaL_checklstring(L, 2, &len);
    p->len = len < p->max_len ? (uint32_t)len : p->max_len;
    memcpy(p->text, text, p->len);
    return 0;
}

static int l_set_rand_str(lua_State *L)
{
    struct sb_param *p =
        check_type(L, sb_host_of(L), SB_TYPE_PARAM, SB_PARAM_TYPE);
    size_t len;
    const char *text = luaL_checklstring(L, 2, &len);

    if (p->kind != SB_PARAM_TEXT)
        return luaL_error(L, "the parameter is no text");
    p->is_null = false;
    p->len = len < p->max_len ? (uint32_t)len : p->max_len;
    sb_fill_template(&sb_lua_user(L)->inputs, text, p->text, p->len);
    return 0;
}

/* ---- results ---- */

/* Its rows copied, or without any. */
static void push_result(lua_State *L, const struct rowset *rows, bool keeps)
{
    const size_t n_cells = keeps ? rows->n_rows * rows->n_cols : 0;
    size_t bytes = sizeof(struct sb_result) + n_cells * sizeof(struct value);
    struct sb_result *r;
    char *text;

    for (size_t i = 0; i < n_cells; i++)
        bytes += rows->cells[i].type == VALUE_TEXT ? rows->cells[i].len : 0;
    r = lua_newuserdata(L, bytes);
    *r = (struct sb_result){
        .n_rows = rows->n_cols > 0 ? rows->n_rows : (size_t)rows->n_affected,
        .n_fields = rows->n_cols,
    };
    if (!keeps || rows->n_cols == 0)
        r->next_row = r->n_rows;
    text = (char *)(r->cells + n_cells);
    for (size_t i = 0; i < n_cells; i++) {
        r->cells[i] = rows->cells[i];
        if (r->cells[i].type != VALUE_TEXT)
            continue;
        memcpy(text, rows->cells[i].s, rows->cells[i].len);
        r->cells[i].s = text;
        text += rows->cells[i].len;
    }
    luaL_getmetatable(L, SB_RESULT_TYPE);
    lua_setmetatable(L, -2);
}

static int l_fetch_row(lua_State *L)
{
    struct sb_result *r = luaL_checkudata(L, 1, SB_RESULT_TYPE);
    const struct value *cells;

    if (r->next_row >= r->n_rows)
        return 0;
    cells = &r->cells[r->next_row++ * r->n_fields];
    lua_createtable(L, (int)r->n_fields, 0);
    for (size_t i = 0; i < r->n_fields; i++) {
        if (cells[i].type != VALUE_TEXT)
            continue;
        lua_pushlstring(L, cells[i].s, cells[i].len);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static int l_result_index(lua_State *L)
{
    const struct sb_result *r = luaL_checkudata(L, 1, SB_RESULT_TYPE);
    const char *key = luaL_checkstring(L, 2);

    if (strcmp(key, "nrows") == 0)
        lua_pushnumber(L, (lua_Number)r->n_rows);
    else if (strcmp(key, "nfields") == 0)
        lua_pushnumber(L, (lua_Number)r->n_fields);
    else
        lua_rawget(L, lua_upvalueindex(1));
    return 1;
}

/* ---- errors ---- */

/* "file:line: " of the first that is not the prelude's. */
static void push_where(lua_State *L)
{
    lua_Debug ar;

    for (int level = 1; lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "Sl", &ar);
        if (ar.currentline > 0 && strcmp(ar.source, "=prelude") != 0) {
            lua_pushfstring(L, "%s:%d: ", ar.source + 1, ar.currentline);
            return;
        }
    }
    lua_pushliteral(L, "");
}

/* "1213" or "40P01" is in "1213, 40P01". */
static bool is_listed(const char *list, const char *word)
{
    const size_t n = strlen(word);

    if (n == 0)
        return false;
    while (*list) {
        const size_t len = strcspn(list, ", ");

        if (len == n && strncmp(list, word, n) == 0)
            return true;
        list += len;
        list += strspn(list, ", ");
    }
    return false;
}

static bool is_ignorable(const struct sb_state *st, const struct err *e)
{
    static const char usual[] = "1213,1020,1205,40P01,23505,40001";
    const char *list = st->cfg->ignore_errors;
    char number[16];

    if (strcmp(list, "none") == 0)
        return false;
    if (strcmp(list, "all") == 0)
        return true;
    if (strcmp(list, "auto") == 0) {
        if (e->rc == RC_DB_RETRY)
            return true;
        list = usual;
    }
    snprintf(number, sizeof(number), "%d", e->native);
    return is_listed(list, e->sqlstate) || is_listed(list, number);
}

static void push_description(lua_State *L, const struct sb_user *u)
{
    const struct sb_request *r = &u->request;
    const struct err *e = &u->sql_err;

    lua_createtable(L, 0, 6);
    lua_pushinteger(L, e->native);
    lua_setfield(L, -2, "sql_errno");
    lua_pushstring(L, e->sqlstate);
    lua_setfield(L, -2, "sql_state");
    lua_pushstring(L, e->text);
    lua_setfield(L, -2, "sql_errmsg");
    lua_pushstring(L,
                   r->ask == SB_ASK_QUERY ? r->text : "<prepared statement>");
    lua_setfield(L, -2, "query");
    if (r->con) {
        struct sb_con **con = lua_newuserdata(L, sizeof(struct sb_con *));

        *con = r->con;
        luaL_getmetatable(L, SB_CON_TYPE);
        lua_setmetatable(L, -2);
        lua_setfield(L, -2, "connection");
    }
}

static bool hook_ignores(lua_State *L, const struct sb_host *h)
{
    bool yes;

    lua_rawgeti(L, LUA_REGISTRYINDEX, h->functions_ref);
    lua_getfield(L, -1, "ignorable");
    lua_rawgeti(L, LUA_REGISTRYINDEX, h->user->table_ref);
    lua_pushvalue(L, -4);
    lua_call(L, 2, 1);
    yes = lua_toboolean(L, -1);
    lua_pop(L, 2);
    return yes;
}

static int raise(lua_State *L, struct sb_host *h)
{
    struct sb_user *u = h->user;
    const struct err *e = &u->sql_err;

    u->raised_rc = u->request.rc;
    push_description(L, u);
    if (is_ignorable(h->state, e) || hook_ignores(L, h)) {
        lua_pushinteger(L, 1);
        lua_setfield(L, -2, "errcode");
        if (u->request.con)
            u->request.con->must_roll_back = true;
        return lua_error(L);
    }
    push_where(L);
    lua_pushfstring(L, "SQL error, errno = %d, state = '%s': %s", e->native,
                    e->sqlstate, e->text);
    lua_concat(L, 2);
    u->raised = lua_tostring(L, -1);
    return lua_error(L);
}

/* ---- what is left when the database has answered ---- */

static int push_answer(lua_State *L, struct sb_host *h)
{
    const struct sb_request *r = &h->user->request;

    if (LIKELY(!r->wants_rows && !h->keeps_rows)) {
        /* Nobody looks into it. */
        lua_rawgeti(L, LUA_REGISTRYINDEX, h->result_ref);
        return 1;
    }
    push_result(L, &r->answer, true);
    return 1;
}

static int l_take(lua_State *L)
{
    struct sb_host *h = sb_host_of(L);
    struct sb_request *r = &h->user->request;
    const enum sb_ask asked = r->ask;
    struct sb_con **con;

    r->ask = SB_ASK_NOTHING;
    if (UNLIKELY(r->rc)) {
        r->ask = asked;
        return raise(L, h);
    }
    switch (asked) {
    case SB_ASK_QUERY:
    case SB_ASK_EXECUTE:
        return push_answer(L, h);
    case SB_ASK_CONNECT:
        con = lua_newuserdata(L, sizeof(struct sb_con *));
        *con = r->con;
        luaL_getmetatable(L, SB_CON_TYPE);
        lua_setmetatable(L, -2);
        return 1;
    case SB_ASK_PREPARE:
        lua_rawgeti(L, LUA_REGISTRYINDEX, h->user->table_ref);
        lua_getfield(L, -1, "prepared");
        return 1;
    case SB_ASK_ROWS_BEGIN:
        lua_rawgeti(L, LUA_REGISTRYINDEX, h->user->table_ref);
        lua_getfield(L, -1, "rows");
        return 1;
    case SB_ASK_NOTHING:
    case SB_ASK_DISCONNECT:
    case SB_ASK_ROWS:
    case SB_ASK_ROWS_END:
        break;
    }
    return 0;
}

/* ---- the table of them ---- */

static const luaL_Reg functions[] = {
    {"connect", l_connect},     {"disconnect", l_disconnect},
    {"query", l_query},         {"prepare", l_prepare},
    {"execute", l_execute},     {"bulk_add", l_bulk_add},
    {"bulk_done", l_bulk_done}, {"new_param", l_new_param},
    {"take", l_take},           {NULL, NULL},
};
static const luaL_Reg con_functions[] = {{"bulk_insert_init", l_bulk_init},
                                         {NULL, NULL}};
static const luaL_Reg stmt_functions[] = {
    {"bind_param", l_bind_param}, {"close", l_close}, {NULL, NULL}};
static const luaL_Reg param_functions[] = {
    {"set", l_set}, {"set_rand_str", l_set_rand_str}, {NULL, NULL}};
static const luaL_Reg result_functions[] = {{"fetch_row", l_fetch_row},
                                            {NULL, NULL}};

void sb_api_sql(lua_State *L)
{
    static const struct rowset nothing;

    luaL_register(L, NULL, functions);
    lua_pushlightuserdata(L, &tag);
    lua_setfield(L, -2, "tag");
    sb_new_type(L, SB_CON_TYPE, con_functions);
    lua_setfield(L, -2, "con");
    sb_new_type(L, SB_STMT_TYPE, stmt_functions);
    sb_host_of(L)->types[SB_TYPE_STMT] = lua_topointer(L, -1);
    lua_setfield(L, -2, "stmt");
    sb_new_type(L, SB_PARAM_TYPE, param_functions);
    sb_host_of(L)->types[SB_TYPE_PARAM] = lua_topointer(L, -1);
    lua_setfield(L, -2, "param");
    sb_new_type(L, SB_RESULT_TYPE, result_functions);
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, l_result_index, 1);
    lua_setfield(L, -2, "__index");
    lua_setfield(L, -2, "result");
    push_result(L, &nothing, false);
    sb_host_of(L)->result_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    sb_api_rows(L);
}
