/* SPDX-License-Identifier: MIT */
/* Prepared steps: the run path.  Nothing here allocates once warm. */
#include "base/mem.h"
#include "driver/odbc/odbc_int.h"

struct part {
    SQLHSTMT st;
    struct odbc_slot *slots;
    bool changes; /* rows, whose number is asked for */
};

struct odbc_stmt {
    struct stmt base;
    size_t n_cols; /* of its rows */
    char **names;  /* of raw rows */
    /* The part whose rows are the step's; n_parts: none; with any_part those
     * of the last that gives some, which is seen when it runs (CALL). */
    size_t rows_from;
    bool any_part;
    size_t n_parts;
    struct part parts[];
};

static void free_stmt(struct odbc_conn *oc, struct odbc_stmt *os,
                      const struct step *step)
{
    for (size_t i = 0; i < os->n_parts; i++) {
        if (os->parts[i].st)
            odbc_free_stmt(oc, os->parts[i].st);
        odbc_release_slots(os->parts[i].slots, step->statements[i].n_params);
    }
    for (size_t i = 0; os->names && i < os->n_cols; i++)
        mem_free(os->names[i]);
    mem_free(os->names);
    mem_free(os);
}

void odbc_free_stmts(struct odbc_conn *oc)
{
    struct stmt *s = oc->base.stmts;

    while (s) {
        struct stmt *next = s->next;

        free_stmt(oc, CONTAINER_OF(s, struct odbc_stmt, base), s->step);
        s = next;
    }
    oc->base.stmts = NULL;
}

/* ---- preparing ---- */

static enum rc prepare_part(struct odbc_conn *oc, const struct step *step,
                            size_t i, struct part *out, SQLSMALLINT *out_cols,
                            struct err *err)
{
    const struct step_statement *s = &step->statements[i];

    /* To try again, as with other limits, would be of no use. */
    if (odbc_check_packet(oc, strlen(s->text))) {
        odbc_last_err(oc, step->name, err);
        return oc->failed.rc == RC_DB_LIMIT ? RC_UNSUPPORTED : oc->failed.rc;
    }
    if (odbc_new_stmt(oc, &out->st))
        return odbc_last_err(oc, step->name, err);
    if (odbc_new_slots(oc, step, s, &out->slots))
        return err_set(err, RC_NOMEM, "out of memory");
    /* Some drivers look at the text when they are asked for its columns. */
    if (!odbc_ok(SQLPrepare(out->st, odbc_text(s->text), SQL_NTS)) ||
        !odbc_ok(SQLNumResultCols(out->st, out_cols))) {
        odbc_fail_stmt(oc, out->st);
        return odbc_last_err(oc, step->name, err);
    }
    out->changes = odbc_changes_rows(s->text);
    if (oc->dialect->hides_returning && strcasestr(s->text, "RETURNING"))
        return err_set(err, RC_UNSUPPORTED,
                       "%s: this ODBC driver shows no rows of RETURNING; use "
                       "another composition",
                       step->name);
    return RC_OK;
}

/* A raw step has one statement, whose columns are as they are. */
static enum rc find_raw_rows(struct odbc_conn *oc, struct odbc_stmt *os,
                             size_t n_cols, struct err *err)
{
    SQLCHAR name[ODBC_NAME_MAX];
    SQLSMALLINT len;

    os->n_cols = n_cols;
    os->rows_from = n_cols > 0 ? 0 : os->n_parts;
    os->names = MEM_ARRAY(char *, n_cols + 1);
    for (size_t i = 0; os->names && i < n_cols; i++) {
        if (!odbc_ok(SQLDescribeCol(os->parts[0].st, (SQLUSMALLINT)(i + 1),
                                    name, sizeof(name), &len, NULL, NULL, NULL,
                                    NULL))) {
            odbc_fail_stmt(oc, os->parts[0].st);
            return odbc_last_err(oc, NULL, err);
        }
        os->names[i] = mem_strdup((const char *)name);
        if (!os->names[i])
            return err_set(err, RC_NOMEM, "out of memory");
    }
    return os->names ? RC_OK : err_set(err, RC_NOMEM, "out of memory");
}

static enum rc check_columns(const struct step *step, SQLSMALLINT n_cols,
                             struct err *err)
{
    if ((size_t)n_cols == step->n_cols)
        return RC_OK;
    return err_set(err, RC_INVALID,
                   "%s returns %d columns, its signature says %zu", step->name,
                   n_cols, step->n_cols);
}

