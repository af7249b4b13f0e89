/* SPDX-License-Identifier: MIT */
/* Makes the tables, as the options of a load want them. */
#include "workload/tpcc/load_plan.h"
#include "workload/tpcc/meta.h"
#include "workload/tpcc/scripts.h"
#include "workload/tpcc/tpcc.h"

#include <stdio.h>

/* In scripts: where --table-options and --storage go. */
#define OPTIONS_MARK "/* table options */"
#define STORAGE_MARK "/* storage */"
/* Where --unlogged goes: for tables that are never cut into partitions, and
 * for those that may be. */
#define UNLOGGED_MARK "/* unlogged */"
#define LEAF_MARK "/* unlogged unless partitioned */"
#define MARK_MAX 80

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
             !script_find(ds, "partition_range") &&
             !script_find(ds, "cut_range"))
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

CORO_FN enum rc schema_use_storage(struct dataset *ds, struct conn *c,
                                   struct err *err)
{
    const struct tpcc_cfg *cfg = tpcc_cfg(ds);
    const struct script_mark storage = {STORAGE_MARK, cfg->storage};

    return cfg->storage ? script_run(ds, c, "storage", &storage, err) : RC_OK;
}

/* The tables, empty and without keys that can wait. */
static CORO_FN enum rc make_tables(struct dataset *ds, struct conn *c,
                                   struct err *err)
{
    const struct tpcc_cfg *cfg = tpcc_cfg(ds);
    const char *options = cfg->table_options ? cfg->table_options : "";
    struct table_marks marks;
    enum rc rc = schema_use_storage(ds, c, err);

    make_marks(&tpcc_of(ds)->meta.layout, options, &marks);
    if (!rc)
        rc = script_run_marks(ds, c, "schema", marks.marks, marks.n, err);
    if (!rc)
        rc = partitions_make(ds, c, options, err);
    return rc;
}

CORO_FN enum rc schema_make(struct dataset *ds, struct conn *c, struct err *err)
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
