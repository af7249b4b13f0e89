/* SPDX-License-Identifier: MIT */
/*
 * Options of the schema work when data is loaded.  Given for data that is there
 * already, they must say what was loaded, or the report would say what is not.
 */
#include "workload/tpcc/scripts.h"
#include "workload/tpcc/tpcc.h"

#include <stdio.h>

/* An option, and the constant stored with the data that it made. */
static const struct {
    const char *option, *stored;
} switches[] = {
    {"foreign-keys", "foreign_keys"},   {"storage", "storage"},
    {"table-options", "table_options"}, {"unlogged", "unlogged"},
    {"partitions", "partitions"},
};

struct given {
    const char *value[ARRAY_LEN(switches)]; /* NULL: by default */
    const char *partition_by;
};

static void note_given(void *arg, const struct opt *opt, const char *value,
                       const char *source)
{
    struct given *given = arg;

    if (strcmp(opt->name, "partition-by") == 0 &&
        strcmp(source, "default") != 0)
        given->partition_by = value;
    for (size_t i = 0; i < ARRAY_LEN(switches); i++) {
        if (strcmp(opt->name, switches[i].option) == 0 &&
            strcmp(source, "default") != 0)
            given->value[i] = value;
    }
}

/* A number of partitions is stored, and 0 where there are none; "auto" is
 * content with what is there. */
static bool is_same(const char *given, const char *stored)
{
    if (strcmp(given, "auto") == 0 || strcmp(given, stored) == 0)
        return true;
    return strcmp(given, "off") == 0 && strcmp(stored, "0") == 0;
}

static enum rc check_row(const struct given *given, const struct value *name,
                         const struct value *value, struct err *err)
{
    char name_text[64], stored[256];

    snprintf(name_text, sizeof(name_text), "%.*s", (int)name->len, name->s);
    snprintf(stored, sizeof(stored), "%.*s", (int)value->len, value->s);
    for (size_t i = 0; i < ARRAY_LEN(switches); i++) {
        const char *wanted = given->value[i];

        if (!wanted || strcmp(switches[i].stored, name_text) != 0 ||
            is_same(wanted, stored))
            continue;
        return err_set(err, RC_INVALID,
                       "--%s: '%s' is asked for, the data was loaded with "
                       "'%s'; leave the option out, or load again with "
                       "--replace",
                       switches[i].option, wanted, stored[0] ? stored : "none");
    }
    return RC_OK;
}

/* Stored as a number; of tables in one piece it says nothing. */
static enum rc check_partition_by(struct dataset *ds, const char *wanted,
                                  struct err *err)
{
    const struct tpcc_layout *l = &tpcc_of(ds)->meta.layout;
    const char *is = l->partition_by == TPCC_PARTITION_HASH ? "hash" : "range";

    if (!wanted || l->partitions == 0 || strcmp(wanted, is) == 0)
        return RC_OK;
    return err_set(err, RC_INVALID,
                   "--partition-by: '%s' is asked for, the data was loaded "
                   "with '%s'; leave the option out, or load again with "
                   "--replace",
                   wanted, is);
}

enum rc tpcc_check_loaded(struct dataset *ds, struct conn *c, struct err *err)
{
    struct given given = {.partition_by = NULL};
    struct rowset rows;
    enum rc rc;

    if (!ds->options || db_can(ds->db, DRIVER_DISCARDS))
        return RC_OK;
    opt_set_each(ds->options, note_given, &given);
    rc = script_step(ds, c, "meta_read", NULL, &rows, err);
    for (size_t i = 0; !rc && i < rows.n_rows; i++)
        rc = check_row(&given, rowset_at(&rows, i, 0), rowset_at(&rows, i, 1),
                       err);
    return rc ? rc : check_partition_by(ds, given.partition_by, err);
}
