/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of this folder: the settings, what a dataset knows, a
 * user.
 */
#ifndef WORKLOAD_SYSBENCH_SYSBENCH_H
#define WORKLOAD_SYSBENCH_SYSBENCH_H

#include "base/rng.h"
#include "workload/sysbench/host.h"
#include "workload/workload.h"

#include <pthread.h>

#define SB_OPTS_MAX 64

enum sb_rand_type {
    SB_UNIFORM,
    SB_GAUSSIAN,
    SB_SPECIAL,
    SB_PARETO,
    SB_ZIPFIAN,
};

enum sb_opt_kind { SB_TEXT, SB_NUMBER, SB_FLAG, SB_LIST };

/* An option that the script defines. */
struct sb_opt {
    const char *name; /* "table_size" */
    enum sb_opt_kind kind;
};

/* The script's options stand behind those of all scripts. */
struct sb_cfg {
    int rand_type; /* enum sb_rand_type */
    uint64_t rand_spec_iter, rand_spec_pct, rand_spec_res;
    const char *rand_pareto_h, *rand_zipfian_exp;
    const char *ignore_errors;
    uint64_t lua_memory;
    int64_t script_limit_ns;
    bool allow_shell;
    const char *path, *command;
    bool has_check;
    size_t n_opts;
    const struct sb_opt *opts;
    const char *texts[SB_OPTS_MAX];
    bool flags[SB_OPTS_MAX];
};

/* What a statement does, by its first word. */
enum sb_kind { SB_READ, SB_WRITE, SB_OTHER, SB_N_KINDS };
enum sb_txn { SB_NO_TXN, SB_BEGIN, SB_COMMIT, SB_ROLLBACK };

/* A statement, the same for all users who prepare this text. */
struct sb_sql {
    const char *text; /* as the script wrote it */
    size_t number;    /* on each connection */
    struct step step;
    enum sb_kind kind;
    enum sb_txn txn;
    struct sb_sql *next;
};

/* Constants of the distributions. */
struct sb_dist {
    enum sb_rand_type type;
    uint64_t iter;
    double pct, res; /* of special */
    double pareto_power, zipf_exp;
};

/* A dataset's: the same for all users, but for what the lock guards. */
struct sb_state {
    const struct sb_cfg *cfg;
    const struct dataset *ds;
    bool discards, native_txns;
    const char *driver_name; /* as scripts know it */
    struct sb_dist dist;
    _Atomic uint64_t n_users;
    uint64_t unique_offset;
    _Atomic uint32_t unique_index;
    struct step query_steps[SB_N_KINDS];
    const char *command;           /* that goes on */
    uint64_t reported[SB_N_KINDS]; /* up to the last report */
    struct audit *audit;           /* while check() runs */
    struct workload workload;      /* with the script's name, and its check() */
    struct txn_type txn;
    struct sb_user *control; /* whose globals init, done, hooks, check see */

    pthread_mutex_t lock;
    struct arena sqls_arena;
    struct sb_sql *sqls[256]; /* by hash */
    size_t n_sqls;
    struct sb_host *hosts;
    struct err first_fault; /* of a script */
};

struct sb_con;
struct sb_stmt;
struct sb_rows;

/* What Lua asks of the coroutine that runs it. */
enum sb_ask {
    SB_ASK_NOTHING,
    SB_ASK_CONNECT,
    SB_ASK_DISCONNECT,
    SB_ASK_QUERY,
    SB_ASK_PREPARE,
    SB_ASK_EXECUTE,
    SB_ASK_ROWS_BEGIN,
    SB_ASK_ROWS,
    SB_ASK_ROWS_END,
};

struct sb_request {
    enum sb_ask ask;
    bool wants_rows;
    struct sb_con *con;
    struct sb_stmt *stmt;
    const struct sb_sql *sql;
    struct sb_rows *rows;
    const char *text; /* Lua's, on the stack of who asks */
    /* The answer. */
    enum rc rc;
    struct rowset answer;
};

enum sb_life { SB_GOES_ON, SB_DONE, SB_LOST };

