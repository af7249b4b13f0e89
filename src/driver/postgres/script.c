/* SPDX-License-Identifier: MIT */
/*
 * Scripts: statement by statement, each on its own, so that what refuses to run
 * in a transaction (CREATE DATABASE, VACUUM, ALTER SYSTEM) works.  Rows come
 * one by one and are not kept.
 */
#include "driver/script.h"

#include "base/mem.h"
#include "base/parse.h"
#include "driver/postgres/pg_int.h"

#include <stdio.h>

/* A script that runs. */
struct script {
    struct pg_conn *pc;
    const struct result_sink *sink; /* may be NULL */
    size_t n;                       /* of the statement, from 1 */
    /* Of the statement: */
    const char **names;
    struct value *cells;
    size_t n_cols;
    int64_t n_rows;
    bool has_rows;
    struct err *err;
};

static enum rc fail(struct script *s)
{
    char what[40];

    snprintf(what, sizeof(what), "statement %zu", s->n);
    return pg_last_err(s->pc, what, s->err);
}

static void forget_columns(struct script *s)
{
    mem_free(s->names);
    mem_free(s->cells);
    s->names = NULL;
    s->cells = NULL;
    s->n_cols = 0;
    s->n_rows = 0;
    s->has_rows = false;
}

static enum rc give_columns(struct script *s, const PGresult *r)
{
    s->has_rows = true;
    s->n_cols = (size_t)PQnfields(r);
    s->names = MEM_ARRAY(const char *, s->n_cols + 1);
    s->cells = MEM_ARRAY(struct value, s->n_cols + 1);
    if (!s->names || !s->cells)
        return err_set(s->err, RC_NOMEM, "out of memory");
    for (size_t i = 0; i < s->n_cols; i++)
        s->names[i] = PQfname(r, (int)i);
    if (!s->sink || !s->sink->columns)
        return RC_OK;
    return s->sink->columns(s->sink->arg, s->names, s->n_cols);
}

static struct value read_cell(const PGresult *r, int row, int col)
{
    const enum pg_coding coding = pg_coding_of(PQftype(r, col));
    const char *text = PQgetvalue(r, row, col);
    int64_t i;

    if (PQgetisnull(r, row, col))
        return v_null();
    if ((coding == PG_INT2 || coding == PG_INT4 || coding == PG_INT8) &&
        !parse_i64(text, &i, NULL))
        return v_int(i);
    return v_textn(text, (size_t)PQgetlength(r, row, col));
}

static enum rc give_rows(struct script *s, const PGresult *r)
{
    for (int row = 0; row < PQntuples(r); row++) {
        enum rc rc = RC_OK;

        s->n_rows++;
        if (!s->sink || !s->sink->row)
            continue;
        for (size_t i = 0; i < s->n_cols; i++)
            s->cells[i] = read_cell(r, row, (int)i);
        rc = s->sink->row(s->sink->arg, s->cells, s->n_cols);
        if (rc)
            return rc;
    }
    return RC_OK;
}

static enum rc give_done(struct script *s, PGresult *r)
{
    int64_t n_rows = s->n_rows;

    if (!s->sink || !s->sink->done)
        return RC_OK;
    if (!s->has_rows)
        n_rows = *PQcmdTuples(r) ? (int64_t)pg_rows_changed(r) : -1;
    return s->sink->done(s->sink->arg, s->has_rows, n_rows);
}

/* Data would have to come from somewhere, or go. */
static CORO_FN enum rc refuse_copy(struct script *s)
{
    s->pc->base.gone = true;
    return err_set(s->err, RC_UNSUPPORTED,
                   "statement %zu: COPY from or to the client is not possible "
                   "here",
                   s->n);
}

