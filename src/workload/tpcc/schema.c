/* SPDX-License-Identifier: MIT */
/*
 * Which tables there are and whose they are.  The table dyno_tpcc is made
 * before any other and dropped last, so data without it is not dyno's.
 */
#include "base/parse.h"
#include "driver/bulk.h"
#include "workload/tpcc/generate.h"
#include "workload/tpcc/load_plan.h"
#include "workload/tpcc/scripts.h"
#include "workload/tpcc/tpcc.h"

#include <inttypes.h>
#include <stdio.h>

/* Of what is stored; raised when older programs would misread it. */
#define META_FORMAT 1
#define META_TABLE "dyno_tpcc"

/* In scripts: where --table-options and --storage go. */
#define OPTIONS_MARK "/* table options */"
#define STORAGE_MARK "/* storage */"
/* Where --unlogged goes: for tables that are never cut into partitions, and
 * for those that may be. */
#define UNLOGGED_MARK "/* unlogged */"
#define LEAF_MARK "/* unlogged unless partitioned */"
#define MARK_MAX 80

static CORO_FN enum rc run_script(struct dataset *ds, struct conn *c,
                                  const char *name, struct err *err)
{
    const struct script_mark none = {OPTIONS_MARK, ""};

    return script_run(ds, c, name, &none, err);
}

enum rc tpcc_check_switches(const struct dataset *ds, struct err *err)
{
    const struct tpcc_cfg *cfg = tpcc_cfg(ds);
    const struct asset *schema = script_find(ds, "schema");
    const char *option = NULL;

    if (cfg->foreign_keys && !script_find(ds, "foreign_keys"))
        option = "foreign-keys";
    else if (cfg->storage && !script_find(ds, "storage"))
        option = "storage";
    else if (cfg->unlogged && (!schema || !strstr(schema->data, UNLOGGED_MARK)))
        option = "unlogged";
    else if (cfg->partitions && strcmp(cfg->partitions, "off") != 0 &&
             !script_find(ds, "partition_range"))
        option = "partitions";
    else if (cfg->table_options &&
             (!schema || !strstr(schema->data, OPTIONS_MARK)))
        option = "table-options";
    if (!option)
        return RC_OK;
    return err_set(err, RC_USAGE, "--%s is not available on %s", option,
                   ds->db->driver->name);
}

/* Behind each large table: how it is cut, or its options. */
struct table_marks {
    struct script_mark marks[TPCC_N_TABLES + 3];
    char names[TPCC_N_TABLES][MARK_MAX], texts[TPCC_N_TABLES][MARK_MAX];
    size_t n;
};

static void make_marks(const struct tpcc_layout *l, const char *options,
                       struct table_marks *m)
{
    const char *unlogged = l->unlogged ? "UNLOGGED" : "";
    const bool cut = l->partitions > 0;

    m->n = 0;
    for (enum tpcc_table t = 0; t < TPCC_N_TABLES; t++) {
        if (!plan_is_large(t))
            continue;
        snprintf(m->names[t], MARK_MAX, "/* partitions by %s, or options */",
                 partition_column(t));
        snprintf(m->texts[t], MARK_MAX, "PARTITION BY %s (%s)",
                 l->partition_by == TPCC_PARTITION_HASH ? "HASH" : "RANGE",
                 partition_column(t));
        m->marks[m->n++] =
            (struct script_mark){m->names[t], cut ? m->texts[t] : options};
    }
    m->marks[m->n++] = (struct script_mark){OPTIONS_MARK, options};
    m->marks[m->n++] = (struct script_mark){UNLOGGED_MARK, unlogged};
    m->marks[m->n++] = (struct script_mark){LEAF_MARK, cut ? "" : unlogged};
}

/* The tables, empty and without keys that can wait. */
static CORO_FN enum rc make_tables(struct dataset *ds, struct conn *c,
                                   struct err *err)
{
    const struct tpcc_cfg *cfg = tpcc_cfg(ds);
    const struct script_mark storage = {STORAGE_MARK, cfg->storage};
    const char *options = cfg->table_options ? cfg->table_options : "";
    struct table_marks marks;
    enum rc rc = RC_OK;

