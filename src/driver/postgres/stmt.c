/* SPDX-License-Identifier: MIT */
/* The run path.  Nothing here allocates once warm. */
#include "driver/postgres/stmt.h"

#include "base/mem.h"
#include "driver/postgres/text.h"

#include <stdio.h>

/* Of the messages for a statement, beyond what depends on it: Bind, Describe,
 * Execute; and BindComplete, CommandComplete. */
#define SENT_BYTES 32
#define RECEIVED_BYTES 11
#define PARSE_BYTES 9
#define FIELD_BYTES 19
#define HEAD_BYTES 7

/* Enough for most answers of TPC-C, so that the run path need not grow. */
#define CELLS_MIN 512

/* ---- preparing ---- */

static void free_stmt(struct pg_stmt *ps)
{
    for (size_t i = 0; i < ps->n_parts; i++) {
        pg_signature_release(&ps->parts[i].sig);
        mem_free(ps->parts[i].codings);
    }
    mem_free(ps);
}

static enum rc failed(struct pg_conn *pc, const struct step *step,
                      struct err *err)
{
    return pg_last_err(pc, step->name, err);
}

static void count_bytes(const struct conn *c, struct pg_part *part,
                        const PGresult *r, const struct step_statement *s)
{
    const int n_fields = PQnfields(r);
    size_t sent = SENT_BYTES + strlen(part->name) + 6 * part->sig.n;
    size_t received = RECEIVED_BYTES + (n_fields > 0 ? HEAD_BYTES : 5);

    for (int i = 0; i < n_fields; i++)
        received += strlen(PQfname(r, i)) + FIELD_BYTES;
    if (c->db->unprepared) {
        sent += PARSE_BYTES + strlen(s->text) + 4 * part->sig.n;
        received += 5;
    }
    part->sent = (uint32_t)sent;
    part->received = (uint32_t)received;
}

/* The step's rows are those of the last statement that returns any. */
static enum rc take_columns(struct pg_stmt *ps, size_t i, const PGresult *r,
                            const struct step *step, struct err *err)
{
    struct pg_part *part = &ps->parts[i];

    if (step->n_cols == 0 || PQnfields(r) == 0)
        return RC_OK;
    part->codings = MEM_ARRAY(enum pg_coding, step->n_cols);
    if (!part->codings)
        return err_set(err, RC_NOMEM, "out of memory");
    ps->rows_from = i;
    if (PQnfields(r) != (int)step->n_cols && i + 1 < ps->n_parts)
        return RC_OK; /* another may follow */
    return pg_check_columns(r, step, part->codings, err);
}

/* The answers come in pairs: to Parse, and to Describe. */
static CORO_FN enum rc read_descriptions(struct pg_conn *pc, struct pg_stmt *ps,
                                         const struct step *step,
                                         struct err *err)
{
    for (size_t i = 0; i < 2 * ps->n_parts; i++) {
        const struct step_statement *s = &step->statements[i / 2];
        struct pg_part *part = &ps->parts[i / 2];
        PGresult *r = NULL;
        enum rc rc = pg_pipeline_next(pc, &r);

        if (rc)
            return failed(pc, step, err);
        if (i % 2 == 1) {
            rc = pg_signature_init(&part->sig, pc, r, step, s, err);
            if (!rc)
                rc = take_columns(ps, i / 2, r, step, err);
            if (!rc)
                count_bytes(&pc->base, part, r, s);
        }
        PQclear(r);
        if (rc)
            return rc;
    }
    if (step->n_cols > 0 && ps->rows_from == ps->n_parts)
        return err_set(err, RC_INVALID,
                       "%s returns no rows, its signature says %zu columns",
                       step->name, step->n_cols);
    return RC_OK;
}

/* Types are left to the server, so that a parameter has the type of the column
 * it is compared with. */
static bool send_prepare(struct pg_conn *pc, struct pg_part *part,
                         const struct step_statement *s)
{
    if (!pc->base.db->unprepared)
        snprintf(part->name, sizeof(part->name), "d%u", pc->n_prepared++);
    return PQsendPrepare(pc->pg, part->name, s->text, 0, NULL) &&
           PQsendDescribePrepared(pc->pg, part->name);
}

static CORO_FN enum rc prepare(struct pg_conn *pc, struct pg_stmt *ps,
                               const struct step *step, struct err *err)
{
    enum rc rc = pg_pipeline_begin(pc);

    for (size_t i = 0; i < ps->n_parts && !rc; i++) {
        if (!send_prepare(pc, &ps->parts[i], &step->statements[i]))
            rc = pg_fail_lost(pc);
    }
    if (!rc)
        rc = pg_pipeline_sync(pc);
    if (rc)
        failed(pc, step, err);
    else
        rc = read_descriptions(pc, ps, step, err);
    return pg_pipeline_end(pc, rc);
}

enum rc pg_reserve_cells(struct pg_conn *pc, size_t n)
{
    struct value *cells;

    if (LIKELY(n <= pc->cells_cap))
        return RC_OK;
    n = n < CELLS_MIN ? CELLS_MIN : n + n / 2;
    cells = mem_realloc(pc->cells, n * sizeof(*cells));
    if (!cells)
        return pg_fail_own(pc, RC_NOMEM, "an answer is too big for memory");
    pc->cells = cells;
    pc->cells_cap = n;
    return RC_OK;
}

