/* SPDX-License-Identifier: MIT */
/*
 * Scans: cursors on the server, so that several can be open in one snapshot,
 * read in pieces.  The server writes the whole answer into a temporary table
 * when the cursor is opened.
 */
#include "base/mem.h"
#include "driver/mysql/stmt.h"

#define FETCH_ROWS 2000UL

struct maria_scan {
    struct scan base;
    MYSQL_STMT *st;
    struct maria_params params;
    const MYSQL_ROWS *next; /* of the piece that was fetched last */
    bool done;              /* the server has no more */
    enum maria_coding *codings;
    struct value *cells;
};

static struct maria_scan *scan_of(struct scan *s)
{
    return CONTAINER_OF(s, struct maria_scan, base);
}

static enum rc fail(struct maria_conn *mc, const struct maria_scan *scan,
                    const struct step *step, struct err *err)
{
    maria_fail_stmt(mc, scan->st);
    return maria_last_err(mc, step->name, err);
}

static bool prepare(struct maria_scan *scan, const char *text)
{
    const unsigned long cursor = CURSOR_TYPE_READ_ONLY, rows = FETCH_ROWS;

    return !mysql_stmt_prepare(scan->st, text, strlen(text)) &&
           !mysql_stmt_attr_set(scan->st, STMT_ATTR_CURSOR_TYPE, &cursor) &&
           !mysql_stmt_attr_set(scan->st, STMT_ATTR_PREFETCH_ROWS, &rows);
}

/* The next piece; a cursor that has ended gives none. */
static CORO_FN enum rc fetch(struct maria_conn *mc, struct maria_scan *scan)
{
    int failed;

    maria_start(mc);
    /* As if all of the last piece had been asked for. */
    mysql_stmt_row_seek(scan->st, NULL);
    failed = mysql_stmt_fetch(scan->st);
    if (failed == MYSQL_NO_DATA) {
        scan->done = true;
        return RC_OK;
    }
    if (failed)
        return maria_fail_stmt(mc, scan->st);
    scan->next = scan->st->result.data;
    return RC_OK;
}

/* What the server gives at once instead of a cursor has been stored. */
static void take_stored(struct maria_conn *mc, struct maria_scan *scan)
{
    scan->next = scan->st->result.data;
    scan->done = true;
    mc->my->status = MYSQL_STATUS_READY;
}

static CORO_FN enum rc start(struct maria_conn *mc, const struct step *step,
                             const struct value *args, struct maria_scan *scan,
                             struct err *err)
{
    const struct step_statement *s = &step->statements[0];
    enum rc rc;

    maria_start(mc);
    scan->st = mysql_stmt_init(mc->my);
    if (!scan->st)
        return err_set(err, RC_NOMEM, "out of memory");
    if (!prepare(scan, s->text))
        return fail(mc, scan, step, err);
    rc = maria_check_columns(scan->st, step, err);
    if (rc)
        return rc;
    if (maria_params_init(&scan->params, scan->st, step, s) ||
        maria_bind(mc, &scan->params, scan->st, s, args))
        return err_set(err, RC_NOMEM, "out of memory");
    maria_start(mc);
    if (mysql_stmt_execute(scan->st))
        return fail(mc, scan, step, err);
    if (!maria_learn_codings(scan->st, step, scan->codings))
        return err_set(err, RC_INVALID, "%s: the columns have changed",
                       step->name);
    if (!scan->st->cursor_exists)
        take_stored(mc, scan);
    return RC_OK;
}

enum rc maria_scan_open(struct conn *c, const struct step *step,
                        const struct value *args, size_t n_args,
                        struct scan **out, struct err *err)
{
    struct maria_scan *scan;
    enum rc rc;

    (void)n_args;
    if (step->n_statements != 1)
        return err_set(err, RC_UNSUPPORTED,
                       "%s: a scan has exactly one statement", step->name);
    scan = MEM_NEW(struct maria_scan);
    if (!scan)
        return err_set(err, RC_NOMEM, "out of memory");
    scan->codings = MEM_ARRAY(enum maria_coding, step->n_cols);
    scan->cells = MEM_ARRAY(struct value, step->n_cols);
    if (!scan->codings || !scan->cells)
        rc = err_set(err, RC_NOMEM, "out of memory");
    else
        rc = start(maria_conn_of(c), step, args, scan, err);
    if (rc)
        maria_scan_close(&scan->base);
    else
        *out = &scan->base;
    return rc;
}

enum rc maria_scan_next(struct scan *s, const struct value **row,
                        struct err *err)
{
    struct maria_scan *scan = scan_of(s);
    struct maria_conn *mc = maria_conn_of(s->conn);
    const MYSQL_ROWS *next;

    *row = NULL;
    if (!scan->next && !scan->done) {
        s->conn->usage.statements++;
        s->conn->usage.round_trips++;
        if (fetch(mc, scan))
            return maria_last_err(mc, s->step->name, err);
    }
    next = scan->next;
    if (!next)
        return RC_OK;
    if (!maria_read_row((const unsigned char *)next->data, next->length,
                        scan->codings, s->step->cols, s->step->n_cols,
                        scan->cells))
        return err_set(err, RC_INVALID,
                       "%s: a value does not fit the type of its column",
                       s->step->name);
    scan->next = next->next;
    *row = scan->cells;
    return RC_OK;
}

void maria_scan_close(struct scan *s)
{
    struct maria_scan *scan = scan_of(s);

    /* Has no answer, so there is nothing to wait for. */
    maria_never_wait();
    if (scan->st)
        mysql_stmt_close(scan->st);
    maria_params_release(&scan->params);
    mem_free(scan->codings);
    mem_free(scan->cells);
    mem_free(scan);
}