    make_marks(&tpcc_of(ds)->meta.layout, options, &marks);
    if (cfg->storage)
        rc = script_run(ds, c, "storage", &storage, err);
    if (!rc)
        rc = script_run_marks(ds, c, "schema", marks.marks, marks.n, err);
    if (!rc)
        rc = partitions_make(ds, c, options, err);
    return rc;
}

/* What has_table finds. */
struct found {
    bool meta;
    const char *table;   /* the first of the nine that exists, or NULL */
    const char *missing; /* the first that does not */
};

static CORO_FN enum rc find_tables(struct conn *c, struct found *out,
                                   struct err *err)
{
    enum rc rc;

    *out = (struct found){0};
    rc = conn_has_table(c, META_TABLE, &out->meta, err);
    for (size_t i = 0; !rc && i < TPCC_N_TABLES; i++) {
        const char *name = tpcc_tables[i].name;
        bool exists = false;

        rc = conn_has_table(c, name, &exists, err);
        if (exists && !out->table)
            out->table = name;
        if (!exists && !out->missing)
            out->missing = name;
    }
    return rc;
}

static void foreign_text(const struct found *f, char *out, size_t out_len)
{
    snprintf(out, out_len, "table '%s' exists and was not created by dyno",
             f->table);
}

static CORO_FN enum rc meta_set(struct dataset *ds, struct conn *c,
                                const char *name, const char *value,
                                struct err *err)
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

static CORO_FN enum rc meta_write(struct dataset *ds, struct conn *c,
                                  const struct tpcc_meta *meta, struct err *err)
{
    struct meta_pair pairs[META_PAIRS];
    enum rc rc = RC_OK;

    meta_list(ds, meta, pairs);
    for (size_t i = 0; !rc && i < META_PAIRS; i++)
        rc = meta_set(ds, c, pairs[i].name, pair_text(&pairs[i]), err);
    return rc;
}

/* Where they are a file. */
static CORO_FN enum rc meta_write_file(struct dataset *ds, struct conn *c,
                                       const struct tpcc_meta *meta,
                                       struct err *err)
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
        rc = conn_bulk_rows(c, cells, META_PAIRS, err);
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

/* What is read one by one. */
struct meta_reader {
    struct tpcc_meta *meta;
    uint64_t format, load_time_us;
};

static enum rc meta_take(struct meta_reader *r, const struct value *row,
                         struct err *err)
{
    char name[32], value[32];
    uint64_t *number;
    enum rc rc = RC_OK;

    snprintf(name, sizeof(name), "%.*s", (int)row[0].len, row[0].s);
    snprintf(value, sizeof(value), "%.*s", (int)row[1].len, row[1].s);
    number = meta_number(r->meta, &r->format, &r->load_time_us, name);
    if (number)
        rc = parse_u64(value, number, err);
    else
        meta_text(r->meta, name, value);
    if (rc)
        err_prefix(err, META_TABLE ": %s", name);
    return rc;
}

static enum rc meta_check(struct meta_reader *r, struct err *err)
{
    struct tpcc_meta *meta = r->meta;

    if (r->format > META_FORMAT) {
        return err_set(err, RC_UNSUPPORTED,
                       "the data was loaded by a newer dyno (format %" PRIu64
                       ", this one knows format %d)",
                       r->format, META_FORMAT);
    }
    if (meta->complete && (r->format == 0 || meta->warehouses == 0)) {
        return err_set(err, RC_INVALID,
                       META_TABLE " does not say what is loaded");
    }
    meta->load_time_us = (int64_t)r->load_time_us;
    return RC_OK;
}

static enum rc meta_parse(const struct rowset *rows, struct tpcc_meta *out,
                          struct err *err)
{
    struct meta_reader r = {.meta = out};
    enum rc rc = RC_OK;