enum rc pg_prepare(struct conn *c, const struct step *step, struct stmt **out,
                   struct err *err)
{
    const size_t n = step->n_statements;
    struct pg_stmt *ps =
        mem_calloc(1, sizeof(*ps) + n * sizeof(struct pg_part));
    enum rc rc;

    if (!ps || pg_reserve_cells(pg_conn_of(c), 1) ||
        pg_flight_reserve(pg_conn_of(c), n)) {
        mem_free(ps);
        return err_set(err, RC_NOMEM, "out of memory");
    }
    ps->n_parts = ps->rows_from = n;
    rc = prepare(pg_conn_of(c), ps, step, err);
    if (rc)
        free_stmt(ps);
    else
        *out = &ps->base;
    return rc;
}

void pg_free_stmts(struct pg_conn *pc)
{
    struct stmt *s = pc->base.stmts;

    while (s) {
        struct stmt *next = s->next;

        free_stmt(CONTAINER_OF(s, struct pg_stmt, base));
        s = next;
    }
    pc->base.stmts = NULL;
}

/* ---- executing ---- */

enum rc pg_send(struct pg_conn *pc, const struct pg_stmt *ps, size_t i,
                const struct value *args)
{
    const struct pg_part *part = &ps->parts[i];
    const struct step_statement *s = &ps->base.step->statements[i];
    const struct pg_signature *sig = &part->sig;
    const int n = (int)sig->n;
    const int format = !ps->base.step->raw;
    int sent;
    enum rc rc = pg_bind(pc, sig, s, args, &pc->base.usage.bytes_sent);

    if (UNLIKELY(rc))
        return rc;
    pc->base.usage.bytes_sent += part->sent;
    if (*part->name)
        sent = PQsendQueryPrepared(pc->pg, part->name, n, pc->params,
                                   pc->param_lens, sig->formats, format);
    else
        sent = PQsendQueryParams(pc->pg, s->text, n, sig->oids, pc->params,
                                 pc->param_lens, sig->formats, format);
    return LIKELY(sent) ? RC_OK : pg_fail_lost(pc);
}

void pg_take_answer(struct pg_conn *pc, const struct pg_part *part, PGresult *r,
                    struct rowset *out)
{
    const uint64_t n = pg_rows_changed(r);

    pc->base.usage.bytes_received += part->received + strlen(PQcmdStatus(r));
    if (n > 0)
        out->n_affected = n;
}

enum rc pg_read_rows(struct pg_conn *pc, const struct pg_stmt *ps,
                     const PGresult *r, struct value *cells, struct rowset *out)
{
    const struct step *step = ps->base.step;
    const size_t n_cols = step->n_cols;
    const int n_rows = n_cols > 0 ? PQntuples(r) : 0;
    uint64_t *received = &pc->base.usage.bytes_received;

    for (int i = 0; i < n_rows; i++) {
        const struct pg_part *part = &ps->parts[ps->rows_from];

        if (UNLIKELY(!pg_read_row(r, i, step, part->codings,
                                  &cells[(size_t)i * n_cols], received)))
            return pg_fail_own(pc, RC_INVALID,
                               "a value does not fit the type of its column");
    }
    *received += (uint64_t)n_rows * (HEAD_BYTES + 4 * n_cols);
    out->cells = cells;
    out->n_rows = (size_t)n_rows;
    out->n_cols = n_cols;
    return RC_OK;
}

/* One statement needs no pipeline. */
static CORO_FN enum rc run_one(struct pg_conn *pc, const struct pg_stmt *ps,
                               const struct value *args, struct rowset *out)
{
    struct conn_usage *usage = &pc->base.usage;
    enum rc rc;

    pg_forget_answers(pc);
    pg_start(pc);
    rc = pg_send(pc, ps, 0, args);
    if (UNLIKELY(rc))
        return rc;
    rc = pg_collect(pc, &pc->answer);
    if (UNLIKELY(rc))
        return rc;
    usage->bytes_sent += PG_SYNC_BYTES;
    usage->bytes_received += PG_READY_BYTES;
    pg_take_answer(pc, &ps->parts[0], pc->answer, out);
    if (ps->base.step->raw_rows)
        return pg_read_text_rows(pc, pc->answer, out);
    rc = pg_reserve_cells(pc, (size_t)PQntuples(pc->answer) *
                                  ps->base.step->n_cols);
    return rc ? rc : pg_read_rows(pc, ps, pc->answer, pc->cells, out);
}

enum rc pg_exec(struct conn *c, struct stmt *s, const struct value *args,
                size_t n_args, struct rowset *out)
{
    const struct pg_stmt *ps = CONTAINER_OF(s, struct pg_stmt, base);
    struct rowset rows = {0};
    enum rc rc, queued;

    if (LIKELY(ps->n_parts == 1)) {
        rc = run_one(pg_conn_of(c), ps, args, &rows);
    } else {
        queued = pg_flight_exec(c, s, args, n_args);
        rc = pg_flight_wait(c, &rows, 1);
        if (!rc)
            rc = queued;
    }
    if (LIKELY(!rc) && out)
        *out = rows;
    return rc;
}
