/* SPDX-License-Identifier: MIT */
/*
 * Scans: a statement handle each.  Drivers read whole answers into memory; of
 * a database that has cursors in SQL, one is declared and read in pieces.
 */
#include "base/mem.h"
#include "driver/odbc/odbc_int.h"

#include <stdio.h>

#define PIECE_ROWS 1000

struct odbc_scan {
    struct scan base;
    SQLHSTMT st;
    struct odbc_slot *slots;
    size_t n_slots;
    bool done;
    unsigned cursor; /* its number; 0: the rows are those of st itself */
    size_t n_read;   /* rows of the piece */
    /* The row that was given last. */
    struct kept_rows row;
};

static struct odbc_scan *scan_of(struct scan *s)
{
    return CONTAINER_OF(s, struct odbc_scan, base);
}

static enum rc next_piece(struct odbc_conn *oc, struct odbc_scan *scan)
{
    char sql[64];

    snprintf(sql, sizeof(sql), "FETCH FORWARD %d FROM dyno_%u", PIECE_ROWS,
             scan->cursor);
    scan->n_read = 0;
    oc->base.usage.statements++;
    oc->base.usage.round_trips++;
    (void)SQLFreeStmt(scan->st, SQL_CLOSE);
    return odbc_execute_text(oc, scan->st, sql);
}

static enum rc check_columns(struct odbc_conn *oc, struct odbc_scan *scan,
                             const struct step *step, struct err *err)
{
    SQLSMALLINT n_cols = 0;

    if (!odbc_ok(SQLNumResultCols(scan->st, &n_cols))) {
        odbc_fail_stmt(oc, scan->st);
        return odbc_last_err(oc, step->name, err);
    }
    if ((size_t)n_cols == step->n_cols)
        return RC_OK;
    return err_set(err, RC_INVALID,
                   "%s returns %d columns, its signature says %zu", step->name,
                   n_cols, step->n_cols);
}

/* The statement's own text, or as a cursor. */
static enum rc put_text(struct odbc_conn *oc, struct odbc_scan *scan,
                        const char *text, struct buf *out)
{
    if (oc->dialect->cursors && oc->base.in_txn) {
        scan->cursor = ++oc->n_cursors;
        buf_printf(out, "DECLARE dyno_%u NO SCROLL CURSOR FOR ", scan->cursor);
    }
    buf_puts(out, text);
    return buf_rc(out);
}

static enum rc execute(struct odbc_conn *oc, struct odbc_scan *scan,
                       const struct step *step, const struct value *args,
                       const char *text)
{
    const struct step_statement *s = &step->statements[0];
    enum rc rc = RC_OK;

    if (!odbc_ok(SQLPrepare(scan->st, odbc_text(text), SQL_NTS)))
        return odbc_fail_stmt(oc, scan->st);
    rc = odbc_bind(oc, scan->st, scan->slots, step, s, args);
    if (!rc)
        rc = odbc_execute(oc, scan->st);
    if (!rc && scan->cursor) {
        (void)SQLFreeStmt(scan->st, SQL_CLOSE);
        (void)SQLFreeStmt(scan->st, SQL_RESET_PARAMS);
        rc = next_piece(oc, scan);
    }
    return rc;
}

static enum rc start(struct odbc_conn *oc, const struct step *step,
                     const struct value *args, struct odbc_scan *scan,
                     struct err *err)
{
    struct buf text = BUF_INIT(ODBC_SQL_MAX);
    enum rc rc = odbc_outside(oc);

    if (!rc)
        rc = odbc_new_stmt(oc, &scan->st);
    if (!rc && put_text(oc, scan, step->statements[0].text, &text))
        rc = odbc_fail_own(oc, RC_NOMEM, "out of memory");
    if (!rc)
        rc = execute(oc, scan, step, args, buf_str(&text));
    buf_release(&text);
    if (rc) {
        scan->cursor = 0;
        return odbc_last_err(oc, step->name, err);
    }
    return check_columns(oc, scan, step, err);
}

enum rc odbc_scan_open(struct conn *c, const struct step *step,
                       const struct value *args, size_t n_args,
                       struct scan **out, struct err *err)
{
    struct odbc_scan *scan;
    enum rc rc;

    (void)n_args;
    if (step->n_statements != 1)
        return err_set(err, RC_UNSUPPORTED,
                       "%s: a scan has exactly one statement", step->name);
    scan = MEM_NEW(struct odbc_scan);
    if (!scan)
        return err_set(err, RC_NOMEM, "out of memory");
    scan->base.conn = c;
    scan->n_slots = step->statements[0].n_params;
    if (kept_rows_init(&scan->row) ||
        odbc_new_slots(odbc_conn_of(c), step, &step->statements[0],
                       &scan->slots))
        rc = err_set(err, RC_NOMEM, "out of memory");
    else
        rc = start(odbc_conn_of(c), step, args, scan, err);
    if (rc)
        odbc_scan_close(&scan->base);
    else
        *out = &scan->base;
    return rc;
}

static enum rc read_row(struct odbc_conn *oc, struct odbc_scan *scan)
{
    const struct step *step = scan->base.step;
    struct kept_rows *row = &scan->row;
    struct value *cells;
    enum rc rc = RC_OK;

    kept_rows_reset(row);
    if (kept_rows_add(row, step->n_cols, &cells))
        return odbc_fail_own(oc, RC_NOMEM, "out of memory");
    for (size_t i = 0; i < step->n_cols && !rc; i++) {
        rc = odbc_get_cell(oc, scan->st, i, step->cols[i].type, &cells[i]);
        if (!rc && cells[i].type == VALUE_TEXT &&
            kept_rows_text(row, &cells[i], cells[i].s, cells[i].len))
            rc = odbc_fail_own(oc, RC_NOMEM, "out of memory");
    }
    kept_rows_finish(row);
    return rc;
}

/* A piece that has ended may be followed by another one. */
static enum rc fetch(struct odbc_conn *oc, struct odbc_scan *scan)
{
    enum rc rc;

    for (;;) {
        bool ended = false;

        rc = odbc_fetch(oc, scan->st, &ended);
        if (rc)
            return rc;
        if (!ended) {
            scan->n_read++;
            return read_row(oc, scan);
        }
        if (!scan->cursor || scan->n_read < PIECE_ROWS) {
            scan->done = true;
            return RC_OK;
        }
        rc = next_piece(oc, scan);
        if (rc)
            return rc;
    }
}

enum rc odbc_scan_next(struct scan *s, const struct value **row,
                       struct err *err)
{
    struct odbc_conn *oc = odbc_conn_of(s->conn);
    struct odbc_scan *scan = scan_of(s);

    *row = NULL;
    if (scan->done)
        return RC_OK;
    if (fetch(oc, scan)) {
        scan->done = true;
        scan->cursor = 0; /* goes with its transaction */
        return odbc_last_err(oc, s->step->name, err);
    }
    *row = scan->done ? NULL : scan->row.cells;
    return RC_OK;
}

void odbc_scan_close(struct scan *s)
{
    struct odbc_conn *oc = odbc_conn_of(s->conn);
    struct odbc_scan *scan = scan_of(s);
    char sql[64];

    if (scan->st)
        odbc_free_stmt(oc, scan->st);
    if (scan->cursor && oc->base.in_txn && !oc->base.gone) {
        snprintf(sql, sizeof(sql), "CLOSE dyno_%u", scan->cursor);
        (void)odbc_run(oc, sql);
    }
    odbc_release_slots(scan->slots, scan->n_slots);
    kept_rows_release(&scan->row);
    mem_free(scan);
}
