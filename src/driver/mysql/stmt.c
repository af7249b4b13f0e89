/* SPDX-License-Identifier: MIT */
/* The run path.  Nothing of ours is allocated here once warm. */
#include "driver/mysql/stmt.h"

#include "base/mem.h"
#include "driver/lexer.h"

#include <stdlib.h>

/* ---- preparing ---- */

static void free_stmt(struct maria_stmt *ms)
{
    for (size_t i = 0; i < ms->n_parts; i++) {
        if (ms->parts[i].st)
            mysql_stmt_close(ms->parts[i].st);
        maria_params_release(&ms->parts[i].params);
        mem_free(ms->parts[i].codings);
    }
    mem_free(ms);
}

/* CALL, BEGIN NOT ATOMIC. */
static bool is_call(const char *text, bool *out_block)
{
    struct lexer lx = {.pos = text, .end = text + strlen(text)};
    struct token t;

    do
        t = lexer_next(&lx);
    while (t.type == TOKEN_SPACE || t.type == TOKEN_COMMENT);
    *out_block = token_is(&t, "BEGIN");
    return *out_block || token_is(&t, "CALL");
}

static enum rc no_memory(struct err *err)
{
    return err_set(err, RC_NOMEM, "out of memory");
}

static CORO_FN enum rc prepare_part(struct maria_conn *mc,
                                    struct maria_part *part,
                                    const struct step *step,
                                    const struct step_statement *s,
                                    struct err *err)
{
    /* To try again, as with other limits, would be of no use. */
    if (maria_check_packet(mc, strlen(s->text))) {
        maria_last_err(mc, step->name, err);
        return RC_UNSUPPORTED;
    }
    part->st = mysql_stmt_init(mc->my);
    if (!part->st)
        return no_memory(err);
    maria_start(mc);
    if (mysql_stmt_prepare(part->st, s->text, strlen(s->text))) {
        maria_fail_stmt(mc, part->st);
        return maria_last_err(mc, step->name, err);
    }
    if (mysql_stmt_param_count(part->st) != s->n_params)
        return err_set(err, RC_INVALID,
                       "%s: the server sees %lu parameters, not %zu: those "
                       "that are not written :name are none",
                       step->name, mysql_stmt_param_count(part->st),
                       s->n_params);
    if (maria_params_init(&part->params, part->st, step, s))
        return no_memory(err);
    return RC_OK;
}

/* The step's rows are those of the last statement that returns any. */
static enum rc choose_rows(struct maria_stmt *ms, const struct step *step,
                           struct err *err)
{
    if (step->n_cols == 0)
        return RC_OK;
    for (size_t i = 0; i < ms->n_parts; i++) {
        const struct maria_part *part = &ms->parts[i];

        if (!part->st || part->is_call || mysql_stmt_field_count(part->st) > 0)
            ms->rows_from = i;
    }
    if (ms->rows_from == ms->n_parts)
        return err_set(err, RC_INVALID,
                       "%s returns no rows, its signature says %zu columns",
                       step->name, step->n_cols);
    if (!ms->parts[ms->rows_from].st || ms->parts[ms->rows_from].is_call)
        return RC_OK;
    return maria_check_columns(ms->parts[ms->rows_from].st, step, err);
}

static CORO_FN enum rc prepare(struct maria_conn *mc, struct maria_stmt *ms,
                               const struct step *step, struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; i < ms->n_parts && !rc; i++) {
        const struct step_statement *s = &step->statements[i];
        struct maria_part *part = &ms->parts[i];
        bool is_block;

        part->is_call = is_call(s->text, &is_block);
        if (is_block && !mc->is_mariadb)
            return err_set(err, RC_UNSUPPORTED,
                           "%s is a block, which only MariaDB runs; use "
                           "another composition",
                           step->name);
        part->codings = MEM_ARRAY(enum maria_coding, step->n_cols + 1);
        if (!part->codings)
            rc = no_memory(err);
        else if (!mc->base.db->unprepared)
            rc = prepare_part(mc, part, step, s, err);
    }
    return rc ? rc : choose_rows(ms, step, err);
}

