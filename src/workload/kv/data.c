/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "workload/kv/kv.h"
#include "workload/marker.h"

#include <stdio.h>

#define FOLDER "kv"
#define MARKER "dyno_kv"
#define TABLE "kv"

enum {
    CHUNK_ROWS = 10000,
    BATCH_ROWS = 200,
};

static const struct column columns[] = {
    {"k", VALUE_INT},   {"f0", VALUE_TEXT}, {"f1", VALUE_TEXT},
    {"f2", VALUE_TEXT}, {"f3", VALUE_TEXT}, {"f4", VALUE_TEXT},
    {"f5", VALUE_TEXT}, {"f6", VALUE_TEXT}, {"f7", VALUE_TEXT},
    {"f8", VALUE_TEXT}, {"f9", VALUE_TEXT},
};

_Static_assert(ARRAY_LEN(columns) == KV_FIELDS + 1, "the key and its fields");

static const struct table_def table = {TABLE, columns, ARRAY_LEN(columns)};

enum rc kv_ask(struct dataset *ds, struct conn *c, const char *name,
               const struct value *args, int64_t *out, struct err *err)
{
    struct step *step = ARENA_NEW(&ds->arena, struct step);
    struct rowset rows;
    enum rc rc;

    if (!step)
        return err_set(err, RC_NOMEM, "out of memory");
    rc = step_load(&ds->arena, FOLDER, c->driver, name, step, err);
    if (!rc)
        rc = conn_query(c, step, args, step->n_params, &rows, err);
    if (!rc && rows.n_rows != 1)
        rc = err_set(err, RC_INVALID, "%s: no row", name);
    if (!rc)
        *out = rowset_at(&rows, 0, 0)->i;
    return rc;
}

/* ---- what is there ---- */

static CORO_FN enum rc find(struct conn *c, bool *out_marked, bool *out_table,
                            struct marker *out, struct err *err)
{
    const enum rc rc = marker_find(c, MARKER, out_marked, out, err);

    return rc ? rc : conn_has_table(c, TABLE, out_table, err);
}

enum rc kv_inspect(struct dataset *ds, struct conn *c, struct data_info *out,
                   struct err *err)
{
    struct marker marker;
    bool marked, found;
    enum rc rc;

    *out = (struct data_info){.status = DATA_LOADED,
                              .scale = ds->scale ? ds->scale : 1,
                              .seed = ds->seed};
    if (db_can(ds->db, DRIVER_DISCARDS))
        return RC_OK;
    rc = find(c, &marked, &found, &marker, err);
    if (rc)
        return rc;
    out->scale = marker.scale;
    out->seed = marker.seed;
    if (!marked)
        out->status = found ? DATA_FOREIGN : DATA_ABSENT;
    else if (!marker.complete || !found)
        out->status = DATA_PARTIAL;
    snprintf(out->detail, sizeof(out->detail), "table '%s' %s", TABLE,
             marked ? "is not complete" : "exists and was not created by dyno");
    return RC_OK;
}

/* ---- loading ---- */

uint64_t kv_n_rows(const struct dataset *ds)
{
    return ds->scale;
}

bool kv_load_phase(const struct dataset *ds, size_t phase,
                   struct load_phase *out)
{
    *out = (struct load_phase){
        .name = "rows",
        .n_pieces = (size_t)((ds->scale + CHUNK_ROWS - 1) / CHUNK_ROWS),
        .makes_rows = true,
    };
    return phase == 0;
}

enum rc kv_load_begin(struct dataset *ds, struct conn *c, size_t n_streams,
                      struct err *err)
{
    struct marker marker;
    bool marked, found;
    enum rc rc;

    (void)n_streams;
    if (ds->verify)
        return marker_no_verify(ds, c, err);
    if (db_can(ds->db, DRIVER_DISCARDS))
        return RC_OK;
    rc = find(c, &marked, &found, &marker, err);
    if (!rc && (marked || found))
        rc = err_set(err, RC_INVALID, "table '%s' exists already",
                     found ? TABLE : MARKER);
    if (!rc)
        rc = marker_check(c, FOLDER, err);
    if (!rc)
        rc = marker_make(c, MARKER, ds->scale, ds->seed, err);
    return rc ? rc : marker_script(c, FOLDER, "schema", NULL, NULL, err);
}

