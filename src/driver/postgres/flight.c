/* SPDX-License-Identifier: MIT */
/*
 * Flights: statements queued in libpq, sent and answered together.  Pipeline
 * mode lasts for a flight, because scripts and COPY cannot be run in it;
 * entering and leaving it sends nothing.
 */
#include "base/mem.h"
#include "driver/postgres/stmt.h"

/* Enough for most flights of TPC-C, so that the run path need not grow. */
#define SENT_MIN 32

/* On the wire, for a statement of the driver's own, beyond its text and tag:
 * Parse, Bind, Describe, Execute; their answers. */
#define SENT_BYTES 41
#define RECEIVED_BYTES 21

enum rc pg_flight_reserve(struct pg_conn *pc, size_t n)
{
    struct pg_sent *flight;

    if (LIKELY(n <= pc->flight_cap))
        return RC_OK;
    n = n < SENT_MIN ? SENT_MIN : n + n / 2;
    flight = mem_realloc(pc->flight, n * sizeof(*flight));
    if (!flight)
        return pg_fail_own(pc, RC_NOMEM, "out of memory");
    pc->flight = flight;
    pc->flight_cap = n;
    return RC_OK;
}

void pg_forget_answers(struct pg_conn *pc)
{
    PQclear(pc->answer);
    pc->answer = NULL;
    for (size_t i = 0; i < pc->n_sent; i++)
        PQclear(pc->flight[i].answer);
    pc->n_sent = 0;
}

/* ---- queueing ---- */

/* Begins a flight if there is none, and makes room for n statements more. */
static enum rc board(struct pg_conn *pc, size_t n)
{
    if (PQpipelineStatus(pc->pg) == PQ_PIPELINE_OFF) {
        enum rc rc;

        pg_forget_answers(pc);
        rc = pg_pipeline_begin(pc);
        if (UNLIKELY(rc))
            return rc;
    }
    return pg_flight_reserve(pc, pc->n_sent + n);
}

enum rc pg_flight_exec(struct conn *c, struct stmt *s, const struct value *args,
                       size_t n_args)
{
    struct pg_conn *pc = pg_conn_of(c);
    const struct pg_stmt *ps = CONTAINER_OF(s, struct pg_stmt, base);
    enum rc rc = board(pc, ps->n_parts);

    (void)n_args;
    for (size_t i = 0; i < ps->n_parts && !rc; i++) {
        rc = pg_send(pc, ps, i, args);
        if (LIKELY(!rc))
            pc->flight[pc->n_sent++] = (struct pg_sent){.ps = ps, .part = i};
    }
    return rc;
}

static enum rc send_own(struct pg_conn *pc, const char *text, const char *tag)
{
    enum rc rc = board(pc, 1);

    if (UNLIKELY(rc))
        return rc;
    if (!PQsendQueryParams(pc->pg, text, 0, NULL, NULL, NULL, NULL, 1))
        return pg_fail_lost(pc);
    pc->base.usage.bytes_sent += SENT_BYTES + strlen(text);
    pc->flight[pc->n_sent++] = (struct pg_sent){.tag = tag};
    return RC_OK;
}

enum rc pg_flight_begin(struct conn *c, enum txn_mode mode)
{
    struct pg_conn *pc = pg_conn_of(c);
    char buf[PG_LIMIT_TEXT];
    const char *limit = pg_limit_text(pc, buf);
    enum rc rc = send_own(pc, pg_begin_text(pc, mode), "BEGIN");

    return !rc && limit ? send_own(pc, limit, "SET") : rc;
}

enum rc pg_flight_end(struct conn *c, bool commit)
{
    const char *text = commit ? "COMMIT" : "ROLLBACK";

    return send_own(pg_conn_of(c), text, text);
}

/* What was before it is committed, or fails, for itself. */
enum rc pg_flight_sync(struct conn *c)
{
    struct pg_conn *pc = pg_conn_of(c);
    enum rc rc = board(pc, 1);

    if (!rc)
        rc = pg_pipeline_mark(pc);
    if (UNLIKELY(rc))
        return rc;
    c->usage.bytes_sent += PG_SYNC_BYTES;
    c->usage.bytes_received += PG_READY_BYTES;
    pc->flight[pc->n_sent++] = (struct pg_sent){.is_sync = true};
    return RC_OK;
}

/* ---- waiting ---- */

/* In a transaction that has failed COMMIT succeeds, and rolls back. */
static bool is_what_was_asked(const struct pg_sent *sent)
{
    return !sent->tag || strcmp(PQcmdStatus(sent->answer), sent->tag) == 0;
}

static CORO_FN enum rc take_answers(struct pg_conn *pc)
{
    PGresult *behind = NULL;
    enum rc rc = RC_OK;

    for (size_t i = 0; i < pc->n_sent && !rc; i++) {
        struct pg_sent *sent = &pc->flight[i];

        rc = pg_pipeline_next(pc, &sent->answer);
        if (LIKELY(!rc) && UNLIKELY(!is_what_was_asked(sent)))
            rc = pg_fail_own(pc, RC_DB_ERROR, "COMMIT has rolled back");
        /* The limit is each statement's own. */
        pg_start(pc);
    }
    /* Without BEGIN the commit is the sync's, and so is its failure. */
    if (!rc)
        rc = pg_pipeline_next(pc, &behind);
    PQclear(behind);
    return rc;
}

static size_t count_cells(const struct pg_conn *pc)
{
    size_t n = 0;

    for (size_t i = 0; i < pc->n_sent; i++) {
        const struct pg_sent *sent = &pc->flight[i];

        if (sent->ps && sent->part == sent->ps->rows_from)
            n += (size_t)PQntuples(sent->answer) * sent->ps->base.step->n_cols;
    }
    return n;
}

static void count_own(struct pg_conn *pc, PGresult *r)
{
    pc->base.usage.bytes_received += RECEIVED_BYTES + strlen(PQcmdStatus(r));
}

/* All of them, into one array: it may move when it grows. */
static enum rc read_rows(struct pg_conn *pc, struct rowset *rows, size_t n_rows)
{
    struct rowset dropped = {0}, *out = &dropped;
    enum rc rc = pg_reserve_cells(pc, count_cells(pc));
    struct value *cells = pc->cells;

    for (size_t i = 0; i < pc->n_sent && !rc; i++) {
        const struct pg_sent *sent = &pc->flight[i];
        const struct pg_stmt *ps = sent->ps;

        if (sent->is_sync)
            continue;
        if (!ps) {
            count_own(pc, sent->answer);
            continue;
        }
        if (sent->part == 0) {
            out = n_rows > 0 ? rows++ : &dropped;
            n_rows -= n_rows > 0;
            *out = (struct rowset){0};
        }
        pg_take_answer(pc, &ps->parts[sent->part], sent->answer, out);
        if (sent->part != ps->rows_from)
            continue;
        rc = pg_read_rows(pc, ps, sent->answer, cells, out);
        cells += out->n_rows * out->n_cols;
    }
    return rc;
}

enum rc pg_flight_wait(struct conn *c, struct rowset *rows, size_t n_rows)
{
    struct pg_conn *pc = pg_conn_of(c);
    enum rc rc = board(pc, 0);

    if (!rc)
        rc = pg_pipeline_sync(pc);
    if (!rc)
        rc = take_answers(pc);
    rc = pg_pipeline_end(pc, rc);
    if (UNLIKELY(rc))
        return rc;
    c->usage.bytes_sent += PG_SYNC_BYTES;
    c->usage.bytes_received += PG_READY_BYTES;
    return read_rows(pc, rows, n_rows);
}