struct sb_user {
    struct vu base; /* first member */
    struct sb_state *state;
    struct sb_host *host; /* NULL: has no Lua yet */
    lua_State *lua;
    int lua_ref, table_ref; /* in the registry: the thread, its table */
    struct rng inputs, inputs_before;
    bool same_inputs; /* the next try is of these */
    struct conn *conn;
    struct sb_con *cons; /* all that the script has */
    struct sb_request request;
    enum sb_life life;
    FILE *out;          /* of print */
    struct err sql_err; /* of the last request that failed */
    const void *raised; /* what Lua was told of it, and */
    enum rc raised_rc;  /* its code */
    bool faulty;        /* why the last try failed stands in fault */
    struct err fault;
    _Atomic uint64_t n_asked[SB_N_KINDS];
};

static inline struct sb_state *sb_of(const struct dataset *ds)
{
    return ds->state;
}

static inline struct sb_user *sb_user_of(struct vu *vu)
{
    return CONTAINER_OF(vu, struct sb_user, base);
}

/* ---- options.c ---- */

extern const struct opt sb_opts[];
bool sb_is_script(const char *word);
enum rc sb_describe(struct arena *arena, const char *path, const char *command,
                    const struct opt **out_opts, void *cfg, struct err *err);
enum rc sb_open(struct dataset *ds, struct err *err);
void sb_close(struct dataset *ds);

/* ---- user.c ---- */

enum rc sb_vu_new(struct dataset *ds, uint64_t number, struct vu **out,
                  struct err *err);
void sb_vu_free(struct vu *vu);
/* Gives it Lua on this thread; the script is ready to run. */
enum rc sb_user_make(struct sb_user *u, struct err *err);
/* Runs it up to its end where there is no database. */
enum rc sb_user_main(struct sb_user *u, struct err *err);
/* Both where there is one. */
CORO_FN enum rc sb_user_begin(struct sb_user *u, struct conn *c,
                              struct err *err);
/* Runs the prelude's function `part` for the user, with a name or NULL. */
CORO_FN enum rc sb_run(struct sb_user *u, const char *part, const char *name,
                       bool *out_true);
/* The text of a failed sb_run() or sb_user_begin(); returns rc. */
enum rc sb_give(const struct sb_user *u, enum rc rc, struct err *err);
CORO_FN enum rc sb_vu_prepare(struct vu *vu, struct conn *c, struct err *err);
CORO_FN enum rc sb_vu_leave(struct vu *vu, struct conn *c);
size_t sb_draw(struct vu *vu);
CORO_FN enum rc sb_execute(struct vu *vu, struct conn *c, bool *rolled_back);
bool sb_error(const struct vu *vu, struct err *err);
bool sb_ends(const struct vu *vu, bool *out_lost);

/* ---- ask.c: the database's side of a request ---- */

CORO_FN void sb_answer(struct sb_user *u);
/* Closes what is open but the run's own connection. */
void sb_close_cons(struct sb_user *u);

/* ---- statement.c ---- */

/* The statement of this text; NULL: no memory, or too many parameters. */
const struct sb_sql *sb_sql_find(struct sb_state *st, const char *text,
                                 const char *name, bool keeps_rows);
enum sb_kind sb_kind_of(const char *text, enum sb_txn *out_txn);

/* ---- place.c ---- */

/* The text of an error of Lua's, with the line that it names and a caret. */
void sb_show_place(const struct sb_host *h, const char *text, struct err *err);

/* ---- what Lua calls: functions into the table on top of the stack ---- */

void sb_api_rand(lua_State *L);
void sb_api_sql(lua_State *L);
void sb_api_dyno(lua_State *L);
void sb_api_load(lua_State *L);

/* ---- dist.c ---- */

void sb_dist_init(struct sb_dist *d, const struct sb_cfg *cfg);
int64_t sb_dist_draw(const struct sb_dist *d, enum sb_rand_type type,
                     struct rng *r, int64_t a, int64_t b);
/* '#' is a digit, '@' a letter. */
void sb_fill_template(struct rng *r, const char *from, char *to, size_t n);
uint32_t sb_unique(struct sb_state *st);

#endif
