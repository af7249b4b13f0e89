/* SPDX-License-Identifier: MIT */
/* Statements on the run path: values into texts or parameters, rows into
 * variables. */
#include "base/mem.h"
#include "driver/flight.h"
#include "driver/raw.h"
#include "workload/pgbench/pgbench.h"

#include <stdio.h>
#include <string.h>

#define NAME_MAX_BYTES 192

/* ---- texts ---- */

static bool grow(struct pgb_user *u, size_t need)
{
    char *text = mem_realloc(u->text, 2 * need);

    if (!text)
        return false;
    u->text = text;
    u->text_cap = 2 * need;
    return true;
}

static bool put(struct pgb_user *u, size_t *len, const char *s, size_t n)
{
    if (UNLIKELY(*len + n >= u->text_cap) && !grow(u, *len + n + 1))
        return false;
    memcpy(u->text + *len, s, n);
    *len += n;
    return true;
}

static bool put_value(struct pgb_user *u, size_t *len,
                      const struct pgb_piece *piece)
{
    const struct var *v = &u->vars[piece->var];

    switch (v->kind) {
    case VAR_SCALAR:
        if (UNLIKELY(*len + VAR_PRINTED_MAX >= u->text_cap) &&
            !grow(u, *len + VAR_PRINTED_MAX))
            return false;
        *len += scalar_print(&v->value, u->text + *len);
        return true;
    case VAR_TEXT:
        return put(u, len, v->text, v->len);
    case VAR_UNSET:
        break;
    }
    if (piece->unset)
        return put(u, len, piece->unset, piece->unset_len);
    u->fault = "a variable has no value";
    return false;
}

bool pgb_put_pieces(struct pgb_user *u, const struct pgb_piece *pieces,
                    size_t n, const char *between, size_t *out_len)
{
    size_t len = 0;

    u->fault = NULL;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && *between && !put(u, &len, between, strlen(between)))
            return false;
        if (!put(u, &len, pieces[i].s, pieces[i].len))
            return false;
        if (pieces[i].var != PGB_NO_VAR && !put_value(u, &len, &pieces[i]))
            return false;
    }
    u->text[len] = '\0';
    *out_len = len;
    return true;
}

/* ---- parameters ---- */

/* Databases with a protocol of text read all parameters from text, as their
 * types are the server's; others take integers. */
static struct value bind(const struct pgb_user *u, const struct var *v,
                         char *printed)
{
    const bool numbers = !u->state->dialect.native_txns;

    if (v->kind == VAR_TEXT)
        return v_textn(v->text, v->len);
    if (v->value.type == SCALAR_NULL)
        return v_null();
    if (numbers && v->value.type == SCALAR_INT)
        return v_int(v->value.i);
    if (numbers && v->value.type == SCALAR_BOOL)
        return v_int(v->value.b);
    return v_textn(printed, scalar_print(&v->value, printed));
}

static enum rc bind_all(struct pgb_user *u, const struct pgb_sql *sql)
{
    for (size_t i = 0; i < sql->step.n_params; i++) {
        const struct var *v = &u->vars[sql->vars[i]];
        const size_t k = sql->first_arg + i;

        if (UNLIKELY(v->kind == VAR_UNSET))
            return pgb_fault(u, NULL, "a variable has no value");
        u->args[k] = bind(u, v, u->printed[k]);
    }
    return RC_OK;
}

/* ---- rows ---- */

static enum rc set_column(struct pgb_user *u, const struct pgb_sql *sql,
                          const char *name, const struct value *cell)
{
    char full[NAME_MAX_BYTES];
    const int len =
        snprintf(full, sizeof(full), "%s%s", sql->prefix, name ? name : "");
    size_t i;

    if (len < 0 || (size_t)len >= sizeof(full) ||
        !var_is_name(full, (size_t)len))
        return pgb_fault(u, NULL,
                         "the name of a column is not one of a variable");
    i = var_find(&u->state->vars, full, (size_t)len);
    if (i == SIZE_MAX)
        return RC_OK; /* nobody reads it */
    /* As pgbench: NULL is the empty text. */
    if (!var_set_text(&u->vars[i], value_is_null(cell) ? "" : cell->s,
                      value_is_null(cell) ? 0 : cell->len))
        return RC_NOMEM;
    return RC_OK;
}

static enum rc take_rows(void *arg, const struct rowset *rows)
{
    struct pgb_user *u = arg;
    const struct pgb_sql *sql = u->cmd->sql;
    const bool is_last = ++u->n_answers == sql->step.n_statements;
    enum rc rc = RC_OK;

    if (sql->into == PGB_INTO_ONE && !is_last)
        return RC_OK;
    if (sql->into == PGB_INTO_ONE && rows->n_rows != 1)
        return pgb_fault(u, NULL,
                         rows->n_rows ? "expected one row, got more"
                                      : "expected one row, got none");
    if (rows->n_cols > 0 && !rows->names)
        return pgb_fault(u, NULL, "rows cannot be taken on this database yet");
    for (size_t i = 0; i < rows->n_cols && rows->n_rows > 0 && !rc; i++)
        rc = set_column(u, sql, rows->names[i],
                        rowset_at(rows, rows->n_rows - 1, i));
    return rc;
}

