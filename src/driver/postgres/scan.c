/* SPDX-License-Identifier: MIT */
/*
 * Scans, of which several can be open: each on a connection of its own where
 * that can be had (stream.h), else as cursors that are read in pieces.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "driver/postgres/stream.h"

#include <stdio.h>

#define FETCH_ROWS 2000

struct pg_scan {
    struct scan base;
    struct pg_conn *side; /* its own connection; NULL: a cursor */
    struct pg_stream stream;

    unsigned number; /* of the cursor */
    PGresult *piece; /* the rows that were fetched last */
    int row;         /* the next one */
    bool done;       /* the server has no more */
    enum pg_coding *codings;
    struct value *cells;
};

static struct pg_scan *scan_of(struct scan *s)
{
    return CONTAINER_OF(s, struct pg_scan, base);
}

static void put_fetch(const struct pg_scan *scan, char *out, size_t out_len)
{
    snprintf(out, out_len, "FETCH %d FROM dyno_c%u", FETCH_ROWS, scan->number);
}

/* Takes a piece; a cursor has no more than its last one. */
static void take_piece(struct pg_scan *scan, PGresult *piece)
{
    PQclear(scan->piece);
    scan->piece = piece;
    scan->row = 0;
    scan->done = PQntuples(piece) < FETCH_ROWS;
}

/* The next result of a flight, of which only its success matters. */
static CORO_FN enum rc skip(struct pg_conn *pc, enum rc rc)
{
    PGresult *r = NULL;

    if (!rc)
        rc = pg_pipeline_next(pc, &r);
    PQclear(r);
    return rc;
}

static bool send_text(struct pg_conn *pc, const char *sql)
{
    return PQsendQueryParams(pc->pg, sql, 0, NULL, NULL, NULL, NULL, 1);
}

/*
 * Opens the cursor and fetches the first piece in one flight.  A statement
 * that fails would end the whole transaction, and the other scans with it,
 * were it not for the savepoint.
 */
static CORO_FN enum rc declare(struct pg_conn *pc, struct pg_scan *scan,
                               const char *sql, int n_params)
{
    const bool in_txn = pc->base.in_txn;
    PGresult *piece = NULL;
    char fetch[64];
    enum rc rc = pg_pipeline_begin(pc);

    put_fetch(scan, fetch, sizeof(fetch));
    if (!rc && ((in_txn && !send_text(pc, "SAVEPOINT dyno_scan")) ||
                !PQsendQueryParams(pc->pg, sql, n_params, NULL, pc->params,
                                   NULL, NULL, 1) ||
                !send_text(pc, fetch) ||
                (in_txn && !send_text(pc, "RELEASE dyno_scan"))))
        rc = pg_fail_lost(pc);
    if (!rc)
        rc = pg_pipeline_sync(pc);
    if (in_txn)
        rc = skip(pc, rc);
    rc = skip(pc, rc);
    if (!rc)
        rc = pg_pipeline_next(pc, &piece);
    if (!rc)
        take_piece(scan, piece);
    if (in_txn)
        rc = skip(pc, rc);
    return pg_pipeline_end(pc, rc);
}

/* After a failure, whose text is in err already. */
static CORO_FN void back_to_savepoint(struct pg_conn *pc)
{
    if (!pc->base.in_txn || pc->base.gone ||
        PQtransactionStatus(pc->pg) != PQTRANS_INERROR)
        return;
    if (pg_simple(pc, "ROLLBACK TO dyno_scan; RELEASE dyno_scan", NULL))
        pc->base.gone = true;
}

static CORO_FN enum rc start(struct pg_conn *pc, const struct step *step,
                             const struct value *args, struct pg_scan *scan,
                             struct err *err)
{
    const struct step_statement *s = &step->statements[0];
    struct buf sql = BUF_INIT(PG_SQL_MAX);
    enum rc rc;

    scan->number = pc->n_cursors++;
    /* Outside a transaction the server keeps the whole answer. */
    buf_printf(&sql, "DECLARE dyno_c%u NO SCROLL CURSOR %sFOR ", scan->number,
               pc->base.in_txn ? "" : "WITH HOLD ");
    buf_puts(&sql, s->text);
    rc = buf_rc(&sql);
    if (rc)
        rc = err_set(err, rc, "%s: the statement is too long", step->name);
    else if (pg_bind_text(pc, s, args) ||
             declare(pc, scan, buf_str(&sql), (int)s->n_params)) {
        rc = pg_last_err(pc, step->name, err);
        back_to_savepoint(pc);
    }
    if (!rc)
        rc = pg_check_columns(scan->piece, step, scan->codings, err);
    buf_release(&sql);
    return rc;
}