enum rc maria_prepare(struct conn *c, const struct step *step,
                      struct stmt **out, struct err *err)
{
    const size_t n = step->n_statements;
    struct maria_conn *mc = maria_conn_of(c);
    struct maria_stmt *ms =
        mem_calloc(1, sizeof(*ms) + n * sizeof(struct maria_part));
    enum rc rc;

    if (!ms || maria_reserve_cells(mc, 1) || maria_flight_reserve(mc, n)) {
        mem_free(ms);
        return no_memory(err);
    }
    ms->n_parts = ms->rows_from = n;
    rc = prepare(mc, ms, step, err);
    if (rc)
        free_stmt(ms);
    else
        *out = &ms->base;
    return rc;
}

void maria_free_stmts(struct maria_conn *mc)
{
    struct stmt *s = mc->base.stmts;

    while (s) {
        struct stmt *next = s->next;

        free_stmt(CONTAINER_OF(s, struct maria_stmt, base));
        s = next;
    }
    mc->base.stmts = NULL;
}

/* ---- executing ---- */

/* One prepared statement needs no flight. */
static CORO_FN enum rc run_one(struct maria_conn *mc, struct maria_stmt *ms,
                               const struct value *args, struct rowset *out)
{
    const struct step *step = ms->base.step;
    struct maria_part *part = &ms->parts[0];
    struct maria_sent sent = {.ms = ms};
    enum rc rc;

    maria_forget_answers(mc);
    rc = maria_bind(mc, &part->params, part->st, &step->statements[0], args);
    if (UNLIKELY(rc))
        return rc;
    rc = maria_send_prepared(mc, part->st);
    /* The library would read before it waits: a call more, for nothing. */
    if (!rc && maria_await_answer(mc))
        rc = maria_fail_stmt(mc, part->st);
    if (!rc)
        rc = maria_read_prepared(mc, part->st);
    if (!rc)
        rc = maria_take_prepared(mc, &sent);
    if (!rc)
        rc = maria_reserve_cells(mc, sent.n_rows * step->n_cols);
    if (UNLIKELY(rc))
        return rc;
    out->n_affected = sent.n_affected;
    if (step->raw_rows)
        return maria_read_raw_rows(mc, part->st, out);
    return maria_read_rows(mc, &sent, mc->cells, out);
}

/* A CALL or a block may have begun a transaction and failed in it; the next one
 * would commit what is left of it. */
static CORO_FN void undo_call(struct maria_conn *mc)
{
    const struct maria_failure first = mc->failed;

    mc->base.usage.statements++;
    mc->base.usage.round_trips++;
    if (maria_run(mc, "ROLLBACK"))
        mc->base.gone = true;
    maria_fail_again(mc, &first);
}

enum rc maria_exec(struct conn *c, struct stmt *s, const struct value *args,
                   size_t n_args, struct rowset *out)
{
    struct maria_stmt *ms = CONTAINER_OF(s, struct maria_stmt, base);
    struct maria_conn *mc = maria_conn_of(c);
    struct rowset rows = {0};
    enum rc rc, queued;

    if (LIKELY(ms->n_parts == 1 && ms->parts[0].st &&
               (c->in_txn || !mc->autocommit_off))) {
        rc = run_one(mc, ms, args, &rows);
    } else {
        queued = maria_flight_exec(c, s, args, n_args);
        rc = maria_flight_wait(c, &rows, 1);
        if (!rc)
            rc = queued;
    }
    if (LIKELY(!rc) && out)
        *out = rows;
    if (UNLIKELY(rc) && !c->in_txn && !c->gone && ms->parts[0].is_call)
        undo_call(mc);
    return rc;
}
