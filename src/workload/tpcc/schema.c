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

static CORO_FN enum rc run_script(struct dataset *ds, struct conn *c,
                                  const char *name, struct err *err)
{
    return script_run_marks(ds, c, name, NULL, 0, err);
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
    out->lost = meta->complete || meta->dropping || !meta->warehouses;
    if (meta->dropping) {
        snprintf(out->detail, sizeof(out->detail), "tables were being removed");
        return;
    }
    if (!meta->warehouses) {
        snprintf(out->detail, sizeof(out->detail),
                 "unlogged tables, empty since a crash of the server");
        return;
    }
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

typedef enum rc dataset_fn(struct dataset *ds, struct conn *c, struct err *err);

/* All of it or, when it fails or is not meant, nothing. */
static CORO_FN enum rc in_transaction(struct dataset *ds, struct conn *c,
                                      dataset_fn *fn, bool meant,
                                      struct err *err)
{
    enum rc rc = conn_begin(c, TXN_WRITE);

    if (rc) {
        conn_error(c, err);
        return rc;
    }
    coro_assert_inside();
    rc = fn(ds, c, err);
    if (!rc && meant) {
        rc = conn_commit(c);
        if (rc)
            conn_error(c, err);
    }
    if ((rc || !meant) && conn_rollback(c))
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
    rc = in_transaction(ds, c, schema_make, true, err);
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
    return rc ? rc : tpcc_check_loaded(ds, c, err);
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

static CORO_FN enum rc drop_all(struct dataset *ds, struct conn *c,
                                struct err *err)
{
    /* Should this be interrupted, what is left must not look complete. */
    enum rc rc = meta_set(ds, c, "state", "dropping", err);

    if (!rc)
        rc = run_script(ds, c, "drop", err);
    if (!rc)
        rc = run_script(ds, c, "meta_drop", err);
    return rc;
}

/* With many partitions a transaction would take more locks than there are. */
static bool drops_at_once(const struct dataset *ds)
{
    return db_can(ds->db, DRIVER_DDL_ROLLS_BACK) &&
           tpcc_of(ds)->meta.layout.partitions == 0;
}

static CORO_FN enum rc replace_all(struct dataset *ds, struct conn *c,
                                   struct err *err)
{
    struct tpcc_meta *meta = &tpcc_of(ds)->meta;
    enum rc rc = drop_all(ds, c, err);

    if (rc)
        return rc;
    meta_imagine(ds, meta);
    rc = layout_choose(ds, 1, &meta->layout, err);
    return rc ? rc : schema_make(ds, c, err);
}

/* Whatever is in the way of new tables, or of dropping those that are there,
 * is found while they are still there: views of others, rights, options. */
static CORO_FN enum rc rehearse(struct dataset *ds, struct conn *c,
                                struct err *err)
{
    struct tpcc *t = tpcc_of(ds);
    const struct tpcc_meta there = t->meta;
    const enum rc rc = in_transaction(ds, c, replace_all, false, err);

    t->meta = there;
    if (rc)
        err_prefix(err, "the data cannot be replaced, and stays");
    return rc;
}

CORO_FN enum rc tpcc_load_probe(struct dataset *ds, struct conn *c,
                                struct err *err)
{
    const char *partitions = tpcc_cfg(ds)->partitions;
    const bool cut = partitions && strcmp(partitions, "off") != 0;
    struct found found;
    enum rc rc;

    if (db_can(ds->db, DRIVER_FILES))
        return RC_OK;
    rc = schema_use_storage(ds, c, err);
    if (!rc)
        rc = find_tables(c, &found, err);
    if (!rc && found.meta && !cut && drops_at_once(ds))
        rc = rehearse(ds, c, err);
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
    if (drops_at_once(ds))
        return in_transaction(ds, c, drop_all, true, err);
    return drop_all(ds, c, err);
}