enum rc pg_scan_open(struct conn *c, const struct step *step,
                     const struct value *args, size_t n_args, struct scan **out,
                     struct err *err)
{
    struct pg_scan *scan;
    enum rc rc;

    (void)n_args;
    if (step->n_statements != 1)
        return err_set(err, RC_UNSUPPORTED,
                       "%s: a scan has exactly one statement", step->name);
    scan = MEM_NEW(struct pg_scan);
    if (!scan)
        return err_set(err, RC_NOMEM, "out of memory");
    scan->codings = MEM_ARRAY(enum pg_coding, step->n_cols);
    scan->cells = MEM_ARRAY(struct value, step->n_cols);
    if (!scan->codings || !scan->cells)
        rc = err_set(err, RC_NOMEM, "out of memory");
    else if ((scan->side = pg_snapshot_conn(pg_conn_of(c))) != NULL)
        rc = pg_stream_open(&scan->stream, scan->side, step, args,
                            scan->codings, err);
    else
        rc = start(pg_conn_of(c), step, args, scan, err);
    if (rc)
        pg_scan_close(&scan->base);
    else
        *out = &scan->base;
    return rc;
}

static CORO_FN enum rc fetch(struct pg_conn *pc, struct pg_scan *scan,
                             struct err *err)
{
    PGresult *piece = NULL;
    char sql[64];

    put_fetch(scan, sql, sizeof(sql));
    pg_start(pc);
    pc->base.usage.statements++;
    pc->base.usage.round_trips++;
    if (!PQsendQueryParams(pc->pg, sql, 0, NULL, NULL, NULL, NULL, 1))
        pg_fail_lost(pc);
    else if (!pg_collect(pc, &piece)) {
        take_piece(scan, piece);
        return RC_OK;
    }
    return pg_last_err(pc, scan->base.step->name, err);
}

/* A cursor that has ended would stay until the transaction does. */
static CORO_FN enum rc close_cursor(struct pg_conn *pc, struct pg_scan *scan,
                                    struct err *err)
{
    char sql[64];

    PQclear(scan->piece);
    scan->piece = NULL;
    snprintf(sql, sizeof(sql), "CLOSE dyno_c%u", scan->number);
    pc->base.usage.statements++;
    pc->base.usage.round_trips++;
    if (pg_simple(pc, sql, NULL))
        return pg_last_err(pc, scan->base.step->name, err);
    return RC_OK;
}

/* Behind the last row its connection is free for another one. */
static CORO_FN enum rc stream_next(struct pg_scan *scan,
                                   const struct value **row, struct err *err)
{
    bool any;
    enum rc rc =
        pg_stream_next(&scan->stream, scan->base.step, scan->cells, &any, err);

    if (rc)
        return rc;
    if (any) {
        *row = scan->cells;
        return RC_OK;
    }
    pg_stream_close(&scan->stream);
    pg_snapshot_return(pg_conn_of(scan->base.conn), scan->side);
    scan->side = NULL;
    return RC_OK;
}

enum rc pg_scan_next(struct scan *s, const struct value **row, struct err *err)
{
    struct pg_scan *scan = scan_of(s);
    struct pg_conn *pc = pg_conn_of(s->conn);
    uint64_t not_counted = 0;
    enum rc rc = RC_OK;

    *row = NULL;
    if (scan->side)
        return stream_next(scan, row, err);
    if (!scan->piece)
        return RC_OK;
    if (scan->row == PQntuples(scan->piece) && !scan->done)
        rc = fetch(pc, scan, err);
    if (rc)
        return rc;
    if (scan->row == PQntuples(scan->piece))
        return close_cursor(pc, scan, err);
    if (!pg_read_row(scan->piece, scan->row, s->step, scan->codings,
                     scan->cells, &not_counted))
        return err_set(err, RC_INVALID,
                       "%s: a value does not fit the type of its column",
                       s->step->name);
    scan->row++;
    *row = scan->cells;
    return RC_OK;
}

/* What has not been read to its end goes with the transaction, or with its
 * connection. */
void pg_scan_close(struct scan *s)
{
    struct pg_scan *scan = scan_of(s);

    PQclear(scan->piece);
    if (scan->side) {
        pg_stream_close(&scan->stream);
        pg_disconnect(&scan->side->base);
    }
    mem_free(scan->codings);
    mem_free(scan->cells);
    mem_free(scan);
}
