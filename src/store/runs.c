/* SPDX-License-Identifier: MIT */
#include "store/runs.h"

#include "base/parse.h"
#include "store/store_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RUNS_MAX 100000
#define NAMES_MAX 2000 /* that are compared with an unknown one */

#define COLUMNS                                                               \
    "id, uuid, name, number, status, reason, valid, workload, composition, "  \
    "note, driver, target, seed, data_seed, counted, version, host, "         \
    "in_process, no_database, scale, vus, connections, threads, started_us, " \
    "ended_us, ramp_up_us, interval_us, tps, nopm"

/* ---- a row ---- */

struct row {
    sqlite3_stmt *stmt;
    struct arena *arena;
    int next; /* column */
    bool failed;
};

static const char *take_text(struct row *r)
{
    const char *text = (const char *)sqlite3_column_text(r->stmt, r->next++);

    if (!text)
        return NULL;
    text = arena_strdup(r->arena, text);
    r->failed = r->failed || !text;
    return text;
}

static int64_t take_i64(struct row *r)
{
    const int column = r->next++;

    if (sqlite3_column_type(r->stmt, column) == SQLITE_NULL)
        return -1;
    return sqlite3_column_int64(r->stmt, column);
}

static double take_real(struct row *r)
{
    const int column = r->next++;

    if (sqlite3_column_type(r->stmt, column) == SQLITE_NULL)
        return -1;
    return sqlite3_column_double(r->stmt, column);
}

static enum rc take_run(sqlite3_stmt *stmt, struct arena *arena,
                        struct stored_run *out, struct err *err)
{
    struct row r = {.stmt = stmt, .arena = arena};

    *out = (struct stored_run){0};
    out->id = take_i64(&r);
    out->uuid = take_text(&r);
    out->name = take_text(&r);
    out->number = take_i64(&r);
    out->status = take_text(&r);
    out->reason = take_text(&r);
    out->valid = (int)take_i64(&r);
    out->workload = take_text(&r);
    out->composition = take_text(&r);
    out->note = take_text(&r);
    out->driver = take_text(&r);
    out->target = take_text(&r);
    out->seed = take_text(&r);
    out->data_seed = take_text(&r);
    out->counted = take_text(&r);
    out->version = take_text(&r);
    out->host = take_text(&r);
    out->in_process = take_i64(&r) > 0;
    out->no_database = take_i64(&r) > 0;
    out->scale = take_i64(&r);
    out->vus = take_i64(&r);
    out->connections = take_i64(&r);
    out->threads = take_i64(&r);
    out->started_us = take_i64(&r);
    out->ended_us = take_i64(&r);
    out->ramp_up_us = take_i64(&r);
    out->interval_us = take_i64(&r);
    out->tps = take_real(&r);
    out->nopm = take_real(&r);
    /* What no interval was open for was not measured. */
    if (out->interval_us == 0)
        out->tps = out->nopm = -1;
    if (r.failed)
        return err_set(err, RC_NOMEM, "no memory for the stored runs");
    return RC_OK;
}

/* ---- lists ---- */

/* All that match, the latest first. */
static const char list_sql[] =
    "SELECT " COLUMNS " FROM runs r WHERE (?1 IS NULL OR name GLOB ?1) AND "
    "(?2 IS NULL OR workload = ?2) AND NOT EXISTS (SELECT 1 FROM "
    "json_each(?3) w WHERE NOT EXISTS (SELECT 1 FROM labels l WHERE l.run = "
    "r.id AND l.key || '=' || l.value = w.value)) "
    "ORDER BY started_us DESC, id DESC LIMIT ?4";

/* The labels as a JSON array, made by SQLite's own quoting. */
static enum rc labels_as_json(struct store *s, const struct store_filter *f,
                              struct arena *arena, const char **out,
                              struct err *err)
{
    sqlite3_stmt *stmt = NULL;
    bool row = false;
    enum rc rc = RC_OK;

    *out = "[]";
    for (size_t i = 0; !rc && i < f->n_labels; i++) {
        rc = store_prepare(s, "SELECT json_insert(?1, '$[#]', ?2)", &stmt, err);
        if (rc)
            break;
        store_bind(stmt, "tt", *out, f->labels[i]);
        rc = store_step(s, stmt, &row, err);
        if (!rc) {
            *out =
                arena_strdup(arena, (const char *)sqlite3_column_text(stmt, 0));
            if (!*out)
                rc = err_set(err, RC_NOMEM, "no memory for labels");
        }
        sqlite3_finalize(stmt);
        stmt = NULL;
    }
    return rc;
}

