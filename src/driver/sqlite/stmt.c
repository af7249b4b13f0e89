/* SPDX-License-Identifier: MIT */
/* Prepared steps: the run path.  Nothing here allocates once warm. */
#include "base/mem.h"
#include "driver/sqlite/sqlite_int.h"

struct part {
    sqlite3_stmt *st;
    bool changes; /* may write */
};

struct sqlite_stmt {
    struct stmt base;
    bool changes;     /* any of the parts */
    size_t n_cols;    /* of its rows */
    char **names;     /* of raw rows */
    size_t rows_from; /* the part whose rows are the step's, or n_parts */
    size_t n_parts;
    struct part parts[];
};

/* ---- preparing ---- */

static void free_stmt(struct sqlite_stmt *ss)
{
    for (size_t i = 0; i < ss->n_parts; i++)
        sqlite3_finalize(ss->parts[i].st);
    for (size_t i = 0; ss->names && i < ss->n_cols; i++)
        mem_free(ss->names[i]);
    mem_free(ss->names);
    mem_free(ss);
}

static enum rc prepare_part(struct sqlite_conn *sc, const struct step *step,
                            size_t i, struct part *out, struct err *err)
{
    const struct step_statement *s = &step->statements[i];
    int code = sqlite3_prepare_v3(sc->handle, s->text, -1,
                                  SQLITE_PREPARE_PERSISTENT, &out->st, NULL);

    if (code != SQLITE_OK)
        return sqlite_fail_err(sc, code, step->name, err);
    if (!out->st)
        return err_set(err, RC_INVALID, "%s: statement %zu is empty",
                       step->name, i + 1);
    if (sqlite3_bind_parameter_count(out->st) != (int)s->n_params)
        return err_set(err, RC_INVALID,
                       "%s: statement %zu has parameters that are not "
                       "written :name",
                       step->name, i + 1);
    out->changes = !sqlite3_stmt_readonly(out->st);
    return RC_OK;
}

/* A raw step has one statement, whose columns are as they are. */
static enum rc find_raw_rows(struct sqlite_stmt *ss, struct err *err)
{
    sqlite3_stmt *st = ss->parts[0].st;

    ss->n_cols = (size_t)sqlite3_column_count(st);
    ss->rows_from = ss->n_cols > 0 ? 0 : ss->n_parts;
    ss->names = MEM_ARRAY(char *, ss->n_cols + 1);
    for (size_t i = 0; ss->names && i < ss->n_cols; i++) {
        const char *name = sqlite3_column_name(st, (int)i);

        /* SQLite's own goes when the schema changes. */
        ss->names[i] = name ? mem_strdup(name) : NULL;
        if (!ss->names[i])
            return err_set(err, RC_NOMEM, "out of memory");
    }
    return ss->names ? RC_OK : err_set(err, RC_NOMEM, "out of memory");
}

/* The step's rows are those of the last statement that returns any. */
static enum rc find_rows(struct sqlite_stmt *ss, const struct step *step,
                         struct err *err)
{
    int n_cols = 0;

    if (step->raw_rows)
        return find_raw_rows(ss, err);
    ss->rows_from = ss->n_parts;
    ss->n_cols = step->n_cols;
    if (step->n_cols == 0)
        return RC_OK;
    for (size_t i = 0; i < ss->n_parts; i++) {
        int n = sqlite3_column_count(ss->parts[i].st);

        if (n > 0) {
            n_cols = n;
            ss->rows_from = i;
        }
    }
    if (n_cols == (int)step->n_cols)
        return RC_OK;
    return err_set(err, RC_INVALID,
                   "%s returns %d columns, its signature says %zu", step->name,
                   n_cols, step->n_cols);
}

enum rc sqlite_prepare(struct conn *c, const struct step *step,
                       struct stmt **out, struct err *err)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);
    const size_t n = step->n_statements;
    struct sqlite_stmt *ss =
        mem_calloc(1, sizeof(*ss) + n * sizeof(struct part));
    enum rc rc = RC_OK;

    if (!ss)
        return err_set(err, RC_NOMEM, "out of memory");
    ss->n_parts = n;
    for (size_t i = 0; i < n && !rc; i++) {
        rc = prepare_part(sc, step, i, &ss->parts[i], err);
        ss->changes |= ss->parts[i].changes;
    }
    if (!rc)
        rc = find_rows(ss, step, err);
    if (rc)
        free_stmt(ss);
    else
        *out = &ss->base;
    return rc;
}

void sqlite_free_stmts(struct sqlite_conn *sc)
{
    struct stmt *s = sc->base.stmts;

    while (s) {
        struct stmt *next = s->next;

        free_stmt(CONTAINER_OF(s, struct sqlite_stmt, base));
        s = next;
    }
    sc->base.stmts = NULL;
}

