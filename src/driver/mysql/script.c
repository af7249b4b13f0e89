/* SPDX-License-Identifier: MIT */
/*
 * Scripts: statement by statement, in the text protocol, since not everything
 * can be prepared.  Rows come one by one and are not kept.
 */
#include "driver/script.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "driver/mysql/maria_int.h"

#include <mariadb_com.h>
#include <stdio.h>

/* A script that runs. */
struct script {
    struct maria_conn *mc;
    const struct result_sink *sink; /* may be NULL */
    size_t n;                       /* of the statement, from 1 */
    struct err *err;
};

static enum rc fail(struct script *s)
{
    char what[40];

    snprintf(what, sizeof(what), "statement %zu", s->n);
    return maria_last_err(s->mc, what, s->err);
}

static enum rc no_memory(struct script *s)
{
    return err_set(s->err, RC_NOMEM, "out of memory");
}

static enum rc give_columns(struct script *s, MYSQL_RES *res)
{
    const size_t n = mysql_num_fields(res);
    const MYSQL_FIELD *fields = mysql_fetch_fields(res);
    const char **names;
    enum rc rc;

    if (!s->sink || !s->sink->columns)
        return RC_OK;
    names = MEM_ARRAY(const char *, n + 1);
    if (!names)
        return no_memory(s);
    for (size_t i = 0; i < n; i++)
        names[i] = fields[i].name;
    rc = s->sink->columns(s->sink->arg, names, n);
    mem_free(names);
    return rc;
}

static struct value read_cell(const MYSQL_FIELD *field, const char *text,
                              unsigned long len)
{
    int64_t i;

    if (!text)
        return v_null();
    switch (maria_coding_of((int)field->type, false)) {
    case MARIA_I1:
    case MARIA_I2:
    case MARIA_I4:
    case MARIA_I8:
        /* A number padded with zeros is shown as it is. */
        if ((field->flags & ZEROFILL_FLAG) || parse_i64(text, &i, NULL))
            break;
        return v_int(i);
    case MARIA_UNKNOWN:
    case MARIA_U1:
    case MARIA_U2:
    case MARIA_U4:
    case MARIA_U8:
    case MARIA_DATETIME:
    case MARIA_TEXT:
    case MARIA_NOTHING:
        break;
    }
    return v_textn(text, len);
}

/* All of them are read, for the connection goes on after a failure. */
static CORO_FN enum rc give_rows(struct script *s, MYSQL_RES *res,
                                 struct value *cells, int64_t *out_n)
{
    const size_t n = mysql_num_fields(res);
    const MYSQL_FIELD *fields = mysql_fetch_fields(res);
    enum rc rc = RC_OK;
    MYSQL_ROW row;

    while ((row = mysql_fetch_row(res))) {
        const unsigned long *lens = mysql_fetch_lengths(res);

        ++*out_n;
        if (rc || !s->sink || !s->sink->row)
            continue;
        for (size_t i = 0; i < n; i++)
            cells[i] = read_cell(&fields[i], row[i], lens[i]);
        rc = s->sink->row(s->sink->arg, cells, n);
    }
    if (!mysql_errno(s->mc->my))
        return rc;
    maria_fail(s->mc);
    return fail(s);
}

static enum rc give_done(struct script *s, bool has_rows, int64_t n_rows)
{
    if (!s->sink || !s->sink->done)
        return RC_OK;
    return s->sink->done(s->sink->arg, has_rows, n_rows);
}

static CORO_FN enum rc give_result(struct script *s, MYSQL_RES *res)
{
    struct value *cells =
        MEM_ARRAY(struct value, (size_t)mysql_num_fields(res) + 1);
    enum rc given = give_columns(s, res), rc;
    int64_t n = 0;

    rc = cells ? give_rows(s, res, cells, &n) : no_memory(s);
    if (!rc)
        rc = given ? given : give_done(s, true, n);
    mem_free(cells);
    return rc;
}

/* Statements that change no rows say so by their first word. */
static bool changes_rows(const char *sql)
{
    static const char *const words[] = {"INSERT",  "UPDATE", "DELETE",
                                        "REPLACE", "LOAD",   "WITH"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (strncasecmp(sql, words[i], strlen(words[i])) == 0)
            return true;
    }
    return false;
}

static CORO_FN enum rc take_result(struct script *s, const char *sql)
{
    MYSQL *my = s->mc->my;
    MYSQL_RES *res = mysql_use_result(my);
    enum rc rc;

    if (res) {
        rc = give_result(s, res);
        mysql_free_result(res);
        return rc;
    }
    if (mysql_errno(my)) {
        maria_fail(s->mc);
        return fail(s);
    }
    return give_done(s, false,
                     changes_rows(sql) ? (int64_t)mysql_affected_rows(my) : -1);
}

static CORO_FN enum rc run_statement(struct script *s, const char *sql,
                                     size_t len)
{
    struct maria_conn *mc = s->mc;
    enum rc rc;
    int more;

    mc->base.usage.statements++;
    mc->base.usage.round_trips++;
    maria_start(mc);
    if (maria_check_packet(mc, len))
        return fail(s);
    if (mysql_real_query(mc->my, sql, len)) {
        maria_fail(mc);
        return fail(s);
    }
    rc = take_result(s, sql);
    /* CALL gives several; its last one has no rows and no meaning. */
    while (!mc->base.gone && mysql_more_results(mc->my)) {
        maria_start(mc);
        more = mysql_next_result(mc->my);
        if (more > 0) {
            maria_fail(mc);
            return rc ? rc : fail(s);
        }
        if (more == 0 && mysql_field_count(mc->my) > 0) {
            const enum rc now = take_result(s, sql);

            rc = rc ? rc : now;
        }
    }
    return rc;
}

static CORO_FN enum rc run_all(struct script *s, const char *text, size_t len)
{
    const char *start;
    size_t n;
    enum rc rc = RC_OK;

    while (!rc && script_next(&text, &len, &start, &n)) {
        char *sql = mem_calloc(n + 1, 1);

        if (!sql)
            return no_memory(s);
        memcpy(sql, start, n);
        s->n++;
        rc = run_statement(s, sql, n);
        rc = script_failed(s->sink, &s->mc->base, rc, s->err);
        mem_free(sql);
    }
    return rc;
}

/* Nothing that the script began may stay open behind it. */
static CORO_FN enum rc close_transaction(struct script *s, enum rc rc)
{
    struct maria_conn *mc = s->mc;

    if (mc->base.in_txn || mc->base.gone ||
        !(mc->my->server_status & SERVER_STATUS_IN_TRANS))
        return rc;
    if (maria_run(mc, "ROLLBACK"))
        mc->base.gone = true;
    if (rc)
        return rc;
    return err_set(s->err, RC_INVALID,
                   "the script leaves a transaction open; it is rolled back");
}

enum rc maria_script(struct conn *c, const char *text, size_t len,
                     const struct result_sink *sink, struct err *err)
{
    struct maria_conn *mc = maria_conn_of(c);
    struct script s = {.mc = mc, .sink = sink, .err = err};
    enum rc rc = RC_OK;

    if (mc->autocommit_off && !c->in_txn) {
        mc->autocommit_off = false;
        if (maria_run(mc, MARIA_AUTOCOMMIT_ON))
            rc = maria_last_err(mc, "autocommit", err);
    }
    if (!rc)
        rc = run_all(&s, text, len);
    return close_transaction(&s, rc);
}
