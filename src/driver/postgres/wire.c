/* SPDX-License-Identifier: MIT */
/*
 * Questions and answers over libpq's asynchronous calls.  A question costs one
 * send and its answer one receive; PQgetResult() is never called while it
 * would block.
 */
#include "driver/postgres/pg_int.h"

/* How long the server may be late with the error of a statement timeout. */
#define GRACE_NS (5 * NS_PER_S)

/* On the wire: 'Q' and its length; 'C', its length and the NUL, and 'Z'. */
#define QUERY_BYTES 6
#define ANSWER_BYTES 12

void pg_start(struct pg_conn *pc)
{
    const int64_t limit = pc->base.statement_timeout_ns;

    pc->deadline = MONO_NEVER;
    if (limit > 0)
        pc->deadline = mono_add(mono_add(clock_now(), limit), GRACE_NS);
}

/* ---- waiting ---- */

/*
 * OpenSSL may hold decrypted bytes that libpq has not taken, of records larger
 * than libpq's buffer; the socket does not show them.  Without SSL_pending()
 * (another TLS library) one more try has to do.
 */
static bool has_hidden_input(const struct pg_conn *pc)
{
    return UNLIKELY(pc->ssl) && pc->ssl_pending && pc->ssl_pending(pc->ssl) > 0;
}

/* Takes in what has arrived.  When the connection is lost, libpq still has the
 * answers before that, and then an error. */
static void consume(struct pg_conn *pc)
{
    if (UNLIKELY(!PQconsumeInput(pc->pg)))
        pg_fail_lost(pc);
}

static CORO_FN enum rc wait_for(struct pg_conn *pc, unsigned events)
{
    enum rc rc;

    if (!has_hidden_input(pc)) {
        rc = io_wait(pc->base.loop, pc->fd, events, pc->deadline);
        if (UNLIKELY(rc))
            return pg_fail_wait(pc, rc);
    }
    consume(pc);
    if (UNLIKELY(pc->ssl) && !pc->ssl_pending && pc->fd >= 0)
        consume(pc);
    return RC_OK;
}

enum rc pg_wait_input(struct pg_conn *pc)
{
    return wait_for(pc, IO_READ);
}

enum rc pg_flush(struct pg_conn *pc)
{
    int left;

    /* A server that cannot get rid of its answers reads no questions. */
    while (UNLIKELY((left = PQflush(pc->pg)) > 0)) {
        enum rc rc = wait_for(pc, IO_READ | IO_WRITE);

        if (rc)
            return rc;
        if (pc->fd < 0)
            return RC_DB_GONE;
    }
    /* After a failed write the server's reason may be there to be read. */
    return RC_OK;
}

enum rc pg_next(struct pg_conn *pc, PGresult **out)
{
    *out = NULL;
    while (PQisBusy(pc->pg)) {
        enum rc rc;

        if (UNLIKELY(pc->fd < 0))
            break;
        rc = wait_for(pc, IO_READ);
        if (UNLIKELY(rc))
            return rc;
    }
    *out = PQgetResult(pc->pg);
    return RC_OK;
}

/* ---- one statement ---- */

static bool is_error(const PGresult *r)
{
    const ExecStatusType status = PQresultStatus(r);

    return status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE;
}

static bool is_copy(const PGresult *r)
{
    const ExecStatusType status = PQresultStatus(r);

    return status == PGRES_COPY_IN || status == PGRES_COPY_OUT ||
           status == PGRES_COPY_BOTH;
}

/* One result of an answer: the first error counts, else the last result. */
static enum rc take(struct pg_conn *pc, PGresult *r, enum rc rc,
                    PGresult **last)
{
    if (UNLIKELY(is_error(r))) {
        if (!rc)
            return pg_fail_result(pc, r);
        PQclear(r);
        return rc;
    }
    if (UNLIKELY(is_copy(r))) {
        PQclear(r);
        pc->base.gone = true;
        return pg_fail_own(pc, RC_DB_GONE, "COPY cannot be run here");
    }
    PQclear(*last);
    *last = r;
    return rc;
}

enum rc pg_collect(struct pg_conn *pc, PGresult **out)
{
    PGresult *last = NULL, *r = NULL;
    enum rc rc = pg_flush(pc);