/* ---- running ---- */

static CORO_FN enum rc run_text(struct pgb_user *u, struct conn *c)
{
    const struct pgb_sql *sql = u->cmd->sql;
    size_t len;

    if (UNLIKELY(!pgb_put_pieces(u, sql->pieces, sql->n_pieces, "", &len)))
        return u->fault ? pgb_fault(u, NULL, u->fault) : RC_NOMEM;
    return conn_exec_text(c, &sql->step, u->text, sql->into ? take_rows : NULL,
                          u);
}

static CORO_FN enum rc run_step(struct pgb_user *u, struct conn *c)
{
    const struct pgb_sql *sql = u->cmd->sql;
    struct stmt *stmt = conn_stmt(c, sql->number);
    struct rowset rows;
    enum rc rc = bind_all(u, sql);

    if (UNLIKELY(!rc && !stmt)) {
        if (u->in_pipeline)
            rc = pgb_wait(u, c);
        if (!rc)
            rc = conn_prepare_as(c, sql->number, &sql->step, NULL);
        if (!rc)
            stmt = conn_stmt(c, sql->number);
    }
    if (UNLIKELY(rc))
        return rc;
    if (u->in_pipeline && sql->into)
        return pgb_fault(u, NULL, "rows cannot be taken inside a pipeline");
    if (u->in_pipeline) {
        conn_flight_exec(c, stmt, &u->args[sql->first_arg], sql->step.n_params);
        return RC_OK;
    }
    rc =
        conn_exec(c, stmt, &u->args[sql->first_arg], sql->step.n_params, &rows);
    return rc || !sql->into ? rc : take_rows(u, &rows);
}

/* For drivers that begin and end transactions in their own way. */
static CORO_FN enum rc run_txn(const struct pgb_sql *sql, struct conn *c)
{
    if (sql->kind == PGB_BEGIN)
        return c->in_txn
                   ? RC_OK
                   : conn_begin(c, sql->only_reads ? TXN_READ : TXN_WRITE);
    if (!c->in_txn)
        return RC_OK;
    return sql->kind == PGB_COMMIT ? conn_commit(c) : conn_rollback(c);
}

/* A connection lost while something may have been committed. */
static enum rc judge(const struct conn *c, bool commits, enum rc rc)
{
    return rc == RC_DB_GONE && c->gone && commits ? RC_DB_UNKNOWN : rc;
}

enum rc pgb_wait(struct pgb_user *u, struct conn *c)
{
    const bool wrote = u->wrote;

    u->wrote = false;
    return judge(c, wrote, conn_flight_wait(c, NULL, 0));
}

enum rc pgb_run_sql(struct pgb_user *u, struct conn *c)
{
    const struct pgb_sql *sql = u->cmd->sql;
    const bool commits =
        sql->kind == PGB_COMMIT || (sql->kind == PGB_OTHER && !c->in_txn);
    enum rc rc;

    u->n_answers = 0;
    if (u->state->discards)
        return RC_OK;
    if (sql->kind >= PGB_BEGIN && !u->state->dialect.native_txns)
        return run_txn(sql, c);
    rc = u->state->dialect.as_text ? run_text(u, c) : run_step(u, c);
    if (u->in_pipeline)
        u->wrote |= commits;
    return LIKELY(!rc) ? RC_OK : judge(c, commits, rc);
}

/* ---- preparing ---- */

static CORO_FN enum rc prepare_script(const struct pgb_user *u,
                                      const struct pgb_script *script,
                                      struct conn *c, struct err *err)
{
    for (size_t i = 0; i < script->n_cmds; i++) {
        const struct pgb_sql *sql = script->cmds[i].sql;
        struct err refused = {0};
        enum rc rc;

        if (!sql || (sql->kind >= PGB_BEGIN && !u->state->dialect.native_txns))
            continue;
        rc = conn_prepare_as(c, sql->number, &sql->step, &refused);
        /* What it names may be made by the script: it is prepared again when
         * it runs, and refused then. */
        if (rc == RC_OK || rc == RC_DB_ERROR || rc == RC_DB_PERMISSION)
            continue;
        if (err)
            *err = refused;
        return rc;
    }
    return RC_OK;
}

enum rc pgb_vu_prepare(struct vu *vu, struct conn *c, struct err *err)
{
    struct pgb_user *u = pgb_user(vu);
    enum rc rc = RC_OK;

    if (u->state->dialect.as_text || u->state->discards)
        return RC_OK;
    for (size_t i = 0; i < u->state->n_scripts && !rc; i++)
        rc = prepare_script(u, &u->state->scripts[i], c, err);
    return rc;
}
