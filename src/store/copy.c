/* SPDX-License-Identifier: MIT */
/* Runs from one store to another: export, import, merging. */
#include "base/buf.h"
#include "store/runs.h"
#include "store/store_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SQL_BYTES_MAX 8192
#define SUFFIX_MAX 1000

/* Of each the first column is the run. */
static const char *const tables[] = {
    "labels",          "settings",     "facts",
    "transactions",    "intervals",    "interval_transactions",
    "telemetry_names", "telemetry",    "histograms",
    "errors",          "audit_checks", "reports",
    "statements",
};

static void bind_columns(sqlite3_stmt *from, int first, sqlite3_stmt *to)
{
    for (int i = first; i < sqlite3_column_count(from); i++)
        sqlite3_bind_value(to, i + 1, sqlite3_column_value(from, i));
}

/* "INSERT INTO table VALUES (?, ?, ?)" */
static enum rc prepare_insert(struct store *to, const char *table, int columns,
                              sqlite3_stmt **out, struct err *err)
{
    struct buf sql = BUF_INIT(SQL_BYTES_MAX);
    enum rc rc;

    buf_printf(&sql, "INSERT INTO %s VALUES (", table);
    for (int i = 0; i < columns; i++)
        buf_puts(&sql, i == 0 ? "?" : ", ?");
    buf_putc(&sql, ')');
    rc = buf_rc(&sql) ? err_set(err, RC_NOMEM, "no memory for a statement")
                      : store_prepare(to, buf_str(&sql), out, err);
    buf_release(&sql);
    return rc;
}

static enum rc copy_rows(struct store *from, sqlite3_stmt *read,
                         struct store *to, sqlite3_stmt *write, int64_t run,
                         struct err *err)
{
    bool row = true, none;
    enum rc rc = RC_OK;

    while (!rc) {
        rc = store_step(from, read, &row, err);
        if (rc || !row)
            break;
        sqlite3_bind_int64(write, 1, run);
        bind_columns(read, 1, write);
        rc = store_step(to, write, &none, err);
        sqlite3_reset(write);
    }
    return rc;
}

static enum rc copy_table(struct store *from, int64_t run, struct store *to,
                          int64_t new_run, const char *table, struct err *err)
{
    sqlite3_stmt *read = NULL, *write = NULL;
    char sql[128];
    enum rc rc;

    snprintf(sql, sizeof(sql), "SELECT * FROM %s WHERE run = ? ORDER BY rowid",
             table);
    if (sqlite3_prepare_v2(from->db, sql, -1, &read, NULL) != SQLITE_OK) {
        /* A table without a rowid is in the order of its key. */
        snprintf(sql, sizeof(sql), "SELECT * FROM %s WHERE run = ?", table);
        rc = store_prepare(from, sql, &read, err);
        if (rc)
            return rc;
    }
    store_bind(read, "i", run);
    rc = prepare_insert(to, table, sqlite3_column_count(read), &write, err);
    if (!rc)
        rc = copy_rows(from, read, to, write, new_run, err);
    sqlite3_finalize(read);
    sqlite3_finalize(write);
    return rc;
}

/* ---- the run itself ---- */

static enum rc has_uuid(struct store *s, const char *uuid, bool *out,
                        struct err *err)
{
    sqlite3_stmt *stmt = NULL;
    enum rc rc;

    rc = store_prepare(s, "SELECT 1 FROM runs WHERE uuid = ?", &stmt, err);
    if (rc)
        return rc;
    store_bind(stmt, "t", uuid);
    rc = store_step(s, stmt, out, err);
    sqlite3_finalize(stmt);
    return rc;
}

/* A name that is free: its own; the next number for "003_sqlite_…"; "mine-2"
 * for a name that the user chose. */
static enum rc choose_name(struct store *to, const struct stored_run *run,
                           struct arena *arena, const char **out_name,
                           int64_t *out_number, struct err *err)
{
    const char *rest = strchr(run->name, '_');
    uint64_t highest = 0;
    bool taken = false;
    enum rc rc;

    *out_name = run->name;
    *out_number = run->number;
    rc = store_has_name(to, run->name, &taken, err);
    if (!rc)
        rc = store_highest_number(to, &highest, err);
    if (rc || !taken)
        return rc;
    if (run->number > 0 && rest) {
        *out_number = (int64_t)highest + 1;
        *out_name = arena_printf(arena, "%03" PRId64 "%s", *out_number, rest);
        return *out_name ? RC_OK : err_set(err, RC_NOMEM, "out of memory");
    }
    for (int i = 2; taken && i < SUFFIX_MAX; i++) {
        *out_name = arena_printf(arena, "%s-%d", run->name, i);
        if (!*out_name)
            return err_set(err, RC_NOMEM, "out of memory");
        rc = store_has_name(to, *out_name, &taken, err);
        if (rc)
            return rc;
    }
    return taken ? err_set(err, RC_BUSY, "there are too many runs named '%s'",
                           run->name)
                 : RC_OK;
}

/* What the copy of a run is called in the other store. */
struct new_run {
    const char *name;
    int64_t number; /* as it is when not above 0 */
    int64_t id;     /* set by copy_head() */
};

static enum rc copy_head(struct store *from, const struct stored_run *run,
                         struct store *to, struct new_run *new, struct err *err)
{
    sqlite3_stmt *read = NULL, *write = NULL;
    bool row = false;
    enum rc rc;

    rc = store_prepare(from, "SELECT * FROM runs WHERE id = ?", &read, err);
    if (rc)
        return rc;
    store_bind(read, "i", run->id);
    rc = store_step(from, read, &row, err);
    if (!rc && !row)
        rc = err_set(err, RC_NOT_FOUND, "run '%s' has been removed", run->name);
    if (!rc)
        rc =
            prepare_insert(to, "runs", sqlite3_column_count(read), &write, err);
    if (!rc) {
        /* id is left NULL: the next one; name and number are columns 2, 3. */
        bind_columns(read, 1, write);
        sqlite3_bind_text(write, 3, new->name, -1, SQLITE_STATIC);
        if (new->number > 0)
            sqlite3_bind_int64(write, 4, new->number);
        rc = store_step(to, write, &row, err);
        new->id = sqlite3_last_insert_rowid(to->db);
    }
    sqlite3_finalize(read);
    sqlite3_finalize(write);
    return rc;
}

static enum rc copy_in(struct store *from, const struct stored_run *run,
                       struct store *to, struct arena *arena,
                       const char **out_name, struct err *err)
{
    struct new_run new = {.number = -1};
    bool there = false;
    enum rc rc;

    rc = has_uuid(to, run->uuid, &there, err);
    if (rc || there)
        return rc;
    rc = choose_name(to, run, arena, out_name, &new.number, err);
    new.name = *out_name;
    if (!rc)
        rc = copy_head(from, run, to, &new, err);
    for (size_t i = 0; !rc && i < ARRAY_LEN(tables); i++)
        rc = copy_table(from, run->id, to, new.id, tables[i], err);
    return rc;
}

enum rc store_copy(struct store *from, const struct stored_run *run,
                   struct store *to, struct arena *arena, const char **out_name,
                   struct err *err)
{
    enum rc rc;

    *out_name = NULL;
    if (!strcmp(run->status, "running"))
        return err_set(err, RC_BUSY, "run '%s' goes on; wait for its end",
                       run->name);
    rc = store_begin(to, err);
    if (rc)
        return rc;
    rc = copy_in(from, run, to, arena, out_name, err);
    rc = store_end(to, rc, err);
    if (rc)
        *out_name = NULL;
    return rc;
}
