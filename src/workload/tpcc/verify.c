/* SPDX-License-Identifier: MIT */
/*
 * --verify: every value of every row against what the generator makes, by a
 * checksum for each table and warehouse: the sum of the hashes of its rows,
 * so that their order does not matter.
 */
#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "workload/tpcc/gen_batch.h"
#include "workload/tpcc/load_plan.h"

#include <inttypes.h>
#include <stdio.h>

enum { BATCH_ROWS = 200 };

/* One table; indexes are warehouses, 0 for the items. */
struct verify {
    struct dataset *ds;
    enum tpcc_table table;
    size_t w_col;
    uint64_t *want, *have;
    uint64_t n_want, n_have;
};

/* ---- hashes ---- */

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static uint64_t hash_text(uint64_t h, const char *s, size_t len)
{
    uint64_t word;

    for (; len >= sizeof(word); len -= sizeof(word), s += sizeof(word)) {
        memcpy(&word, s, sizeof(word));
        h = mix(h, word);
    }
    word = 0;
    if (len > 0)
        memcpy(&word, s, len);
    return mix(h, word);
}

static uint64_t hash_row(const struct value *row, size_t n_cols)
{
    uint64_t h = n_cols;

    for (size_t i = 0; i < n_cols; i++) {
        const struct value *v = &row[i];

        h = mix(h, (uint64_t)v->type << 32 | v->len);
        if (v->type == VALUE_TEXT)
            h = hash_text(h, v->s, v->len);
        else if (v->type != VALUE_NULL)
            h = mix(h, (uint64_t)v->i);
    }
    return mix(h, h >> 32);
}

/* ---- what it should be ---- */

static size_t warehouse_column(enum tpcc_table table)
{
    static const size_t columns[TPCC_N_TABLES] = {
        [TPCC_WAREHOUSE] = 0,       [TPCC_DISTRICT] = 1,
        [TPCC_STOCK] = 1,           [TPCC_CUSTOMER] = 2,
        [TPCC_HISTORY] = 4,         [TPCC_ORDER_TABLE] = 2,
        [TPCC_NEW_ORDER_TABLE] = 2, [TPCC_ORDER_LINE] = 2,
    };

    return columns[table];
}

static void add_batch(struct verify *v, uint64_t w_id,
                      const struct gen_batch *b)
{
    const size_t n_cols = tpcc_tables[v->table].n_cols;

    for (size_t i = 0; i < b->n_rows; i++)
        v->want[w_id] += hash_row(&b->cells[i * n_cols], n_cols);
    v->n_want += b->n_rows;
}

static enum rc make_rows(struct verify *v, struct load_tally *tally,
                         struct err *err)
{
    const uint64_t first = v->table == TPCC_ITEM ? 0 : 1;
    const uint64_t last = v->table == TPCC_ITEM ? 0 : v->ds->scale;
    struct gen *gen = MEM_NEW(struct gen);
    struct gen_batch b = {0};
    enum rc rc = gen_batch_init(&b, BATCH_ROWS, err);

    if (!rc && !gen)
        rc = err_set(err, RC_NOMEM, "no memory to generate rows");
    for (uint64_t w = first; !rc && w <= last; w++) {
        for (size_t part = 0; part < gen_parts(v->table); part++) {
            gen_init(gen, v->ds->data_seed, v->table, w, part);
            while (gen_batch_fill(&b, gen))
                add_batch(v, w, &b);
        }
        if (load_stopped(tally))
            rc = err_set(err, RC_CANCELLED, "interrupted");
    }
    gen_batch_release(&b);
    mem_free(gen);
    return rc;
}

/* ---- what is there ---- */

static enum rc make_step(const struct verify *v, struct arena *arena,
                         struct step *out, struct err *err)
{
    static const char *const types[] = {
        [VALUE_NULL] = "int",  [VALUE_INT] = "int",   [VALUE_MONEY] = "money",
        [VALUE_RATE] = "rate", [VALUE_TIME] = "time", [VALUE_TEXT] = "text",
        [VALUE_INTS] = "ints",
    };
    const struct table_def *t = &tpcc_tables[v->table];
    struct buf text = BUF_INIT(8192);
    enum rc rc;