static CORO_FN enum rc take_result(struct script *s, PGresult *r)
{
    enum rc rc = RC_OK;

    switch (PQresultStatus(r)) {
    case PGRES_SINGLE_TUPLE:
    case PGRES_TUPLES_OK:
        if (!s->has_rows)
            rc = give_columns(s, r);
        if (!rc)
            rc = give_rows(s, r);
        if (!rc && PQresultStatus(r) == PGRES_TUPLES_OK)
            rc = give_done(s, r);
        return rc;
    case PGRES_COMMAND_OK:
        return give_done(s, r);
    case PGRES_COPY_IN:
    case PGRES_COPY_OUT:
    case PGRES_COPY_BOTH:
        return refuse_copy(s);
    case PGRES_EMPTY_QUERY:
    case PGRES_BAD_RESPONSE:
    case PGRES_NONFATAL_ERROR:
    case PGRES_FATAL_ERROR:
    case PGRES_PIPELINE_SYNC:
    case PGRES_PIPELINE_ABORTED:
        break;
    }
    return RC_OK;
}

static bool is_error(const PGresult *r)
{
    return PQresultStatus(r) == PGRES_FATAL_ERROR ||
           PQresultStatus(r) == PGRES_BAD_RESPONSE;
}

/* Reads the whole answer also after a failure: the connection goes on. */
static CORO_FN enum rc read_answer(struct script *s)
{
    struct pg_conn *pc = s->pc;
    enum rc rc = RC_OK;
    PGresult *r;

    do {
        if (pg_next(pc, &r))
            return rc ? rc : fail(s);
        if (!r)
            break;
        if (!is_error(r)) {
            if (!rc)
                rc = take_result(s, r);
            /* The names point into it, until the next one has them too. */
            PQclear(r);
        } else if (rc) {
            PQclear(r);
        } else {
            rc = pg_fail_result(pc, r);
            fail(s);
        }
    } while (rc != RC_DB_GONE && !pc->base.gone);
    if (!rc && PQstatus(pc->pg) == CONNECTION_BAD) {
        pg_fail_lost(pc);
        rc = fail(s);
    }
    return rc;
}

static CORO_FN enum rc run_statement(struct script *s, const char *sql)
{
    struct pg_conn *pc = s->pc;
    enum rc rc;

    pc->base.usage.statements++;
    pc->base.usage.round_trips++;
    pg_start(pc);
    if (!PQsendQuery(pc->pg, sql) || !PQsetSingleRowMode(pc->pg)) {
        pg_fail_lost(pc);
        return fail(s);
    }
    rc = pg_flush(pc);
    rc = rc ? fail(s) : read_answer(s);
    forget_columns(s);
    return rc;
}

static CORO_FN enum rc run_all(struct script *s, const char *text, size_t len)
{
    const char *start;
    size_t n;

    while (script_next(&text, &len, &start, &n)) {
        char *sql = mem_calloc(n + 1, 1);
        enum rc rc;

        if (!sql)
            return err_set(s->err, RC_NOMEM, "out of memory");
        memcpy(sql, start, n);
        s->n++;
        rc = run_statement(s, sql);
        rc = script_failed(s->sink, &s->pc->base, rc, s->err);
        mem_free(sql);
        if (rc)
            return rc;
    }
    return RC_OK;
}

/* Nothing that the script began may stay open behind it. */
static CORO_FN enum rc close_transaction(struct script *s, enum rc rc)
{
    struct pg_conn *pc = s->pc;

    if (pc->base.in_txn || pc->base.gone || rc == RC_DB_GONE ||
        PQtransactionStatus(pc->pg) == PQTRANS_IDLE)
        return rc;
    if (pg_simple(pc, "ROLLBACK", NULL))
        pc->base.gone = true;
    if (rc)
        return rc;
    return err_set(s->err, RC_INVALID,
                   "the script leaves a transaction open; it is rolled back");
}

enum rc pg_script(struct conn *c, const char *text, size_t len,
                  const struct result_sink *sink, struct err *err)
{
    struct pg_conn *pc = pg_conn_of(c);
    struct script s = {.pc = pc, .sink = sink, .err = err};
    enum rc rc;

    pc->show_notices = sink != NULL;
    rc = run_all(&s, text, len);
    rc = close_transaction(&s, rc);
    pc->show_notices = false;
    return rc;
}