    if (rc)
        return rc;
    do {
        const enum rc waited = pg_next(pc, &r);

        if (UNLIKELY(waited))
            rc = waited;
        else if (r)
            rc = take(pc, r, rc, &last);
    } while (r && rc != RC_DB_GONE);
    if (UNLIKELY(!rc && !last))
        rc = pg_fail_lost(pc);
    if (UNLIKELY(rc)) {
        PQclear(last);
        last = NULL;
    }
    *out = last;
    return rc;
}

static void count_simple(struct pg_conn *pc, const char *sql, PGresult *r)
{
    pc->base.usage.bytes_sent += QUERY_BYTES + strlen(sql);
    pc->base.usage.bytes_received += ANSWER_BYTES + strlen(PQcmdStatus(r));
}

enum rc pg_simple(struct pg_conn *pc, const char *sql, PGresult **out)
{
    PGresult *r = NULL;
    enum rc rc;

    pg_start(pc);
    if (!PQsendQuery(pc->pg, sql))
        return pg_fail_lost(pc);
    rc = pg_collect(pc, &r);
    if (!rc)
        count_simple(pc, sql, r);
    if (out)
        *out = r;
    else
        PQclear(r);
    return rc;
}

enum rc pg_ask(struct pg_conn *pc, const char *sql, const char *param,
               PGresult **out)
{
    *out = NULL;
    pg_start(pc);
    if (!PQsendQueryParams(pc->pg, sql, param ? 1 : 0, NULL, &param, NULL, NULL,
                           0))
        return pg_fail_lost(pc);
    return pg_collect(pc, out);
}

uint64_t pg_rows_changed(PGresult *r)
{
    const char *tag = PQcmdStatus(r);
    const char *digits;
    uint64_t n = 0;

    /* SELECT, FETCH, SET, START … */
    if (*tag == 'S' || *tag == 'F')
        return 0;
    for (digits = PQcmdTuples(r); *digits >= '0' && *digits <= '9'; digits++)
        n = n * 10 + (uint64_t)(*digits - '0');
    return n;
}

/* ---- several in one flight ---- */

enum rc pg_pipeline_begin(struct pg_conn *pc)
{
    pg_start(pc);
    pc->n_syncs = 0;
    pc->unsynced = true;
    return PQenterPipelineMode(pc->pg) ? RC_OK : pg_fail_lost(pc);
}

enum rc pg_pipeline_mark(struct pg_conn *pc)
{
    if (!PQpipelineSync(pc->pg))
        return pg_fail_lost(pc);
    pc->n_syncs++;
    return RC_OK;
}

enum rc pg_pipeline_sync(struct pg_conn *pc)
{
    enum rc rc = pg_pipeline_mark(pc);

    if (rc)
        return rc;
    pc->unsynced = false;
    return pg_flush(pc);
}

enum rc pg_pipeline_next(struct pg_conn *pc, PGresult **out)
{
    while (pc->n_syncs > 0) {
        PGresult *r;
        enum rc rc = pg_next(pc, &r);

        *out = NULL;
        if (rc)
            return rc;
        if (!r) {
            /* The end of one statement's answer, or of everything. */
            if (PQstatus(pc->pg) == CONNECTION_BAD)
                return pg_fail_lost(pc);
            continue;
        }
        if (is_error(r))
            return pg_fail_result(pc, r);
        if (PQresultStatus(r) == PGRES_PIPELINE_SYNC) {
            pc->n_syncs--;
            PQclear(r);
            break;
        }
        *out = r;
        return RC_OK;
    }
    *out = NULL;
    return RC_OK;
}

enum rc pg_pipeline_end(struct pg_conn *pc, enum rc rc)
{
    const bool gone = rc == RC_DB_GONE || pc->base.gone;

    /* What was sent without a sync is never answered. */
    if (!gone && pc->unsynced)
        (void)pg_pipeline_sync(pc);
    while (!gone && pc->n_syncs > 0) {
        PGresult *r = NULL;
        enum rc waited = pg_next(pc, &r);

        if (waited || (!r && PQstatus(pc->pg) == CONNECTION_BAD)) {
            pc->base.gone = true;
            return waited ? waited : pg_fail_lost(pc);
        }
        if (PQresultStatus(r) == PGRES_PIPELINE_SYNC)
            pc->n_syncs--;
        PQclear(r);
    }
    if (!gone && !PQexitPipelineMode(pc->pg)) {
        pc->base.gone = true;
        return rc ? rc : pg_fail_lost(pc);
    }
    return rc;
}