    buf_puts(&text, "-- all rows\n-- () -> (");
    for (size_t i = 0; i < t->n_cols; i++)
        buf_printf(&text, "%s%s %s", i > 0 ? ", " : "", t->cols[i].name,
                   types[t->cols[i].type]);
    buf_puts(&text, ")\nSELECT ");
    for (size_t i = 0; i < t->n_cols; i++)
        buf_printf(&text, "%s%s", i > 0 ? ", " : "", t->cols[i].name);
    buf_printf(&text, " FROM %s;\n", t->name);
    if (buf_rc(&text))
        rc = err_set(err, RC_NOMEM, "no memory to read the rows");
    else
        rc = step_parse(arena, t->name, buf_str(&text),
                        v->ds->db->driver->placeholder, out, err);
    buf_release(&text);
    return rc;
}

static enum rc add_row(struct verify *v, const struct value *row,
                       struct err *err)
{
    const struct value *w = &row[v->w_col];
    const uint64_t w_id = v->table == TPCC_ITEM ? 0 : (uint64_t)w->i;

    if (w_id > v->ds->scale || (w_id == 0 && v->table != TPCC_ITEM))
        return err_set(err, RC_INVALID,
                       "table %s has a row of warehouse %" PRIu64,
                       tpcc_tables[v->table].name, w_id);
    v->have[w_id] += hash_row(row, tpcc_tables[v->table].n_cols);
    v->n_have++;
    return RC_OK;
}

static CORO_FN enum rc read_rows(struct verify *v, struct conn *c,
                                 struct load_tally *tally, struct err *err)
{
    struct arena arena = ARENA_INIT(1U << 20);
    struct step step = {0};
    const struct value *row = NULL;
    struct scan *scan = NULL;
    enum rc rc = make_step(v, &arena, &step, err);

    if (!rc)
        rc = scan_open(c, &step, NULL, 0, &scan, err);
    while (!rc && !(rc = scan_next(scan, &row, err)) && row) {
        rc = add_row(v, row, err);
        if (!rc && load_stopped(tally))
            rc = err_set(err, RC_CANCELLED, "interrupted");
    }
    scan_close(scan);
    arena_release(&arena);
    return rc;
}

/* ---- the verdict ---- */

static enum rc compare(const struct verify *v, struct err *err)
{
    const char *name = tpcc_tables[v->table].name;
    uint64_t sum = 0;
    char rows[32];

    for (uint64_t w = 0; w <= v->ds->scale; w++) {
        sum += mix(w, v->have[w]);
        if (v->want[w] == v->have[w])
            continue;
        if (v->table == TPCC_ITEM)
            return err_set(
                err, RC_INVALID,
                "table item is not what seed %" PRIu64 " makes: %" PRIu64
                " rows of %" PRIu64 ", checksum %016" PRIx64 " for %016" PRIx64,
                v->ds->data_seed, v->n_have, v->n_want, v->have[w], v->want[w]);
        return err_set(err, RC_INVALID,
                       "table %s, warehouse %" PRIu64
                       ", is not what seed %" PRIu64
                       " makes: checksum %016" PRIx64 " for %016" PRIx64
                       "; the table has %" PRIu64 " rows of %" PRIu64,
                       name, w, v->ds->data_seed, v->have[w], v->want[w],
                       v->n_have, v->n_want);
    }
    format_count(v->n_have, rows, sizeof(rows));
    log_info("verified %-10s %14s rows, checksum %016" PRIx64, name, rows, sum);
    return RC_OK;
}

CORO_FN enum rc verify_table(struct dataset *ds, struct conn *c,
                             enum tpcc_table table, struct load_tally *tally,
                             struct err *err)
{
    struct verify v = {
        .ds = ds,
        .table = table,
        .w_col = warehouse_column(table),
        .want = MEM_ARRAY(uint64_t, (size_t)ds->scale + 1),
        .have = MEM_ARRAY(uint64_t, (size_t)ds->scale + 1),
    };
    enum rc rc = RC_OK;

    if (!v.want || !v.have)
        rc = err_set(err, RC_NOMEM, "no memory for checksums");
    if (!rc)
        rc = make_rows(&v, tally, err);
    if (!rc && (rc = conn_begin(c, TXN_SNAPSHOT)))
        conn_error(c, err);
    if (!rc)
        rc = read_rows(&v, c, tally, err);
    if (c->in_txn && conn_rollback(c))
        c->gone = true;
    if (!rc)
        rc = compare(&v, err);
    mem_free(v.want);
    mem_free(v.have);
    return rc;
}
