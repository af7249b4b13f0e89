/* SPDX-License-Identifier: MIT */
/* The objects of scripts that belong to a connection. */
#ifndef WORKLOAD_SYSBENCH_SQL_H
#define WORKLOAD_SYSBENCH_SQL_H

#include "base/buf.h"
#include "driver/bulk.h"
#include "workload/sysbench/sysbench.h"

#define SB_PRINTED_MAX 32
#define SB_BULK_BYTES (512U << 10)
#define SB_ROWS_BATCH 200

/* Owned by its user, for scripts may forget theirs. */
struct sb_con {
    struct sb_user *user;
    struct sb_con *next;
    struct conn *own; /* NULL: that of the run */
    bool main, closed;
    bool must_roll_back; /* before anything else */
    struct buf bulk;     /* an INSERT that grows */
    size_t bulk_head, bulk_rows;
};

enum sb_param_kind { SB_PARAM_INT, SB_PARAM_DOUBLE, SB_PARAM_TEXT };

struct sb_param {
    enum sb_param_kind kind;
    bool is_null;
    int64_t i;
    double d;
    uint32_t len, max_len;
    char text[];
};

struct sb_stmt {
    struct sb_con *con;
    const struct sb_sql *sql;
    bool as_text; /* the server does not prepare this */
    bool bound;
    size_t n_params;
    struct sb_param **params; /* behind it, with the next two */
    struct value *args;
    char (*printed)[SB_PRINTED_MAX];
};

/* Of a query: the cells are behind it, then their bytes. */
struct sb_result {
    size_t n_rows, n_fields, next_row;
    struct value cells[];
};

/* Rows on their way into a table. */
struct sb_rows {
    struct sb_con *con;
    struct arena arena; /* names */
    struct arena texts; /* of the rows that wait */
    struct table_def table;
    struct value *cells;
    size_t n;
    bool open;
};

static inline struct conn *sb_conn_of(const struct sb_con *con)
{
    return con->own ? con->own : con->user->conn;
}

#define SB_CON_TYPE "dyno.con"
#define SB_STMT_TYPE "dyno.stmt"
#define SB_PARAM_TYPE "dyno.param"
#define SB_RESULT_TYPE "dyno.result"
#define SB_ROWS_TYPE "dyno.rows"

/* For C functions that ask: set the request, then `return sb_yield(L)`; Lua
 * goes on with true. */
int sb_yield(lua_State *L);
struct sb_user *sb_lua_user(lua_State *L);
struct sb_con *sb_check_con(lua_State *L, int index);
void sb_api_rows(lua_State *L);
/* A userdata type of this name with the methods in `functions`. */
void sb_new_type(lua_State *L, const char *name, const luaL_Reg *functions);

#endif
