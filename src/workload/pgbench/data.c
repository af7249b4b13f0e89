/* SPDX-License-Identifier: MIT */
#include "workload/pgbench/data.h"

#include "base/mem.h"
#include "workload/marker.h"

#include <stdio.h>

#define FOLDER "pgbench"
#define MARKER "dyno_pgbench"
/* Where pgbench makes the numbers of accounts wider. */
#define WIDE_SCALE 20000
#define ACCOUNT_MARK "/* account */"

enum {
    ACCOUNTS = 100000, /* of a branch */
    TELLERS = 10,
    CHUNKS = 4, /* of a branch's accounts */
    BATCH_ROWS = 200,
    COLUMNS_MAX = 4,
};

static const char *const table_names[] = {"pgbench_branches", "pgbench_tellers",
                                          "pgbench_accounts",
                                          "pgbench_history"};

static const struct column branch_columns[] = {{"bid", VALUE_INT},
                                               {"bbalance", VALUE_INT}};
static const struct column teller_columns[] = {
    {"tid", VALUE_INT}, {"bid", VALUE_INT}, {"tbalance", VALUE_INT}};
static const struct column account_columns[] = {{"aid", VALUE_INT},
                                                {"bid", VALUE_INT},
                                                {"abalance", VALUE_INT},
                                                {"filler", VALUE_TEXT}};

static const struct table_def branches = {"pgbench_branches", branch_columns,
                                          ARRAY_LEN(branch_columns)};
static const struct table_def tellers = {"pgbench_tellers", teller_columns,
                                         ARRAY_LEN(teller_columns)};
static const struct table_def accounts = {"pgbench_accounts", account_columns,
                                          ARRAY_LEN(account_columns)};

/* ---- what is there ---- */

/* One number that a step returns. */
static CORO_FN enum rc ask(struct dataset *ds, struct conn *c, const char *name,
                           int64_t *out, size_t n, struct err *err)
{
    struct step *step = ARENA_NEW(&ds->arena, struct step);
    struct rowset rows;
    enum rc rc;

    if (!step)
        return err_set(err, RC_NOMEM, "out of memory");
    rc = step_load(&ds->arena, FOLDER, c->driver, name, step, err);
    if (!rc)
        rc = conn_query(c, step, NULL, 0, &rows, err);
    if (!rc && rows.n_rows != 1)
        rc = err_set(err, RC_INVALID, "%s: no row", name);
    for (size_t i = 0; i < n && !rc; i++)
        out[i] = rowset_at(&rows, 0, i)->i;
    return rc;
}

static CORO_FN enum rc find_tables(struct conn *c, size_t *out_n,
                                   const char **out_first, struct err *err)
{
    enum rc rc = RC_OK;

    *out_n = 0;
    *out_first = NULL;
    for (size_t i = 0; !rc && i < ARRAY_LEN(table_names); i++) {
        bool found = false;

        rc = conn_has_table(c, table_names[i], &found, err);
        *out_n += found;
        if (found && !*out_first)
            *out_first = table_names[i];
    }
    return rc;
}

/* Tables without dyno's mark: pgbench's own, or something else. */
static CORO_FN enum rc inspect_unmarked(struct dataset *ds, struct conn *c,
                                        struct data_info *out, struct err *err)
{
    const char *first;
    int64_t scale;
    size_t n;
    enum rc rc = find_tables(c, &n, &first, err);

    if (rc || n == 0)
        return rc;
    out->status = DATA_FOREIGN;
    snprintf(out->detail, sizeof(out->detail),
             "table '%s' exists and was not created by dyno", first);
    if (n < ARRAY_LEN(table_names))
        return RC_OK;
    rc = ask(ds, c, "count_branches", &scale, 1, err);
    if (rc || scale <= 0)
        return rc;
    out->status = DATA_LOADED;
    out->scale = (uint64_t)scale;
    out->seed = ds->seed;
    return RC_OK;
}

enum rc pgb_inspect(struct dataset *ds, struct conn *c, struct data_info *out,
                    struct err *err)
{
    struct marker marker;
    bool found;
    enum rc rc;

    *out = (struct data_info){.status = DATA_ABSENT};
    if (db_can(ds->db, DRIVER_DISCARDS)) {
        out->status = DATA_LOADED;
        out->scale = ds->scale ? ds->scale : 1;
        out->seed = ds->seed;
        return RC_OK;
    }
    rc = marker_find(c, MARKER, &found, &marker, err);
    if (rc)
        return rc;
    if (!found)
        return inspect_unmarked(ds, c, out, err);
    out->status = marker.complete ? DATA_LOADED : DATA_PARTIAL;
    out->scale = marker.scale;
    out->seed = marker.seed;
    snprintf(out->detail, sizeof(out->detail), "scale %llu",
             (unsigned long long)marker.scale);
    return RC_OK;
}

/* ---- loading ---- */

uint64_t pgb_n_rows(const struct dataset *ds)
{
    return ds->scale * (ACCOUNTS + TELLERS + 1);
}

/* The first piece has the branches and the tellers. */
bool pgb_load_phase(const struct dataset *ds, size_t phase,
                    struct load_phase *out)
{
    *out = (struct load_phase){
        .name = "rows",
        .n_pieces = 1 + (size_t)ds->scale * CHUNKS,
        .makes_rows = true,
    };
    return phase == 0;
}

