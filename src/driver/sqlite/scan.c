/* SPDX-License-Identifier: MIT */
/* Scans: rows one by one, read where SQLite keeps them. */
#include "base/mem.h"
#include "driver/sqlite/sqlite_int.h"

struct sqlite_scan {
    struct scan base;
    sqlite3_stmt *st;
    bool done; /* another step would start again */
    struct value cells[];
};

static struct sqlite_scan *scan_of(struct scan *s)
{
    return CONTAINER_OF(s, struct sqlite_scan, base);
}

/* The arguments are the caller's only while the scan is opened. */
static int bind_copies(sqlite3_stmt *st, const struct step_statement *s,
                       const struct value *args)
{
    int code = SQLITE_OK;

    for (size_t i = 0; i < s->n_params && code == SQLITE_OK; i++) {
        const struct value *v = &args[s->params[i]];

        if (v->type == VALUE_TEXT)
            code = sqlite3_bind_text(st, (int)i + 1, v->s, (int)v->len,
                                     SQLITE_TRANSIENT);
        else
            code = sqlite_bind(st, (int)i + 1, v);
    }
    return code;
}

static enum rc start(struct sqlite_conn *sc, const struct step *step,
                     const struct value *args, struct sqlite_scan *scan,
                     struct err *err)
{
    const struct step_statement *s = &step->statements[0];
    int code = sqlite3_prepare_v2(sc->handle, s->text, -1, &scan->st, NULL);

    if (code == SQLITE_OK)
        code = bind_copies(scan->st, s, args);
    if (code != SQLITE_OK)
        return sqlite_fail_err(sc, code, step->name, err);
    if (sqlite3_column_count(scan->st) != (int)step->n_cols)
        return err_set(
            err, RC_INVALID, "%s returns %d columns, its signature says %zu",
            step->name, sqlite3_column_count(scan->st), step->n_cols);
    return RC_OK;
}

enum rc sqlite_scan_open(struct conn *c, const struct step *step,
                         const struct value *args, size_t n_args,
                         struct scan **out, struct err *err)
{
    struct sqlite_scan *scan;
    enum rc rc;

    (void)n_args;
    if (step->n_statements != 1)
        return err_set(err, RC_UNSUPPORTED,
                       "%s: a scan has exactly one statement", step->name);
    scan = mem_calloc(1, sizeof(*scan) + step->n_cols * sizeof(struct value));
    if (!scan)
        return err_set(err, RC_NOMEM, "out of memory");
    rc = start(sqlite_conn_of(c), step, args, scan, err);
    if (rc)
        sqlite_scan_close(&scan->base);
    else
        *out = &scan->base;
    return rc;
}

/* Scans read tables that may have been made by anybody: types are checked. */
static enum rc read_cell(struct sqlite_scan *scan, size_t i, struct err *err)
{
    const struct column *col = &scan->base.step->cols[i];
    struct value *cell = &scan->cells[i];
    const int at = (int)i;

    switch (sqlite3_column_type(scan->st, at)) {
    case SQLITE_NULL:
        *cell = v_null();
        return RC_OK;
    case SQLITE_INTEGER:
        if (col->type == VALUE_TEXT)
            break;
        cell->type = col->type;
        cell->i = sqlite3_column_int64(scan->st, at);
        return RC_OK;
    case SQLITE_TEXT:
        if (col->type != VALUE_TEXT)
            break;
        cell->s = (const char *)sqlite3_column_text(scan->st, at);
        if (!cell->s)
            return err_set(err, RC_NOMEM, "out of memory");
        cell->type = VALUE_TEXT;
        cell->len = (uint32_t)sqlite3_column_bytes(scan->st, at);
        return RC_OK;
    default:
        break;
    }
    return err_set(err, RC_INVALID, "%s: column %s holds %s",
                   scan->base.step->name, col->name,
                   col->type == VALUE_TEXT ? "what is not text"
                                           : "what is not an integer");
}

enum rc sqlite_scan_next(struct scan *s, const struct value **row,
                         struct err *err)
{
    struct sqlite_scan *scan = scan_of(s);
    int code = scan->done ? SQLITE_DONE : sqlite3_step(scan->st);

    if (code == SQLITE_DONE) {
        scan->done = true;
        *row = NULL;
        return RC_OK;
    }
    if (code != SQLITE_ROW)
        return sqlite_fail_err(sqlite_conn_of(s->conn), code, s->step->name,
                               err);
    for (size_t i = 0; i < s->step->n_cols; i++) {
        enum rc rc = read_cell(scan, i, err);

        if (rc)
            return rc;
    }
    *row = scan->cells;
    return RC_OK;
}

void sqlite_scan_close(struct scan *s)
{
    struct sqlite_scan *scan = scan_of(s);

    sqlite3_finalize(scan->st);
    mem_free(scan);
}