/* ---- executing ---- */

/* Text of SQLite's dies with the reset, so it is copied. */
static enum rc copy_text(struct sqlite_conn *sc, sqlite3_stmt *st, int col,
                         struct value *cell)
{
    const unsigned char *s = sqlite3_column_text(st, col);

    if (s)
        return kept_rows_text(&sc->rows, cell, s,
                              (size_t)sqlite3_column_bytes(st, col));
    *cell = v_null();
    return sqlite3_errcode(sc->handle) == SQLITE_NOMEM ? RC_NOMEM : RC_OK;
}

static enum rc copy_raw_row(struct sqlite_conn *sc, sqlite3_stmt *st,
                            size_t n_cols)
{
    struct value *cells;
    enum rc rc = kept_rows_add(&sc->rows, n_cols, &cells);

    for (size_t i = 0; i < n_cols && !rc; i++)
        rc = copy_text(sc, st, (int)i, &cells[i]);
    return rc;
}

static enum rc copy_row(struct sqlite_conn *sc, sqlite3_stmt *st,
                        const struct step *step)
{
    struct value *cells;
    enum rc rc = kept_rows_add(&sc->rows, step->n_cols, &cells);

    for (size_t i = 0; i < step->n_cols && !rc; i++) {
        const int col = (int)i;

        if (step->cols[i].type == VALUE_TEXT) {
            rc = copy_text(sc, st, col, &cells[i]);
            continue;
        }
        cells[i].type = step->cols[i].type;
        cells[i].len = 0;
        cells[i].i = sqlite3_column_int64(st, col);
        /* NULL reads as 0, so only a 0 costs a second call. */
        if (cells[i].i == 0 && sqlite3_column_type(st, col) == SQLITE_NULL)
            cells[i].type = VALUE_NULL;
    }
    return rc;
}

static int bind_all(const struct part *part, const struct step_statement *s,
                    const struct value *args)
{
    for (size_t i = 0; i < s->n_params; i++) {
        int code = sqlite_bind(part->st, (int)i + 1, &args[s->params[i]]);

        if (UNLIKELY(code != SQLITE_OK))
            return code;
    }
    return SQLITE_OK;
}

static enum rc run_part(struct sqlite_conn *sc, struct sqlite_stmt *ss,
                        size_t i, const struct value *args)
{
    const struct step *step = ss->base.step;
    sqlite3_stmt *st = ss->parts[i].st;
    enum rc rc = RC_OK;
    int code = bind_all(&ss->parts[i], &step->statements[i], args);

    if (LIKELY(code == SQLITE_OK)) {
        while ((code = sqlite3_step(st)) == SQLITE_ROW && !rc) {
            if (i != ss->rows_from)
                continue;
            rc = step->raw ? copy_raw_row(sc, st, ss->n_cols)
                           : copy_row(sc, st, step);
        }
    }
    if (UNLIKELY(rc))
        sqlite_fail_own(sc, rc, "an answer is too big for memory");
    else if (UNLIKELY(code != SQLITE_DONE))
        rc = sqlite_fail(sc, code);
    sqlite3_reset(st);
    return rc;
}

static enum rc run_parts(struct sqlite_conn *sc, struct sqlite_stmt *ss,
                         const struct value *args, uint64_t *out_affected)
{
    kept_rows_reset(&sc->rows);
    *out_affected = 0;
    for (size_t i = 0; i < ss->n_parts; i++) {
        enum rc rc = run_part(sc, ss, i, args);

        if (UNLIKELY(rc))
            return rc;
        if (ss->parts[i].changes)
            *out_affected = (uint64_t)sqlite3_changes64(sc->handle);
    }
    return RC_OK;
}

enum rc sqlite_exec(struct conn *c, struct stmt *s, const struct value *args,
                    size_t n_args, struct rowset *out)
{
    struct sqlite_conn *sc = sqlite_conn_of(c);
    struct sqlite_stmt *ss = CONTAINER_OF(s, struct sqlite_stmt, base);
    const size_t n_cols = ss->n_cols;
    const bool takes_turn = ss->changes && !c->in_txn;
    uint64_t n_affected;
    enum rc rc;

    (void)n_args;
    if (takes_turn) {
        rc = sqlite_take_turn(sc);
        if (rc)
            return rc;
    }
    rc = run_parts(sc, ss, args, &n_affected);
    if (takes_turn)
        sqlite_give_turn(sc);
    if (UNLIKELY(rc) || !out)
        return rc;
    kept_rows_finish(&sc->rows);
    *out = (struct rowset){
        .cells = sc->rows.cells,
        .n_rows = n_cols > 0 ? sc->rows.n_cells / n_cols : 0,
        .n_cols = n_cols,
        .n_affected = n_affected,
        .names = (const char *const *)ss->names,
    };
    return RC_OK;
}
