/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of this folder: the settings, what a dataset knows, a
 * user.
 */
#ifndef WORKLOAD_PGBENCH_PGBENCH_H
#define WORKLOAD_PGBENCH_PGBENCH_H

#include "base/rng.h"
#include "workload/pgbench/data.h"
#include "workload/pgbench/lang/script.h"
#include "workload/pgbench/workloads.h"
#include "workload/workload.h"

#define PGB_SCRIPTS_MAX 16

enum pgb_protocol {
    PGB_AUTO,
    PGB_SIMPLE,
    PGB_EXTENDED,
    PGB_PREPARED,
};

struct pgb_cfg {
    struct opt_strs files;   /* PATH or PATH@WEIGHT */
    struct opt_strs defines; /* NAME=VALUE */
    int protocol;            /* enum pgb_protocol */
    bool allow_shell;
    uint64_t scale;
};

/* Variables that are always there. */
enum pgb_special {
    PGB_SCALE,
    PGB_CLIENT_ID,
    PGB_RANDOM_SEED,
    PGB_DEFAULT_SEED,
};

#define PGB_N_SPECIAL 4

/* A dataset's: the scripts, the same for all users. */
struct pgb_state {
    struct pgb_dialect dialect;
    enum pgb_protocol protocol;
    bool discards;
    struct pgb_script *scripts;
    size_t n_scripts;
    uint64_t weights; /* of all */
    struct var_table vars;
    bool *from_rows;               /* by variable: \gset may set it */
    size_t special[PGB_N_SPECIAL]; /* numbers of variables */
    struct pgb_totals totals;
    /* Of -f: each script is a transaction. */
    struct workload workload;
    struct txn_type txns[PGB_SCRIPTS_MAX];
    struct pgb_sums sums; /* before the run, */
    bool has_sums;        /* if there is one */
};

struct pgb_user {
    struct vu base; /* first member */
    struct pgb_state *state;
    struct rng choice, inputs, inputs_before;
    const struct pgb_script *script; /* drawn */
    bool tried;
    bool in_pipeline;
    bool wrote; /* since the last answer, something that commits by itself */
    struct var *vars, *vars_before; /* the text of the latter: of rows only */
    struct value *args;
    char (*printed)[VAR_PRINTED_MAX]; /* behind args */
    char *text;                       /* that is sent */
    size_t text_cap;
    /* Why the last try failed, when it was the script's fault. */
    const char *fault, *fault_at;
    const struct pgb_cmd *cmd;
    size_t n_answers; /* of the statement that runs */
};

static inline struct pgb_state *pgb_of(const struct dataset *ds)
{
    return ds->state;
}

static inline struct pgb_user *pgb_user(struct vu *vu)
{
    return CONTAINER_OF(vu, struct pgb_user, base);
}

/* ---- options.c ---- */

extern const struct opt pgb_script_opts[], pgb_builtin_opts[];
/* Reads and parses the scripts. */
enum rc pgb_open(struct dataset *ds, struct err *err);
void pgb_close(struct dataset *ds);

/* ---- user.c ---- */

enum rc pgb_vu_new(struct dataset *ds, uint64_t number, struct vu **out,
                   struct err *err);
void pgb_vu_free(struct vu *vu);
size_t pgb_draw(struct vu *vu);
bool pgb_error(const struct vu *vu, struct err *err);
/* The script's fault, at a place in it (NULL: the command); RC_INVALID. */
enum rc pgb_fault(struct pgb_user *u, const char *at, const char *text);
/* Puts the variables back as they were drawn with. */
bool pgb_restore(struct pgb_user *u);

/* ---- statement.c ---- */

/* Runs u->cmd, a statement. */
CORO_FN enum rc pgb_run_sql(struct pgb_user *u, struct conn *c);
/* Waits for what a pipeline has queued. */
CORO_FN enum rc pgb_wait(struct pgb_user *u, struct conn *c);
/* The pieces with their values, into u->text; each piece behind the first is
 * preceded by `between`. */
bool pgb_put_pieces(struct pgb_user *u, const struct pgb_piece *pieces,
                    size_t n, const char *between, size_t *out_len);
CORO_FN enum rc pgb_vu_prepare(struct vu *vu, struct conn *c, struct err *err);

/* ---- interpret.c ---- */

CORO_FN enum rc pgb_execute(struct vu *vu, struct conn *c, bool *rolled_back);

/* ---- shell.c ---- */

/* Runs u->cmd, \shell or \setshell; blocks the thread. */
enum rc pgb_run_shell(struct pgb_user *u);

#endif