    *out = (struct tpcc_meta){0};
    for (size_t i = 0; !rc && i < rows->n_rows; i++)
        rc = meta_take(&r, rowset_at(rows, i, 0), err);
    return rc ? rc : meta_check(&r, err);
}

static CORO_FN enum rc meta_read_file(struct conn *c, struct tpcc_meta *out,
                                      struct err *err)
{
    const struct step step = {
        .name = META_TABLE,
        .cols = tpcc_meta_table.cols,
        .n_cols = tpcc_meta_table.n_cols,
    };
    struct meta_reader r = {.meta = out};
    const struct value *row = NULL;
    struct scan *scan = NULL;
    enum rc rc = scan_open(c, &step, NULL, 0, &scan, err);

    *out = (struct tpcc_meta){0};
    while (!rc && !(rc = scan_next(scan, &row, err)) && row)
        rc = meta_take(&r, row, err);
    scan_close(scan);
    return rc ? rc : meta_check(&r, err);
}

/* A target that keeps nothing has whatever is asked of it. */
static void meta_imagine(struct dataset *ds, struct tpcc_meta *out)
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

static void judge(const struct found *f, const struct tpcc_meta *meta,
                  struct data_info *out)
{
    out->scale = meta->warehouses;
    out->seed = meta->seed;
    if (meta->complete && !f->missing) {
        out->status = DATA_LOADED;
        return;
    }
    out->status = DATA_PARTIAL;
    if (meta->complete) {
        snprintf(out->detail, sizeof(out->detail), "table '%s' is missing",
                 f->missing);
        return;
    }
    snprintf(out->detail, sizeof(out->detail), "%" PRIu64 " %s, seed %" PRIu64,
             meta->warehouses,
             meta->warehouses == 1 ? "warehouse" : "warehouses", meta->seed);
}

CORO_FN enum rc tpcc_inspect(struct dataset *ds, struct conn *c,
                             struct data_info *out, struct err *err)
{
    struct tpcc_meta meta;
    struct found found = {.meta = true};
    enum rc rc;

    *out = (struct data_info){.status = DATA_ABSENT};
    if (!db_can(ds->db, DRIVER_DISCARDS)) {
        rc = find_tables(c, &found, err);
        if (rc)
            return rc;
    }
    if (!found.meta) {
        if (found.table) {
            out->status = DATA_FOREIGN;
            foreign_text(&found, out->detail, sizeof(out->detail));
        }
        return RC_OK;
    }
    rc = tpcc_meta_read(ds, c, &meta, err);
    if (rc)
        return rc;
    tpcc_of(ds)->meta = meta;
    judge(&found, &meta, out);
    return RC_OK;
}

/* What a load starts with.  In one transaction: a half-written set of
 * constants, or tables without them, are never seen. */
static CORO_FN enum rc make_all(struct dataset *ds, struct conn *c,
                                struct err *err)
{
    const struct tpcc_meta *meta = &tpcc_of(ds)->meta;
    const struct script_mark unlogged = {
        UNLOGGED_MARK, meta->layout.unlogged ? "UNLOGGED" : ""};
    enum rc rc = script_run(ds, c, "meta_create", &unlogged, err);

    if (!rc)
        rc = meta_write(ds, c, meta, err);
    if (!rc)
        rc = make_tables(ds, c, err);
    return rc;
}

static CORO_FN enum rc make_all_or_nothing(struct dataset *ds, struct conn *c,
                                           struct err *err)
{
    enum rc rc;

    rc = conn_begin(c, TXN_WRITE);
    if (rc) {
        conn_error(c, err);
        return rc;
    }
    rc = make_all(ds, c, err);
    if (!rc) {
        rc = conn_commit(c);
        if (rc)
            conn_error(c, err);
    }
    if (rc && conn_rollback(c))
        err_prefix(err, "not rolled back");
    return rc;
}

