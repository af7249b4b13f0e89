/* SPDX-License-Identifier: MIT */
/*
 * Which tables there are and whose they are.  The table dyno_tpcc is made
 * before any other and dropped last, so data without it is not dyno's.
 */
#include "base/parse.h"
#include "driver/bulk.h"
#include "workload/tpcc/generate.h"
#include "workload/tpcc/load_plan.h"
#include "workload/tpcc/meta.h"
#include "workload/tpcc/scripts.h"
#include "workload/tpcc/tpcc.h"

#include <inttypes.h>
#include <stdio.h>

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
        if (!layout_is_large(t))
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

CORO_FN enum rc tpcc_load_probe(struct dataset *ds, struct conn *c,
                                struct err *err)
{
    const struct tpcc_cfg *cfg = tpcc_cfg(ds);
    const struct script_mark storage = {STORAGE_MARK, cfg->storage};

    if (!cfg->storage)
        return RC_OK;
    return script_run(ds, c, "storage", &storage, err);
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
    rc = layout_choose(ds, n_streams, &meta->layout, err);
    if (rc)
        return rc;
    if (db_can(ds->db, DRIVER_DISCARDS))
        return layout_begin(ds, c, err);
    meta->complete = false;
    if (db_can(ds->db, DRIVER_FILES)) {
        rc = conn_check_empty(c, err);
        return rc ? rc : layout_begin(ds, c, err);
    }
    rc = find_tables(c, &found, err);
    if (rc)
        return rc;
    if (found.meta || found.table) {
        return err_set(err, RC_INVALID, "table '%s' exists already",
                       found.table ? found.table : META_TABLE);
    }
    rc = make_all_or_nothing(ds, c, err);
    return rc ? rc : layout_begin(ds, c, err);
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