/* A batch of rows, made in the same room each time. */
struct batch {
    struct row_writer writer; /* first member */
    char *text;
    size_t field_bytes;
    struct rng rng;
};

/* Rows first to last, at most BATCH_ROWS. */
static CORO_FN enum rc write_rows(struct batch *b, uint64_t first,
                                  uint64_t last)
{
    const size_t n = (size_t)(last - first + 1), bytes = b->field_bytes;

    kv_fill(&b->rng, b->text, n * KV_FIELDS * bytes);
    for (size_t i = 0; i < n; i++) {
        struct value *row = &b->writer.cells[i * table.n_cols];

        row[0] = v_int((int64_t)(first + i));
        for (size_t k = 0; k < KV_FIELDS; k++)
            row[k + 1] = v_textn(b->text + (i * KV_FIELDS + k) * bytes, bytes);
    }
    b->writer.n = n;
    return rows_flush(&b->writer);
}

static CORO_FN enum rc write_piece(struct row_writer *w, struct dataset *ds,
                                   size_t piece)
{
    struct batch *b = CONTAINER_OF(w, struct batch, writer);
    const uint64_t first = (uint64_t)piece * CHUNK_ROWS + 1;
    const uint64_t behind = first + CHUNK_ROWS;
    const uint64_t end = behind <= ds->scale ? behind : ds->scale + 1;
    enum rc rc = rows_begin(w, &table);

    rng_init(&b->rng, ds->data_seed, piece, RNG_DATA);
    for (uint64_t k = first; k < end && !rc; k += BATCH_ROWS)
        rc = write_rows(b, k,
                        k + BATCH_ROWS < end ? k + BATCH_ROWS - 1 : end - 1);
    return rc ? rc : rows_end(w);
}

enum rc kv_load_piece(struct dataset *ds, size_t phase, size_t piece,
                      struct conn *c, struct load_tally *tally, struct err *err)
{
    struct batch b = {
        .writer = {.conn = c, .tally = tally, .err = err},
        .field_bytes = (size_t)kv_cfg(ds)->field_bytes,
    };
    enum rc rc;

    (void)phase;
    b.writer.cells = MEM_ARRAY(struct value, BATCH_ROWS * table.n_cols);
    b.text = mem_calloc(BATCH_ROWS * KV_FIELDS, b.field_bytes);
    if (!b.writer.cells || !b.text)
        rc = err_set(err, RC_NOMEM, "no memory to make rows");
    else
        rc = rows_write_piece(&b.writer, ds, piece, write_piece);
    mem_free(b.writer.cells);
    mem_free(b.text);
    return rc;
}

enum rc kv_load_end(struct dataset *ds, struct conn *c, struct err *err)
{
    if (db_can(ds->db, DRIVER_DISCARDS))
        return RC_OK;
    return marker_set_complete(c, MARKER, true, err);
}

enum rc kv_drop(struct dataset *ds, struct conn *c, struct err *err)
{
    struct marker marker;
    bool marked, found;
    enum rc rc;

    if (db_can(ds->db, DRIVER_DISCARDS))
        return RC_OK;
    rc = find(c, &marked, &found, &marker, err);
    if (rc)
        return rc;
    if (!marked && found)
        return err_set(err, RC_INVALID,
                       "table '%s' was not created by dyno: remove it yourself",
                       TABLE);
    if (!marked)
        return err_set(err, RC_NOT_FOUND, "there is no data to drop");
    rc = marker_set_complete(c, MARKER, false, err);
    if (!rc && found)
        rc = marker_script(c, FOLDER, "drop", NULL, NULL, err);
    return rc ? rc : marker_drop(c, MARKER, err);
}

/* ---- checking ---- */

enum rc kv_audit(struct dataset *ds, struct conn *c, struct audit *audit,
                 struct err *err)
{
    const struct value last = v_int((int64_t)ds->scale);
    struct audit_check *check =
        audit_add(audit, "records", "the records loaded are all there");
    int64_t n;
    const enum rc rc = kv_ask(ds, c, "count", &last, &n, err);

    if (rc)
        return rc;
    audit_expect(check, n == (int64_t)ds->scale,
                 "%lld of %llu records are there", (long long)n,
                 (unsigned long long)ds->scale);
    return RC_OK;
}