CORO_FN enum rc tpcc_load_begin(struct dataset *ds, struct conn *c,
                                size_t n_streams, struct err *err)
{
    struct tpcc_meta *meta = &tpcc_of(ds)->meta;
    struct found found;
    enum rc rc;

    ds->data_seed = ds->seed;
    meta_imagine(ds, meta);
    meta->runs = 0;
    rc = plan_layout(ds, n_streams, &meta->layout, err);
    if (rc)
        return rc;
    if (db_can(ds->db, DRIVER_DISCARDS))
        return plan_begin(ds, c, err);
    meta->complete = false;
    if (db_can(ds->db, DRIVER_FILES)) {
        rc = conn_check_empty(c, err);
        return rc ? rc : plan_begin(ds, c, err);
    }
    rc = find_tables(c, &found, err);
    if (rc)
        return rc;
    if (found.meta || found.table) {
        return err_set(err, RC_INVALID, "table '%s' exists already",
                       found.table ? found.table : META_TABLE);
    }
    rc = make_all_or_nothing(ds, c, err);
    return rc ? rc : plan_begin(ds, c, err);
}

CORO_FN enum rc tpcc_check_resume(struct dataset *ds, struct conn *c,
                                  struct err *err)
{
    const struct tpcc_meta *meta = &tpcc_of(ds)->meta;
    struct found found;
    enum rc rc;

    if (!script_find(ds, "load_read"))
        return err_set(err, RC_UNSUPPORTED,
                       "--continue: loads on %s cannot go on; start again "
                       "with --replace",
                       ds->db->driver->name);
    if (meta->warehouses == 0)
        return err_set(err, RC_INVALID,
                       "--continue: " META_TABLE " is empty, as unlogged "
                       "tables are after a crash of the server; start again "
                       "with --replace");
    if (meta->complete || meta->dropping)
        return err_set(err, RC_INVALID,
                       "--continue: tables have been removed; start again "
                       "with --replace");
    rc = find_tables(c, &found, err);
    if (!rc && found.missing)
        rc = err_set(err, RC_INVALID,
                     "--continue: table '%s' is missing; start again with "
                     "--replace",
                     found.missing);
    ds->data_seed = meta->seed;
    ds->scale = meta->warehouses;
    return rc;
}

CORO_FN enum rc tpcc_load_end(struct dataset *ds, struct conn *c,
                              struct err *err)
{
    struct tpcc_meta *meta = &tpcc_of(ds)->meta;
    enum rc rc = RC_OK;

    meta->complete = true;
    if (db_can(ds->db, DRIVER_FILES)) {
        rc = export_scripts(c, err);
        return rc ? rc : meta_write_file(ds, c, meta, err);
    }
    if (!db_can(ds->db, DRIVER_DISCARDS)) {
        rc = meta_set(ds, c, "state", "complete", err);
        if (!rc && script_find(ds, "load_drop"))
            rc = run_script(ds, c, "load_drop", err);
    }
    return rc;
}

CORO_FN enum rc tpcc_drop(struct dataset *ds, struct conn *c, struct err *err)
{
    struct found found;
    char text[128];
    enum rc rc;

    if (db_can(ds->db, DRIVER_DISCARDS))
        return RC_OK;
    if (db_can(ds->db, DRIVER_FILES))
        return err_set(err, RC_UNSUPPORTED,
                       "files are not dropped; remove the folder yourself");
    rc = find_tables(c, &found, err);
    if (rc)
        return rc;
    if (!found.meta && found.table) {
        foreign_text(&found, text, sizeof(text));
        return err_set(err, RC_INVALID, "%s", text);
    }
    if (!found.meta)
        return err_set(err, RC_NOT_FOUND, "there is no TPC-C data to drop");
    /* Should this be interrupted, what is left must not look complete. */
    rc = meta_set(ds, c, "state", "dropping", err);
    if (!rc)
        rc = run_script(ds, c, "drop", err);
    if (!rc)
        rc = run_script(ds, c, "meta_drop", err);
    return rc;
}
