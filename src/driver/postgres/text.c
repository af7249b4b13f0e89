/* SPDX-License-Identifier: MIT */
/* Texts without parameters (the simple protocol), and rows in text. */
#include "driver/postgres/text.h"

#include "base/mem.h"
#include "driver/postgres/stmt.h"

/* On the wire: 'Q' and its length; of an answer 'C', its length and the NUL;
 * of a row and of a column. */
#define QUERY_BYTES 6
#define TAG_BYTES 6
#define ROW_BYTES 7
#define CELL_BYTES 4

bool pg_in_txn(const struct conn *c)
{
    const struct pg_conn *pc = (const struct pg_conn *)(const void *)c;

    return PQtransactionStatus(pc->pg) > PQTRANS_IDLE;
}

static enum rc reserve_names(struct pg_conn *pc, size_t n)
{
    const char **names;

    if (LIKELY(n <= pc->names_cap))
        return RC_OK;
    names = mem_realloc(pc->names, n * sizeof(*names));
    if (!names)
        return pg_fail_own(pc, RC_NOMEM, "out of memory");
    pc->names = names;
    pc->names_cap = n;
    return RC_OK;
}

static struct value read_cell(const PGresult *r, int row, int col)
{
    if (PQgetisnull(r, row, col))
        return v_null();
    return v_textn(PQgetvalue(r, row, col), (size_t)PQgetlength(r, row, col));
}

enum rc pg_read_text_rows(struct pg_conn *pc, const PGresult *r,
                          struct rowset *out)
{
    const int n_cols = PQnfields(r), n_rows = PQntuples(r);
    const size_t n_cells = (size_t)n_cols * (size_t)n_rows;
    struct value *cell;

    if (reserve_names(pc, (size_t)n_cols) || pg_reserve_cells(pc, n_cells))
        return RC_NOMEM;
    for (int i = 0; i < n_cols; i++)
        pc->names[i] = PQfname(r, i);
    cell = pc->cells;
    for (int row = 0; row < n_rows; row++) {
        for (int col = 0; col < n_cols; col++)
            *cell++ = read_cell(r, row, col);
    }
    out->cells = pc->cells;
    out->n_rows = (size_t)n_rows;
    out->n_cols = (size_t)n_cols;
    out->names = pc->names;
    return RC_OK;
}

static void count_received(struct pg_conn *pc, PGresult *r)
{
    uint64_t *bytes = &pc->base.usage.bytes_received;
    const int n_cols = PQnfields(r), n_rows = PQntuples(r);

    *bytes += TAG_BYTES + strlen(PQcmdStatus(r));
    for (int row = 0; row < n_rows; row++) {
        *bytes += ROW_BYTES;
        for (int col = 0; col < n_cols; col++)
            *bytes += CELL_BYTES + (uint64_t)PQgetlength(r, row, col);
    }
}

/* One statement's answer: the first failure counts. */
static CORO_FN enum rc take(struct pg_conn *pc, PGresult *r, rows_fn *fn,
                            void *arg)
{
    struct rowset rows = {0};
    enum rc rc;

    switch (PQresultStatus(r)) {
    case PGRES_TUPLES_OK:
        count_received(pc, r);
        rc = fn ? pg_read_text_rows(pc, r, &rows) : RC_OK;
        return fn && !rc ? fn(arg, &rows) : rc;
    case PGRES_COMMAND_OK:
    case PGRES_EMPTY_QUERY:
        count_received(pc, r);
        return fn ? fn(arg, &rows) : RC_OK;
    case PGRES_COPY_IN:
    case PGRES_COPY_OUT:
    case PGRES_COPY_BOTH:
        pc->base.gone = true;
        return pg_fail_own(pc, RC_DB_GONE, "COPY cannot be run here");
    case PGRES_SINGLE_TUPLE:
    case PGRES_BAD_RESPONSE:
    case PGRES_NONFATAL_ERROR:
    case PGRES_FATAL_ERROR:
    case PGRES_PIPELINE_SYNC:
    case PGRES_PIPELINE_ABORTED:
        break;
    }
    return RC_DB_ERROR;
}

static bool is_error(const PGresult *r)
{
    return PQresultStatus(r) == PGRES_FATAL_ERROR ||
           PQresultStatus(r) == PGRES_BAD_RESPONSE;
}

enum rc pg_exec_text(struct conn *c, const char *text, rows_fn *fn, void *arg)
{
    struct pg_conn *pc = pg_conn_of(c);
    enum rc rc = RC_OK, waited;
    PGresult *r = NULL;
    size_t n = 0;

    pg_forget_answers(pc);
    pg_start(pc);
    if (UNLIKELY(!PQsendQuery(pc->pg, text)))
        return pg_fail_lost(pc);
    rc = pg_flush(pc);
    if (UNLIKELY(rc))
        return rc;
    do {
        waited = pg_next(pc, &r);
        if (UNLIKELY(waited))
            return waited;
        if (!r)
            break;
        n++;
        /* The failure takes the result with it. */
        if (UNLIKELY(is_error(r) && !rc)) {
            rc = pg_fail_result(pc, r);
        } else {
            if (LIKELY(!rc))
                rc = take(pc, r, fn, arg);
            PQclear(r);
        }
    } while (rc != RC_DB_GONE && !c->gone);
    if (UNLIKELY(!rc && n == 0))
        return pg_fail_lost(pc);
    c->usage.bytes_sent += QUERY_BYTES + strlen(text);
    c->usage.bytes_received += PG_READY_BYTES;
    return rc;
}