/* At most *inout_n of them; sets it to how many there were. */
static enum rc take_list(struct store *s, sqlite3_stmt *stmt,
                         struct arena *arena, struct stored_run *runs,
                         size_t *inout_n, struct err *err)
{
    const size_t cap = *inout_n;
    size_t n = 0;
    bool row = true;
    enum rc rc = RC_OK;

    while (!rc && n < cap) {
        rc = store_step(s, stmt, &row, err);
        if (rc || !row)
            break;
        rc = take_run(stmt, arena, &runs[n], err);
        n += rc == RC_OK;
    }
    *inout_n = n;
    return rc;
}

static void turn_round(struct stored_run *runs, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        const struct stored_run swap = runs[i];

        runs[i] = runs[n - 1 - i];
        runs[n - 1 - i] = swap;
    }
}

enum rc store_list(struct store *s, const struct store_filter *filter,
                   struct arena *arena, struct stored_run **out, size_t *out_n,
                   struct err *err)
{
    const char *labels = NULL;
    sqlite3_stmt *stmt = NULL;
    int64_t n = 0;
    enum rc rc;

    rc = store_get_i64(s, "SELECT count(*) FROM runs", &n, err);
    if (!rc && filter->latest && (uint64_t)n > filter->latest)
        n = (int64_t)filter->latest;
    if (n > RUNS_MAX)
        n = RUNS_MAX;
    if (!rc)
        rc = labels_as_json(s, filter, arena, &labels, err);
    if (rc)
        return rc;
    *out = ARENA_ARRAY(arena, struct stored_run, n > 0 ? (size_t)n : 1);
    if (!*out)
        return err_set(err, RC_NOMEM, "no memory for the stored runs");
    rc = store_prepare(s, list_sql, &stmt, err);
    if (!rc) {
        store_bind(stmt, "ttti", filter->name, filter->workload, labels, n);
        *out_n = (size_t)n;
        rc = take_list(s, stmt, arena, *out, out_n, err);
    }
    sqlite3_finalize(stmt);
    if (!rc)
        turn_round(*out, *out_n);
    return rc;
}

/* ---- one run ---- */

static enum rc not_found(struct store *s, const char *word, struct arena *arena,
                         struct err *err)
{
    const struct store_filter latest = {.latest = NAMES_MAX};
    struct stored_run *runs;
    const char **names, *near = NULL;
    size_t n;
    enum rc rc;

    rc = store_list(s, &latest, arena, &runs, &n, err);
    if (rc)
        return rc;
    if (n == 0)
        return err_set(err, RC_NOT_FOUND, "there is no run in '%s' yet",
                       s->path);
    names = arena_array(arena, n, sizeof(*names));
    for (size_t i = 0; names && i < n; i++)
        names[i] = runs[i].name;
    if (names)
        near = nearest_name(word, names, n);
    if (near)
        return err_set(err, RC_NOT_FOUND,
                       "there is no run '%s' in '%s'; did you mean '%s'?", word,
                       s->path, near);
    return err_set(err, RC_NOT_FOUND,
                   "there is no run '%s' in '%s'; 'dyno runs list' shows "
                   "them, the latest is '%s'",
                   word, s->path, runs[n - 1].name);
}

enum rc store_find(struct store *s, const char *word, struct arena *arena,
                   struct stored_run *out, struct err *err)
{
    /* A name wins over a number, a number over "latest". */
    static const char sql[] =
        "SELECT " COLUMNS " FROM runs WHERE name = ?1 OR number = ?2 OR "
        "?1 = 'latest' ORDER BY name = ?1 DESC, number = ?2 DESC, "
        "started_us DESC, id DESC LIMIT 1";
    sqlite3_stmt *stmt = NULL;
    uint64_t number = 0;
    bool row = false;
    enum rc rc;

