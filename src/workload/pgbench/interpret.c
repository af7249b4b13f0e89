/* SPDX-License-Identifier: MIT */
/* A script, command by command. */
#include "base/clock.h"
#include "driver/flight.h"
#include "workload/pgbench/pgbench.h"

#include <stdlib.h>

static enum rc eval(struct pgb_user *u, struct scalar *out)
{
    struct expr_env env = {
        .vars = u->vars,
        .rng = &u->inputs,
        .script = (size_t)(u->script - u->state->scripts),
        .command = (size_t)(u->cmd - u->script->cmds) + 1,
    };

    if (LIKELY(expr_eval(&u->cmd->expr, &env, out)))
        return RC_OK;
    return pgb_fault(u, u->cmd->expr_at + env.fault_at, env.fault);
}

static enum rc run_set(struct pgb_user *u)
{
    struct var *v = &u->vars[u->cmd->var];
    enum rc rc = eval(u, &v->value);

    if (LIKELY(!rc))
        v->kind = VAR_SCALAR;
    return rc;
}

static enum rc amount_of(struct pgb_user *u, int64_t *out)
{
    const struct pgb_cmd *cmd = u->cmd;
    const struct var *v;
    struct scalar s;

    *out = cmd->amount;
    if (cmd->var == PGB_NO_VAR)
        return RC_OK;
    v = &u->vars[cmd->var];
    s = v->value;
    if (v->kind == VAR_UNSET ||
        (v->kind == VAR_TEXT && !scalar_read(v->text, v->len, &s)) ||
        s.type != SCALAR_INT || s.i < 0 || s.i > INT64_MAX / cmd->unit_ns)
        return pgb_fault(u, NULL, "the time to sleep is no integer");
    *out = s.i;
    return RC_OK;
}

static CORO_FN enum rc run_sleep(struct pgb_user *u, struct conn *c)
{
    int64_t amount;
    enum rc rc = amount_of(u, &amount);

    if (rc || u->state->discards)
        return rc;
    return loop_sleep_until(c->loop,
                            mono_add(clock_now(), amount * u->cmd->unit_ns));
}

static enum rc start_pipeline(struct pgb_user *u)
{
    if (u->in_pipeline)
        return pgb_fault(u, NULL, "a pipeline has begun already");
    u->in_pipeline = true;
    return RC_OK;
}

/* Nothing is waited for where the database can tell the parts apart. */
static CORO_FN enum rc sync_pipeline(struct pgb_user *u, struct conn *c)
{
    if (!u->in_pipeline)
        return pgb_fault(u, NULL, "there is no pipeline");
    if (u->state->discards || conn_flight_sync(c))
        return RC_OK;
    return pgb_wait(u, c);
}

static CORO_FN enum rc end_pipeline(struct pgb_user *u, struct conn *c)
{
    if (!u->in_pipeline)
        return pgb_fault(u, NULL, "there is no pipeline");
    u->in_pipeline = false;
    return u->state->discards ? RC_OK : pgb_wait(u, c);
}

/* Runs u->cmd; *jumps says whether to go to its target. */
static CORO_FN enum rc run_cmd(struct pgb_user *u, struct conn *c, bool *jumps)
{
    struct scalar s;
    enum rc rc;

    switch (u->cmd->type) {
    case PGB_SQL:
        return pgb_run_sql(u, c);
    case PGB_SET:
        return run_set(u);
    case PGB_UNLESS:
        rc = eval(u, &s);
        *jumps = !rc && !scalar_is_true(&s);
        return rc;
    case PGB_JUMP:
        *jumps = true;
        return RC_OK;
    case PGB_SLEEP:
        return run_sleep(u, c);
    case PGB_SHELL:
    case PGB_SETSHELL:
        return pgb_run_shell(u);
    case PGB_START_PIPELINE:
        return start_pipeline(u);
    case PGB_SYNC_PIPELINE:
        return sync_pipeline(u, c);
    case PGB_END_PIPELINE:
        return end_pipeline(u, c);
    }
    return RC_OK;
}

static CORO_FN enum rc run_script(struct pgb_user *u, struct conn *c)
{
    const struct pgb_script *script = u->script;
    size_t i = 0;

    while (i < script->n_cmds) {
        bool jumps = false;
        enum rc rc;

        u->cmd = &script->cmds[i];
        rc = run_cmd(u, c, &jumps);
        if (UNLIKELY(rc))
            return rc;
        i = jumps ? u->cmd->target : i + 1;
    }
    if (UNLIKELY(u->in_pipeline))
        return pgb_fault(u, NULL, "the script ends inside a pipeline");
    if (UNLIKELY(c->in_txn))
        return pgb_fault(u, NULL, "the script ends inside a transaction");
    return RC_OK;
}

enum rc pgb_execute(struct vu *vu, struct conn *c, bool *rolled_back)
{
    struct pgb_user *u = pgb_user(vu);
    enum rc rc;

    (void)rolled_back;
    u->fault = NULL;
    if (UNLIKELY(u->tried) && !pgb_restore(u))
        return RC_NOMEM;
    u->tried = true;
    u->wrote = false;
    rc = run_script(u, c);
    if (UNLIKELY(u->in_pipeline)) {
        /* What was queued is answered, whatever it says. */
        u->in_pipeline = false;
        if (!u->state->discards && c->flight.n_statements > 0 &&
            pgb_wait(u, c) == RC_DB_UNKNOWN)
            rc = RC_DB_UNKNOWN;
    }
    return rc;
}
