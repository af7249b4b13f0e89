/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/meta.h"

#include "base/parse.h"
#include "driver/bulk.h"
#include "workload/tpcc/generate.h"
#include "workload/tpcc/load_plan.h"
#include "workload/tpcc/scripts.h"

#include <inttypes.h>
#include <stdio.h>

/* Of what is stored; raised when older programs would misread it. */
#define META_FORMAT 1

CORO_FN enum rc meta_set(struct dataset *ds, struct conn *c, const char *name,
                         const char *value, struct err *err)
{
    const struct value args[] = {v_text(name), v_text(value)};

    return script_step(ds, c, "meta_set", args, NULL, err);
}

/* A constant as it is stored. */
struct meta_pair {
    const char *name;
    char number[32];  /* of those that are numbers */
    const char *text; /* NULL: number */
};

enum { META_PAIRS = 14 };

static void meta_list(const struct dataset *ds, const struct tpcc_meta *meta,
                      struct meta_pair out[META_PAIRS])
{
    const struct {
        const char *name;
        uint64_t value;
    } numbers[] = {
        {"format", META_FORMAT},
        {"warehouses", meta->warehouses},
        {"seed", meta->seed},
        {"c_load", meta->c_load},
        {"load_time_us", (uint64_t)meta->load_time_us},
        {"runs", meta->runs},
        {"load_by", meta->layout.load_by},
        {"partitions", meta->layout.partitions},
        {"partition_by", meta->layout.partition_by},
    };
    const struct tpcc_cfg *cfg = tpcc_cfg(ds);
    const struct {
        const char *name, *value;
    } texts[] = {
        {"state", meta->complete ? "complete" : "loading"},
        {"foreign_keys", meta->layout.foreign_keys ? "on" : "off"},
        {"unlogged", meta->layout.unlogged ? "on" : "off"},
        {"storage", cfg->storage ? cfg->storage : ""},
        {"table_options", cfg->table_options ? cfg->table_options : ""},
    };
    size_t n = 0;

    _Static_assert(ARRAY_LEN(numbers) + ARRAY_LEN(texts) == META_PAIRS,
                   "all of them fit");
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        out[n++] =
            (struct meta_pair){.name = texts[i].name, .text = texts[i].value};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        out[n].name = numbers[i].name;
        out[n].text = NULL;
        snprintf(out[n].number, sizeof(out[n].number), "%" PRIu64,
                 numbers[i].value);
        n++;
    }
}

static const char *pair_text(const struct meta_pair *pair)
{
    return pair->text ? pair->text : pair->number;
}

CORO_FN enum rc meta_write(struct dataset *ds, struct conn *c,
                           const struct tpcc_meta *meta, struct err *err)
{
    struct meta_pair pairs[META_PAIRS];
    enum rc rc = RC_OK;

    meta_list(ds, meta, pairs);
    for (size_t i = 0; !rc && i < META_PAIRS; i++)
        rc = meta_set(ds, c, pairs[i].name, pair_text(&pairs[i]), err);
    return rc;
}

CORO_FN enum rc meta_write_file(struct dataset *ds, struct conn *c,
                                const struct tpcc_meta *meta, struct err *err)
{
    struct meta_pair pairs[META_PAIRS];
    struct value cells[2 * META_PAIRS];
    enum rc rc;

    meta_list(ds, meta, pairs);
    for (size_t i = 0; i < META_PAIRS; i++) {
        cells[2 * i] = v_text(pairs[i].name);
        cells[2 * i + 1] = v_text(pair_text(&pairs[i]));
    }
    rc = conn_begin(c, TXN_BULK);
    if (rc)
        return rc;
    rc = conn_bulk_begin(c, &tpcc_meta_table, BULK_FRESH, err);
    if (!rc)
        rc = conn_bulk_rows(c, &tpcc_meta_table, cells, META_PAIRS, err);
    if (!rc)
        rc = conn_bulk_end(c, err);
    if (rc)
        return conn_rollback(c) ? RC_DB_GONE : rc;
    return conn_commit(c);
}

/* The number in meta that has this name, NULL when there is none. */
static uint64_t *meta_number(struct tpcc_meta *meta, uint64_t *format,
                             uint64_t *load_time_us, const char *name)
{
    const struct {
        const char *name;
        uint64_t *number;
    } numbers[] = {
        {"format", format},
        {"warehouses", &meta->warehouses},
        {"seed", &meta->seed},
        {"c_load", &meta->c_load},
        {"load_time_us", load_time_us},
        {"runs", &meta->runs},
        {"load_by", &meta->layout.load_by},
        {"partitions", &meta->layout.partitions},
        {"partition_by", &meta->layout.partition_by},
    };

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        if (strcmp(numbers[i].name, name) == 0)
            return numbers[i].number;
    }
    return NULL;
}