    if (parse_u64(word, &number, NULL) || number > INT64_MAX)
        number = 0;
    rc = store_prepare(s, sql, &stmt, err);
    if (rc)
        return rc;
    store_bind(stmt, number > 0 ? "ti" : "tn", word, (int64_t)number);
    rc = store_step(s, stmt, &row, err);
    if (!rc && row)
        rc = take_run(stmt, arena, out, err);
    sqlite3_finalize(stmt);
    if (rc || row)
        return rc;
    return not_found(s, word, arena, err);
}

enum rc store_highest_number(struct store *s, uint64_t *out, struct err *err)
{
    int64_t n = 0;
    const enum rc rc =
        store_get_i64(s, "SELECT max(number) FROM runs", &n, err);

    *out = n > 0 ? (uint64_t)n : 0;
    return rc;
}

enum rc store_has_name(struct store *s, const char *name, bool *out,
                       struct err *err)
{
    sqlite3_stmt *stmt = NULL;
    enum rc rc;

    rc = store_prepare(s, "SELECT 1 FROM runs WHERE name = ?", &stmt, err);
    if (rc)
        return rc;
    store_bind(stmt, "t", name);
    rc = store_step(s, stmt, out, err);
    sqlite3_finalize(stmt);
    return rc;
}

/* ---- texts ---- */

enum rc store_body(struct store *s, int64_t run, enum stored_body which,
                   struct arena *arena, const char **out, struct err *err)
{
    static const char *const sql[] = {
        [STORED_SUMMARY] = "SELECT summary FROM runs WHERE id = ?",
        [STORED_TEXT] = "SELECT body FROM reports WHERE run = ? AND format = "
                        "'text'",
        [STORED_MARKDOWN] = "SELECT body FROM reports WHERE run = ? AND "
                            "format = 'markdown'",
    };
    sqlite3_stmt *stmt = NULL;
    bool row = false;
    enum rc rc;

    *out = NULL;
    rc = store_prepare(s, sql[which], &stmt, err);
    if (rc)
        return rc;
    store_bind(stmt, "i", run);
    rc = store_step(s, stmt, &row, err);
    if (!rc && row) {
        struct row r = {.stmt = stmt, .arena = arena};

        *out = take_text(&r);
        if (r.failed)
            rc = err_set(err, RC_NOMEM, "no memory for a stored report");
    }
    sqlite3_finalize(stmt);
    return rc;
}

enum rc store_each_text(struct store *s, int64_t run, enum stored_list which,
                        stored_text_fn *fn, void *arg, struct err *err)
{
    static const char *const sql[] = {
        [STORED_SETTINGS] = "SELECT name, value, source FROM settings WHERE "
                            "run = ? ORDER BY position",
        [STORED_FACTS] = "SELECT name, value, NULL FROM facts WHERE run = ? "
                         "ORDER BY position",
        [STORED_LABELS] = "SELECT key, value, NULL FROM labels WHERE run = ? "
                          "ORDER BY key, value",
        [STORED_TXNS] = "SELECT name, NULL, NULL FROM transactions WHERE run "
                        "= ? ORDER BY position",
        [STORED_SAMPLES] = "SELECT name, NULL, NULL FROM telemetry_names "
                           "WHERE run = ? ORDER BY position",
    };
    sqlite3_stmt *stmt = NULL;
    bool row = true;
    enum rc rc;

    rc = store_prepare(s, sql[which], &stmt, err);
    if (rc)
        return rc;
    store_bind(stmt, "i", run);
    while (!rc) {
        rc = store_step(s, stmt, &row, err);
        if (rc || !row)
            break;
        rc = fn(arg, (const char *)sqlite3_column_text(stmt, 0),
                (const char *)sqlite3_column_text(stmt, 1),
                (const char *)sqlite3_column_text(stmt, 2), err);
    }
    sqlite3_finalize(stmt);
    return rc;
}

enum rc store_remove(struct store *s, const struct stored_run *run,
                     struct err *err)
{
    enum rc rc;

    if (!strcmp(run->status, "running"))
        return err_set(err, RC_BUSY,
                       "run '%s' goes on and is not removed; end it first",
                       run->name);
    rc = store_begin(s, err);
    if (rc)
        return rc;
    rc = store_do(s, err, "DELETE FROM runs WHERE id = ?", "i", run->id);
    rc = store_end(s, rc, err);
    if (!rc)
        rc = store_exec(s, "PRAGMA incremental_vacuum", err);
    return rc;
}