enum rc pgb_load_begin(struct dataset *ds, struct conn *c, size_t n_streams,
                       struct err *err)
{
    const char *first = "";
    struct marker marker;
    bool found = false;
    size_t n = 0;
    enum rc rc;

    (void)n_streams;
    if (ds->verify)
        return marker_no_verify(ds, c, err);
    if (db_can(ds->db, DRIVER_DISCARDS))
        return RC_OK;
    rc = marker_find(c, MARKER, &found, &marker, err);
    if (!rc)
        rc = find_tables(c, &n, &first, err);
    if (!rc && (found || n > 0))
        rc = err_set(err, RC_INVALID, "table '%s' exists already",
                     found ? MARKER : first);
    if (!rc)
        rc = marker_check(c, FOLDER, err);
    if (!rc)
        rc = marker_make(c, MARKER, ds->scale, ds->seed, err);
    if (!rc)
        rc = marker_script(c, FOLDER, "schema", ACCOUNT_MARK,
                           ds->scale >= WIDE_SCALE ? "bigint" : "int", err);
    return rc;
}

/* Adds a row; cells are as many as the table has columns. */
static CORO_FN enum rc add_row(struct row_writer *w, const struct value *cells)
{
    memcpy(&w->cells[w->n * w->table->n_cols], cells,
           w->table->n_cols * sizeof(*cells));
    return ++w->n == BATCH_ROWS ? rows_flush(w) : RC_OK;
}

static CORO_FN enum rc write_branches(struct row_writer *w, uint64_t scale)
{
    enum rc rc = rows_begin(w, &branches);

    for (uint64_t i = 1; !rc && i <= scale; i++) {
        const struct value row[] = {v_int((int64_t)i), v_int(0)};

        rc = add_row(w, row);
    }
    return rc ? rc : rows_end(w);
}

static CORO_FN enum rc write_tellers(struct row_writer *w, uint64_t scale)
{
    enum rc rc = rows_begin(w, &tellers);

    for (uint64_t i = 0; !rc && i < scale * TELLERS; i++) {
        const struct value row[] = {
            v_int((int64_t)i + 1), v_int((int64_t)(i / TELLERS) + 1), v_int(0)};

        rc = add_row(w, row);
    }
    return rc ? rc : rows_end(w);
}

static CORO_FN enum rc write_accounts(struct row_writer *w, uint64_t chunk)
{
    const uint64_t n = ACCOUNTS / CHUNKS, first = chunk * n;
    enum rc rc = rows_begin(w, &accounts);

    for (uint64_t i = first; !rc && i < first + n; i++) {
        const struct value row[] = {v_int((int64_t)i + 1),
                                    v_int((int64_t)(i / ACCOUNTS) + 1),
                                    v_int(0), v_text("")};

        rc = add_row(w, row);
    }
    return rc ? rc : rows_end(w);
}

static CORO_FN enum rc write_piece(struct row_writer *w, struct dataset *ds,
                                   size_t piece)
{
    enum rc rc;

    if (piece > 0)
        return write_accounts(w, piece - 1);
    rc = write_branches(w, ds->scale);
    return rc ? rc : write_tellers(w, ds->scale);
}

enum rc pgb_load_piece(struct dataset *ds, size_t phase, size_t piece,
                       struct conn *c, struct load_tally *tally,
                       struct err *err)
{
    struct row_writer w = {.conn = c, .tally = tally, .err = err};
    enum rc rc;

    (void)phase;
    w.cells = MEM_ARRAY(struct value, BATCH_ROWS * COLUMNS_MAX);
    if (!w.cells)
        return err_set(err, RC_NOMEM, "no memory to make rows");
    rc = rows_write_piece(&w, ds, piece, write_piece);
    mem_free(w.cells);
    return rc;
}

enum rc pgb_load_end(struct dataset *ds, struct conn *c, struct err *err)
{
    enum rc rc;

    if (db_can(ds->db, DRIVER_DISCARDS))
        return RC_OK;
    rc = marker_script(c, FOLDER, "indexes", NULL, NULL, err);
    return rc ? rc : marker_set_complete(c, MARKER, true, err);
}

enum rc pgb_drop(struct dataset *ds, struct conn *c, struct err *err)
{
    struct marker marker;
    const char *first;
    bool found;
    size_t n;
    enum rc rc;

    if (db_can(ds->db, DRIVER_DISCARDS))
        return RC_OK;
    rc = marker_find(c, MARKER, &found, &marker, err);
    if (!rc)
        rc = find_tables(c, &n, &first, err);
    if (rc)
        return rc;
    if (!found && n > 0)
        return err_set(err, RC_INVALID,
                       "table '%s' was not created by dyno: remove it yourself",
                       first);
    if (!found)
        return err_set(err, RC_NOT_FOUND, "there is no data to drop");
    /* Should this be interrupted, what is left must not look complete. */
    rc = marker_set_complete(c, MARKER, false, err);
    if (!rc)
        rc = marker_script(c, FOLDER, "drop", NULL, NULL, err);
    return rc ? rc : marker_drop(c, MARKER, err);
}

/* ---- around a run ---- */

enum rc pgb_read_sums(struct dataset *ds, struct conn *c, struct pgb_sums *out,
                      struct err *err)
{
    int64_t sums[4];
    const enum rc rc = ask(ds, c, "sums", sums, ARRAY_LEN(sums), err);

    if (!rc)
        *out = (struct pgb_sums){sums[0], sums[1], sums[2], sums[3]};
    return rc;
}