static void meta_text(struct tpcc_meta *meta, const char *name,
                      const char *value)
{
    if (strcmp(name, "state") == 0) {
        meta->complete = strcmp(value, "complete") == 0;
        meta->dropping = strcmp(value, "dropping") == 0;
    } else if (strcmp(name, "foreign_keys") == 0) {
        meta->layout.foreign_keys = strcmp(value, "on") == 0;
    } else if (strcmp(name, "unlogged") == 0) {
        meta->layout.unlogged = strcmp(value, "on") == 0;
    }
}

/* Read with the rest, and not kept as they are. */
struct meta_numbers {
    uint64_t format, load_time_us;
};

static enum rc meta_take(struct tpcc_meta *meta, struct meta_numbers *numbers,
                         const struct value *row, struct err *err)
{
    char name[32], value[32];
    uint64_t *number;
    enum rc rc = RC_OK;

    snprintf(name, sizeof(name), "%.*s", (int)row[0].len, row[0].s);
    snprintf(value, sizeof(value), "%.*s", (int)row[1].len, row[1].s);
    number = meta_number(meta, &numbers->format, &numbers->load_time_us, name);
    if (number)
        rc = parse_u64(value, number, err);
    else
        meta_text(meta, name, value);
    if (rc)
        err_prefix(err, META_TABLE ": %s", name);
    return rc;
}

static enum rc meta_check(struct tpcc_meta *meta,
                          const struct meta_numbers *numbers, struct err *err)
{
    if (numbers->format > META_FORMAT) {
        return err_set(err, RC_UNSUPPORTED,
                       "the data was loaded by a newer dyno (format %" PRIu64
                       ", this one knows format %d)",
                       numbers->format, META_FORMAT);
    }
    if (meta->complete && (numbers->format == 0 || meta->warehouses == 0)) {
        return err_set(err, RC_INVALID,
                       META_TABLE " does not say what is loaded");
    }
    meta->load_time_us = (int64_t)numbers->load_time_us;
    return RC_OK;
}

static enum rc meta_parse(const struct rowset *rows, struct tpcc_meta *out,
                          struct err *err)
{
    struct meta_numbers numbers = {0};
    enum rc rc = RC_OK;

    *out = (struct tpcc_meta){0};
    for (size_t i = 0; !rc && i < rows->n_rows; i++)
        rc = meta_take(out, &numbers, rowset_at(rows, i, 0), err);
    return rc ? rc : meta_check(out, &numbers, err);
}

static CORO_FN enum rc meta_read_file(struct conn *c, struct tpcc_meta *out,
                                      struct err *err)
{
    const struct step step = {
        .name = META_TABLE,
        .cols = tpcc_meta_table.cols,
        .n_cols = tpcc_meta_table.n_cols,
    };
    struct meta_numbers numbers = {0};
    const struct value *row = NULL;
    struct scan *scan = NULL;
    enum rc rc = scan_open(c, &step, NULL, 0, &scan, err);

    *out = (struct tpcc_meta){0};
    while (!rc && !(rc = scan_next(scan, &row, err)) && row)
        rc = meta_take(out, &numbers, row, err);
    scan_close(scan);
    return rc ? rc : meta_check(out, &numbers, err);
}

void meta_imagine(struct dataset *ds, struct tpcc_meta *out)
{
    *out = (struct tpcc_meta){
        .warehouses = ds->scale ? ds->scale : 1,
        .seed = ds->seed,
        .c_load = gen_c_load(ds->seed),
        .load_time_us = GEN_LOAD_TIME_US,
        .runs = tpcc_of(ds)->meta.runs,
        .complete = true,
    };
}

CORO_FN enum rc tpcc_meta_read(struct dataset *ds, struct conn *c,
                               struct tpcc_meta *out, struct err *err)
{
    struct rowset rows;
    enum rc rc;

    if (db_can(ds->db, DRIVER_DISCARDS)) {
        meta_imagine(ds, out);
        return RC_OK;
    }
    if (db_can(ds->db, DRIVER_FILES))
        return meta_read_file(c, out, err);
    rc = script_step(ds, c, "meta_read", NULL, &rows, err);
    if (rc)
        return rc;
    return meta_parse(&rows, out, err);
}

CORO_FN enum rc tpcc_meta_count_run(struct dataset *ds, struct conn *c,
                                    struct err *err)
{
    enum rc rc = RC_OK;

    if (!db_can(ds->db, DRIVER_DISCARDS))
        rc = script_step(ds, c, "meta_count_run", NULL, NULL, err);
    if (!rc)
        tpcc_of(ds)->meta.runs++;
    return rc;
}
