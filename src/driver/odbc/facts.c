/* SPDX-License-Identifier: MIT */
/* Questions about the database, and who may use it. */
#include "base/parse.h"
#include "driver/odbc/odbc_int.h"

#include <stdio.h>
#include <time.h>

/* A process that has just died holds its lock for a moment. */
#define CLAIM_TRIES 40
#define CLAIM_PAUSE_NS (50 * NS_PER_MS)

enum rc odbc_has_table(struct conn *c, const char *table, bool *out,
                       struct err *err)
{
    struct odbc_conn *oc = odbc_conn_of(c);
    const char *const *around = oc->dialect->has_table;
    const struct value name = v_text(table);
    struct buf sql = BUF_INIT(ODBC_SQL_MAX);
    int64_t n = 0;
    enum rc rc = odbc_outside(oc);

    if (around[0]) {
        buf_puts(&sql, around[0]);
        odbc_put_literal(&sql, oc, &name);
        buf_puts(&sql, around[1]);
    } else {
        buf_puts(&sql, "SELECT COUNT(*) FROM ");
        odbc_put_name(&sql, oc, table);
        buf_puts(&sql, " WHERE 1 = 0");
    }
    if (!rc)
        rc = buf_rc(&sql) ? odbc_fail_own(oc, RC_NOMEM, "out of memory")
                          : odbc_ask_number(oc, buf_str(&sql), &n);
    buf_release(&sql);
    if (!around[0] && rc == RC_DB_ERROR) {
        *out = false;
        return RC_OK;
    }
    *out = n > 0 || !around[0];
    return rc ? odbc_last_err(oc, table, err) : RC_OK;
}

/* ---- claim ---- */

static void pause_for(int64_t ns)
{
    const struct timespec t = {.tv_sec = ns / NS_PER_S,
                               .tv_nsec = ns % NS_PER_S};

    nanosleep(&t, NULL);
}

static enum rc lock(struct odbc_conn *oc, struct err *err)
{
    int64_t locked = 0;

    for (int i = 0; i < CLAIM_TRIES && !locked; i++) {
        if (i > 0)
            pause_for(CLAIM_PAUSE_NS);
        if (odbc_ask_number(oc, oc->dialect->claim, &locked))
            return odbc_last_err(oc, "lock", err);
    }
    return locked ? RC_OK : err_set(err, RC_BUSY, "in use by another dyno");
}

enum rc odbc_claim(struct db *base, struct err *err)
{
    struct odbc_db *db = odbc_db_of(base);
    struct odbc_conn *oc = NULL;
    enum rc rc;

    if (!db->dialect->claim)
        return RC_OK;
    rc = odbc_connect_plain(db, &oc, err);
    if (!rc)
        rc = lock(oc, err);
    if (rc) {
        err_prefix(err, "'%s'", base->target->shown);
        if (oc)
            odbc_disconnect(&oc->base);
        return rc;
    }
    db->claim = oc;
    return RC_OK;
}

/* ---- limits ---- */

static bool cell_number(const struct rowset *rows, size_t row, size_t col,
                        int64_t *out)
{
    const struct value *v = rowset_at(rows, row, col);
    struct value number;

    if (v->type != VALUE_TEXT || !value_parse(VALUE_INT, v->s, v->len, &number))
        return false;
    *out = number.i;
    return true;
}

static void give_limit(const struct odbc_conn *oc, const struct rowset *rows,
                       size_t row, limit_fn *fn, void *arg)
{
    const struct value *name = rowset_at(rows, row, 0);
    struct conn_limit limit = {0};
    char setting[ODBC_NAME_MAX];
    int64_t of_statements = 0;

    if (name->type != VALUE_TEXT || !cell_number(rows, row, 1, &limit.value) ||
        !cell_number(rows, row, 2, &limit.reserved) ||
        !cell_number(rows, row, 3, &limit.in_use) ||
        !cell_number(rows, row, 4, &of_statements))
        return;
    snprintf(setting, sizeof(setting), "%.*s", (int)name->len, name->s);
    limit.setting = setting;
    if (of_statements) {
        limit.each = oc->base.db->n_statements;
        if (limit.each == 0)
            return;
    }
    fn(arg, &limit);
}

enum rc odbc_limits(struct conn *c, limit_fn *fn, void *arg, struct err *err)
{
    struct odbc_conn *oc = odbc_conn_of(c);
    const char *const *sql = oc->dialect->limits;
    struct rowset rows;
    enum rc rc = odbc_outside(oc);

    for (; sql && *sql; sql++) {
        if (rc != RC_DB_GONE)
            rc = odbc_ask(oc, *sql, &rows);

        if (rc == RC_DB_GONE)
            return odbc_last_err(oc, "limits", err);
        /* A server that lacks it: then its own answer tells. */
        if (rc || rows.n_cols != 5)
            continue;
        for (size_t i = 0; i < rows.n_rows; i++)
            give_limit(oc, &rows, i, fn, arg);
    }
    return RC_OK;
}

/* ---- facts ---- */

static enum rc settings(struct odbc_conn *oc, fact_fn *fn, void *arg,
                        struct err *err)
{
    struct rowset rows = {0};
    enum rc rc;

    if (!oc->dialect->facts)
        return RC_OK;
    rc = odbc_outside(oc);
    if (!rc)
        rc = odbc_ask(oc, oc->dialect->facts, &rows);
    if (rc)
        return rc == RC_DB_GONE ? odbc_last_err(oc, "settings", err) : RC_OK;
    for (size_t i = 0; i < rows.n_rows && rows.n_cols == 2; i++) {
        const struct value *name = rowset_at(&rows, i, 0);
        const struct value *value = rowset_at(&rows, i, 1);
        char name_text[ODBC_NAME_MAX], text[512];

        if (name->type != VALUE_TEXT || value->type != VALUE_TEXT)
            continue;
        snprintf(name_text, sizeof(name_text), "%.*s", (int)name->len, name->s);
        snprintf(text, sizeof(text), "%.*s", (int)value->len, value->s);
        fn(arg, name_text, text);
    }
    return RC_OK;
}

enum rc odbc_facts(struct conn *c, fact_fn *fn, void *arg, struct err *err)
{
    const struct odbc_db *db = odbc_db_of(c->db);

    fn(arg, "product", *db->product ? db->product : "unknown");
    fn(arg, "version", *db->version ? db->version : "unknown");
    fn(arg, "odbc_driver", db->driver_name);
    fn(arg, "odbc_driver_version", db->driver_version);
    fn(arg, "dialect", db->dialect->name);
    fn(arg, "bulk",
       db->arrays ? "arrays of parameters" : "INSERT of many rows");
    fn(arg, "statements", "prepared");
    return settings(odbc_conn_of(c), fn, arg, err);
}
