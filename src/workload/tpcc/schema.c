/* SPDX-License-Identifier: MIT */
/*
 * Which tables there are and whose they are.  The table dyno_tpcc is made
 * before any other and dropped last, so data without it is not dyno's.
 */
#include "base/parse.h"
#include "workload/tpcc/generate.h"
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
    else if (cfg->table_options && schema &&
             !strstr(schema->data, OPTIONS_MARK))
        option = "table-options";
    if (!option)
        return RC_OK;
    return err_set(err, RC_USAGE, "--%s is not available on %s", option,
                   ds->db->driver->name);
}

/* The tables, empty and without keys that can wait. */
static CORO_FN enum rc make_tables(struct dataset *ds, struct conn *c,
                                   struct err *err)
{
    const struct tpcc_cfg *cfg = tpcc_cfg(ds);
    const struct script_mark storage = {STORAGE_MARK, cfg->storage};
    const struct script_mark options = {
        OPTIONS_MARK, cfg->table_options ? cfg->table_options : ""};
    enum rc rc = RC_OK;

    if (cfg->storage)
        rc = script_run(ds, c, "storage", &storage, err);
    if (rc)
        return rc;
    return script_run(ds, c, "schema", &options, err);
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

static CORO_FN enum rc meta_set_u64(struct dataset *ds, struct conn *c,
                                    const char *name, uint64_t value,
                                    struct err *err)
{
    char text[32];

    snprintf(text, sizeof(text), "%" PRIu64, value);
    return meta_set(ds, c, name, text, err);
}

static CORO_FN enum rc meta_write(struct dataset *ds, struct conn *c,
                                  const struct tpcc_meta *meta, struct err *err)
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
    };
    const struct tpcc_cfg *cfg = tpcc_cfg(ds);
    const struct {
        const char *name, *value;
    } texts[] = {
        {"state", meta->complete ? "complete" : "loading"},
        {"foreign_keys", cfg->foreign_keys ? "on" : "off"},
        {"storage", cfg->storage ? cfg->storage : ""},
        {"table_options", cfg->table_options ? cfg->table_options : ""},
    };
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < ARRAY_LEN(texts); i++)
        rc = meta_set(ds, c, texts[i].name, texts[i].value, err);
    for (size_t i = 0; !rc && i < ARRAY_LEN(numbers); i++)
        rc = meta_set_u64(ds, c, numbers[i].name, numbers[i].value, err);
    return rc;
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
    };

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        if (strcmp(numbers[i].name, name) == 0)
            return numbers[i].number;
    }
    return NULL;
}

static enum rc meta_parse(const struct rowset *rows, struct tpcc_meta *out,
                          struct err *err)
{
    uint64_t format = 0, load_time_us = 0;
    enum rc rc = RC_OK;

    *out = (struct tpcc_meta){0};
    for (size_t i = 0; !rc && i < rows->n_rows; i++) {
        const struct value *name = rowset_at(rows, i, 0);
        const struct value *value = rowset_at(rows, i, 1);
        char name_text[32], value_text[32];
        uint64_t *number;

        snprintf(name_text, sizeof(name_text), "%.*s", (int)name->len, name->s);
        snprintf(value_text, sizeof(value_text), "%.*s", (int)value->len,
                 value->s);
        number = meta_number(out, &format, &load_time_us, name_text);
        if (number)
            rc = parse_u64(value_text, number, err);
        else if (strcmp(name_text, "state") == 0)
            out->complete = strcmp(value_text, "complete") == 0;
        if (rc)
            err_prefix(err, META_TABLE ": %s", name_text);
    }
    if (rc)
        return rc;
    if (format > META_FORMAT) {
        return err_set(err, RC_UNSUPPORTED,
                       "the data was loaded by a newer dyno (format %" PRIu64
                       ", this one knows format %d)",
                       format, META_FORMAT);
    }
    if (out->complete && (format == 0 || out->warehouses == 0)) {
        return err_set(err, RC_INVALID,
                       META_TABLE " does not say what is loaded");
    }
    out->load_time_us = (int64_t)load_time_us;
    return RC_OK;
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

/* In one transaction: a half-written set of constants is never seen. */
static CORO_FN enum rc meta_write_new(struct dataset *ds, struct conn *c,
                                      const struct tpcc_meta *meta,
                                      struct err *err)
{
    enum rc rc;

    rc = conn_begin(c, TXN_WRITE);
    if (rc) {
        conn_error(c, err);
        return rc;
    }
    rc = meta_write(ds, c, meta, err);
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
                                struct err *err)
{
    struct tpcc_meta *meta = &tpcc_of(ds)->meta;
    struct found found;
    enum rc rc;

    meta_imagine(ds, meta);
    meta->runs = 0;
    if (db_can(ds->db, DRIVER_DISCARDS))
        return RC_OK;
    meta->complete = false;
    rc = find_tables(c, &found, err);
    if (rc)
        return rc;
    if (found.meta || found.table) {
        return err_set(err, RC_INVALID, "table '%s' exists already",
                       found.table ? found.table : META_TABLE);
    }
    rc = run_script(ds, c, "meta_create", err);
    if (!rc)
        rc = meta_write_new(ds, c, meta, err);
    if (!rc)
        rc = make_tables(ds, c, err);
    return rc;
}

CORO_FN enum rc tpcc_load_end(struct dataset *ds, struct conn *c,
                              struct err *err)
{
    enum rc rc;

    if (!db_can(ds->db, DRIVER_DISCARDS)) {
        rc = run_script(ds, c, "indexes", err);
        if (!rc && tpcc_cfg(ds)->foreign_keys)
            rc = run_script(ds, c, "foreign_keys", err);
        if (!rc)
            rc = meta_set(ds, c, "state", "complete", err);
        if (rc)
            return rc;
    }
    tpcc_of(ds)->meta.complete = true;
    return RC_OK;
}

CORO_FN enum rc tpcc_drop(struct dataset *ds, struct conn *c, struct err *err)
{
    struct found found;
    char text[128];
    enum rc rc;

    if (db_can(ds->db, DRIVER_DISCARDS))
        return RC_OK;
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