static enum rc prepare_parts(struct odbc_conn *oc, struct odbc_stmt *os,
                             const struct step *step, struct err *err)
{
    SQLSMALLINT n_last = 0;

    os->n_parts = step->n_statements;
    os->rows_from = os->n_parts;
    os->n_cols = step->n_cols;
    for (size_t i = 0; i < os->n_parts; i++) {
        SQLSMALLINT n_cols = 0;
        enum rc rc = prepare_part(oc, step, i, &os->parts[i], &n_cols, err);

        if (rc)
            return rc;
        if (n_cols <= 0)
            continue;
        n_last = n_cols;
        os->rows_from = i;
    }
    if (step->raw_rows)
        return find_raw_rows(oc, os, (size_t)n_last, err);
    if (step->n_cols == 0) {
        os->rows_from = os->n_parts;
        return RC_OK;
    }
    os->any_part = os->rows_from == os->n_parts;
    return os->any_part ? RC_OK : check_columns(step, n_last, err);
}

enum rc odbc_prepare(struct conn *c, const struct step *step, struct stmt **out,
                     struct err *err)
{
    struct odbc_conn *oc = odbc_conn_of(c);
    const size_t n = step->n_statements;
    struct odbc_stmt *os = mem_calloc(1, sizeof(*os) + n * sizeof(struct part));
    enum rc rc;

    if (!os)
        return err_set(err, RC_NOMEM, "out of memory");
    rc = prepare_parts(oc, os, step, err);
    if (rc)
        free_stmt(oc, os, step);
    else
        *out = &os->base;
    return rc;
}

/* ---- executing ---- */

/* The rows of the result that is open, if they are the step's. */
static enum rc take_rows(struct odbc_conn *oc, const struct odbc_stmt *os,
                         size_t i)
{
    const struct step *step = os->base.step;
    SQLHSTMT st = os->parts[i].st;
    SQLSMALLINT n_cols = 0;

    if (i != os->rows_from && !os->any_part)
        return RC_OK;
    if (UNLIKELY(os->any_part)) {
        if (!odbc_ok(SQLNumResultCols(st, &n_cols)))
            return odbc_fail_stmt(oc, st);
        if (n_cols == 0)
            return RC_OK;
        if ((size_t)n_cols != os->n_cols)
            return odbc_fail_own(oc, RC_INVALID,
                                 "the number of columns is not that of the "
                                 "signature");
        kept_rows_reset(&oc->rows);
    }
    return odbc_keep_rows(oc, st, step->raw ? NULL : step->cols, os->n_cols);
}

static enum rc count_changes(struct odbc_conn *oc, const struct part *part,
                             uint64_t *out)
{
    SQLLEN n = 0;

    if (!part->changes)
        return RC_OK;
    if (UNLIKELY(!odbc_ok(SQLRowCount(part->st, &n))))
        return odbc_fail_stmt(oc, part->st);
    *out = n > 0 ? (uint64_t)n : 0;
    return RC_OK;
}

static enum rc run_part(struct odbc_conn *oc, const struct odbc_stmt *os,
                        size_t i, const struct value *args,
                        uint64_t *out_affected)
{
    const struct step *step = os->base.step;
    const struct part *part = &os->parts[i];
    bool done = false;
    enum rc rc =
        odbc_bind(oc, part->st, part->slots, step, &step->statements[i], args);

    if (LIKELY(!rc))
        rc = odbc_execute(oc, part->st);
    if (LIKELY(!rc))
        rc = count_changes(oc, part, out_affected);
    while (LIKELY(!rc) && !done) {
        rc = take_rows(oc, os, i);
        /* A failure behind the first result is seen only here. */
        if (!rc)
            rc = odbc_next_result(oc, part->st, &done);
    }
    (void)SQLFreeStmt(part->st, SQL_CLOSE);
    return rc;
}

enum rc odbc_exec(struct conn *c, struct stmt *s, const struct value *args,
                  size_t n_args, struct rowset *out)
{
    struct odbc_conn *oc = odbc_conn_of(c);
    struct odbc_stmt *os = CONTAINER_OF(s, struct odbc_stmt, base);
    uint64_t n_affected = 0;
    enum rc rc = odbc_outside(oc);

    (void)n_args;
    kept_rows_reset(&oc->rows);
    for (size_t i = 0; i < os->n_parts && !rc; i++)
        rc = run_part(oc, os, i, args, &n_affected);
    if (UNLIKELY(rc) || !out)
        return rc;
    kept_rows_finish(&oc->rows);
    *out = (struct rowset){
        .cells = oc->rows.cells,
        .n_rows = os->n_cols > 0 ? oc->rows.n_cells / os->n_cols : 0,
        .n_cols = os->n_cols,
        .n_affected = n_affected,
        .names = (const char *const *)os->names,
    };
    return RC_OK;
}
