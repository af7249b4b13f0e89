/* SPDX-License-Identifier: MIT */
/*
 * Files beside the rows of a csv target: for each database that dyno knows a
 * script that makes the tables, loads the files and makes the keys.  The table
 * of constants is among them, so the data is dyno's own afterwards.
 */
#include "base/buf.h"
#include "driver/bulk.h"
#include "workload/tpcc/load_plan.h"
#include "workload/tpcc/scripts.h"

#include <stdio.h>

#define EXPORT_MAX (1U << 20)

static const struct column meta_cols[] = {{"name", VALUE_TEXT},
                                          {"value", VALUE_TEXT}};
const struct table_def tpcc_meta_table = {"dyno_tpcc", meta_cols,
                                          ARRAY_LEN(meta_cols)};

typedef void put_table_fn(struct buf *b, const struct table_def *t);

static void put_columns(struct buf *b, const struct table_def *t)
{
    for (size_t i = 0; i < t->n_cols; i++)
        buf_printf(b, "%s%s", i > 0 ? ", " : "", t->cols[i].name);
}

static void put_postgres(struct buf *b, const struct table_def *t)
{
    buf_printf(b, "\\copy %s (", t->name);
    put_columns(b, t);
    buf_printf(b, ") FROM '%s.csv' (FORMAT csv, HEADER)\n", t->name);
}

static bool may_be_null(const struct column *col)
{
    return strcmp(col->name, "o_carrier_id") == 0 ||
           strcmp(col->name, "ol_delivery_d") == 0;
}

static void put_mysql(struct buf *b, const struct table_def *t)
{
    bool first = true;

    buf_printf(b,
               "LOAD DATA LOCAL INFILE '%s.csv' INTO TABLE %s\n"
               "    CHARACTER SET utf8mb4\n"
               "    FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"' "
               "ESCAPED BY ''\n    LINES TERMINATED BY '\\n' IGNORE 1 LINES\n"
               "    (",
               t->name, t->name);
    for (size_t i = 0; i < t->n_cols; i++)
        buf_printf(b, "%s%s%s", i > 0 ? ", " : "",
                   may_be_null(&t->cols[i]) ? "@" : "", t->cols[i].name);
    buf_putc(b, ')');
    for (size_t i = 0; i < t->n_cols; i++) {
        if (!may_be_null(&t->cols[i]))
            continue;
        buf_printf(b, "%s %s = NULLIF(@%s, '')", first ? "\n    SET" : ",",
                   t->cols[i].name, t->cols[i].name);
        first = false;
    }
    buf_puts(b, ";\n");
}

/* As SQLite has them: cents, ten-thousandths, microseconds. */
static void put_sqlite_value(struct buf *b, const struct column *col)
{
    switch (col->type) {
    case VALUE_MONEY:
        buf_printf(b, "CAST(round(%s * 100) AS INTEGER)", col->name);
        return;
    case VALUE_RATE:
        buf_printf(b, "CAST(round(%s * 10000) AS INTEGER)", col->name);
        return;
    case VALUE_TIME:
        buf_printf(b,
                   "CAST(strftime('%%s', nullif(%s, '')) AS INTEGER) * "
                   "1000000",
                   col->name);
        return;
    case VALUE_INT:
        buf_printf(b, "nullif(%s, '')", col->name);
        return;
    case VALUE_NULL:
    case VALUE_TEXT:
    case VALUE_INTS:
        break;
    }
    buf_puts(b, col->name);
}

static void put_sqlite(struct buf *b, const struct table_def *t)
{
    buf_printf(b, ".import %s.csv csv_%s\nINSERT INTO %s (", t->name, t->name,
               t->name);
    put_columns(b, t);
    buf_puts(b, ") SELECT\n    ");
    for (size_t i = 0; i < t->n_cols; i++) {
        if (i > 0)
            buf_puts(b, ",\n    ");
        put_sqlite_value(b, &t->cols[i]);
    }
    buf_printf(b, "\nFROM csv_%s;\nDROP TABLE csv_%s;\n", t->name, t->name);
}

static const struct {
    const char *dialect, *file, *command, *first;
    put_table_fn *put;
} formats[] = {
    {"postgres", "load.postgres.sql",
     "psql -v ON_ERROR_STOP=1 -f load.postgres.sql DATABASE", "", put_postgres},
    {"mysql", "load.mysql.sql",
     "mysql --local-infile=1 DATABASE < load.mysql.sql", "", put_mysql},
    {"sqlite", "load.sqlite.sql", "sqlite3 -bail FILE < load.sqlite.sql",
     ".mode csv\n", put_sqlite},
};

static bool put_asset(struct buf *b, const char *dialect, const char *name)
{
    char path[128];
    const struct asset *a;

    snprintf(path, sizeof(path), "sql/tpcc/%s/%s.sql", dialect, name);
    a = asset_find(path);
    if (a)
        buf_printf(b, "\n%s", a->data);
    return a != NULL;
}

static CORO_FN enum rc write_script(struct conn *c, size_t i, struct err *err)
{
    const char *dialect = formats[i].dialect;
    struct buf b = BUF_INIT(EXPORT_MAX);
    enum rc rc = RC_OK;

    buf_printf(&b, "-- In this folder, on an empty database:\n--   %s\n",
               formats[i].command);
    /* A build may lack a dialect. */
    if (!put_asset(&b, dialect, "meta_create") ||
        !put_asset(&b, dialect, "schema"))
        goto out;
    put_asset(&b, dialect, "load_drop");
    buf_printf(&b, "\n%s", formats[i].first);
    for (enum tpcc_table t = 0; t < TPCC_N_TABLES; t++)
        formats[i].put(&b, &tpcc_tables[t]);
    put_asset(&b, dialect, "indexes");
    put_asset(&b, dialect, "statistics");
    /* Last: without it the data is not complete. */
    formats[i].put(&b, &tpcc_meta_table);
    rc = buf_rc(&b)
             ? err_set(err, RC_NOMEM, "out of memory")
             : conn_put_file(c, formats[i].file, buf_str(&b), b.len, err);
out:
    buf_release(&b);
    return rc;
}

CORO_FN enum rc export_scripts(struct conn *c, struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < ARRAY_LEN(formats); i++)
        rc = write_script(c, i, err);
    return rc;
}
