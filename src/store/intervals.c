/* SPDX-License-Identifier: MIT */
/* Reading back what keep_rows.c wrote of the intervals. */
#include "base/clock.h"
#include "base/mem.h"
#include "store/histograms.h"
#include "store/runs.h"
#include "store/store_int.h"

#include <string.h>

struct reader {
    struct store *store;
    int64_t run;
    sqlite3_stmt *intervals, *txns, *samples;
    struct hist *response[INTERVAL_TXNS_MAX], *service[INTERVAL_TXNS_MAX];
    struct hist *empty;
    const char *txn_names[INTERVAL_TXNS_MAX];
    const char *sample_names[INTERVAL_SAMPLES_MAX];
    size_t n_txns, n_names;
    struct arena arena; /* the names */
    struct interval it;
};

/* ---- names ---- */

static enum rc add_name(const char **names, size_t *n, size_t cap,
                        struct arena *arena, const char *name, struct err *err)
{
    if (*n == cap)
        return err_set(err, RC_INVALID, "a stored run has too many names");
    names[*n] = arena_strdup(arena, name);
    if (!names[(*n)++])
        return err_set(err, RC_NOMEM, "no memory for a stored run");
    return RC_OK;
}

static enum rc add_txn(void *arg, const char *name, const char *value,
                       const char *source, struct err *err)
{
    struct reader *r = arg;

    (void)value;
    (void)source;
    return add_name(r->txn_names, &r->n_txns, INTERVAL_TXNS_MAX, &r->arena,
                    name, err);
}

static enum rc add_sample(void *arg, const char *name, const char *value,
                          const char *source, struct err *err)
{
    struct reader *r = arg;

    (void)value;
    (void)source;
    return add_name(r->sample_names, &r->n_names, INTERVAL_SAMPLES_MAX,
                    &r->arena, name, err);
}

/* ---- rows ---- */

static void take_figures(sqlite3_stmt *stmt, int first, uint64_t n,
                         struct hist_figures *out)
{
    *out = (struct hist_figures){
        .n = n,
        .sum_ns = sqlite3_column_int64(stmt, first),
        .p50_ns = sqlite3_column_int64(stmt, first + 1),
        .p90_ns = sqlite3_column_int64(stmt, first + 2),
        .p95_ns = sqlite3_column_int64(stmt, first + 3),
        .p99_ns = sqlite3_column_int64(stmt, first + 4),
        .p999_ns = sqlite3_column_int64(stmt, first + 5),
        .max_ns = sqlite3_column_int64(stmt, first + 6),
    };
}

static void take_txn(sqlite3_stmt *stmt, struct interval_txn *t)
{
    const uint64_t n = (uint64_t)sqlite3_column_int64(stmt, 9);

    t->committed = (uint64_t)sqlite3_column_int64(stmt, 1);
    t->rolled_back = (uint64_t)sqlite3_column_int64(stmt, 2);
    t->failed = (uint64_t)sqlite3_column_int64(stmt, 3);
    t->unknown = (uint64_t)sqlite3_column_int64(stmt, 4);
    t->retries = (uint64_t)sqlite3_column_int64(stmt, 5);
    t->statements = (uint64_t)sqlite3_column_int64(stmt, 6);
    t->round_trips = (uint64_t)sqlite3_column_int64(stmt, 7);
    t->wait_ns = sqlite3_column_int64(stmt, 8);
    take_figures(stmt, 10, n, &t->response);
    take_figures(stmt, 17, n, &t->service);
}

static enum rc take_txns(struct reader *r, struct err *err)
{
    bool row = true;
    enum rc rc = RC_OK;

    sqlite3_reset(r->txns);
    store_bind(r->txns, "ii", r->run, (int64_t)r->it.number);
    while (!rc) {
        rc = store_step(r->store, r->txns, &row, err);
        if (rc || !row)
            break;
        if (sqlite3_column_int64(r->txns, 0) < (int64_t)r->n_txns)
            take_txn(r->txns, &r->it.txns[sqlite3_column_int64(r->txns, 0)]);
    }
    return rc;
}

static enum rc take_samples(struct reader *r, struct err *err)
{
    bool row = true;
    enum rc rc = RC_OK;

    sqlite3_reset(r->samples);
    store_bind(r->samples, "ii", r->run, (int64_t)r->it.number);
    while (!rc) {
        rc = store_step(r->store, r->samples, &row, err);
        if (rc || !row)
            break;
        if (sqlite3_column_int64(r->samples, 0) < (int64_t)r->n_names)
            interval_sample(
                &r->it, r->sample_names[sqlite3_column_int64(r->samples, 0)],
                sqlite3_column_int64(r->samples, 1));
    }
    return rc;
}

static enum interval_phase phase_of(const char *name)
{
    if (!strcmp(name, "measure"))
        return PHASE_MEASURE;
    return strcmp(name, "drain") ? PHASE_RAMP_UP : PHASE_DRAIN;
}

static void begin_interval(struct reader *r)
{
    sqlite3_stmt *stmt = r->intervals;
    struct interval *it = &r->it;

    memset(it, 0, sizeof(*it));
    it->number = (uint64_t)sqlite3_column_int64(stmt, 0);
    it->phase = phase_of((const char *)sqlite3_column_text(stmt, 1));
    it->begin_ns = sqlite3_column_int64(stmt, 2) * NS_PER_US;
    it->length_ns = sqlite3_column_int64(stmt, 3) * NS_PER_US;
    it->users_active = (uint64_t)sqlite3_column_int64(stmt, 4);
    it->lag.p99_ns = sqlite3_column_int64(stmt, 5);
    it->lag.max_ns = sqlite3_column_int64(stmt, 6);
    it->lag_hist = r->empty;
    it->n_txns = r->n_txns;
    for (size_t i = 0; i < r->n_txns; i++) {
        hist_reset(r->response[i]);
        hist_reset(r->service[i]);
        it->txns[i] = (struct interval_txn){
            .name = r->txn_names[i],
            .response_hist = r->response[i],
            .service_hist = r->service[i],
            .wait_hist = r->empty,
        };
    }
}

static enum rc take_interval(struct reader *r, unsigned *out_drop,
                             struct err *err)
{
    const void *data = sqlite3_column_blob(r->intervals, 7);
    const size_t len = (size_t)sqlite3_column_bytes(r->intervals, 7);
    enum rc rc;

    begin_interval(r);
    rc = unpack_interval(data, len, r->response, r->service, r->n_txns,
                         out_drop);
    if (rc)
        return err_set(err, rc,
                       "the histograms of interval %lld in '%s' are broken",
                       (long long)r->it.number, r->store->path);
    rc = take_txns(r, err);
    return rc ? rc : take_samples(r, err);
}

static enum rc each_interval(struct reader *r, stored_interval_fn *fn,
                             void *arg, struct err *err)
{
    bool row = true;
    enum rc rc = RC_OK;

    while (!rc) {
        unsigned drop = 0;

        rc = store_step(r->store, r->intervals, &row, err);
        if (rc || !row)
            break;
        rc = take_interval(r, &drop, err);
        if (!rc)
            rc = fn(arg, &r->it, drop, err);
    }
    return rc;
}

/* ---- the reader ---- */

static enum rc prepare(struct reader *r, struct err *err)
{
    enum rc rc;

    rc = store_prepare(r->store,
                       "SELECT number, phase, begin_us, length_us, users, "
                       "lag_p99_ns, lag_max_ns, histograms FROM intervals "
                       "WHERE run = ? ORDER BY number",
                       &r->intervals, err);
    if (!rc)
        rc = store_prepare(
            r->store,
            "SELECT position, committed, rolled_back, failed, unknown, "
            "retries, statements, round_trips, wait_ns, response_n, "
            "response_sum_ns, response_p50_ns, response_p90_ns, "
            "response_p95_ns, response_p99_ns, response_p999_ns, "
            "response_max_ns, service_sum_ns, service_p50_ns, "
            "service_p90_ns, service_p95_ns, service_p99_ns, "
            "service_p999_ns, service_max_ns FROM interval_transactions "
            "WHERE run = ? AND number = ?",
            &r->txns, err);
    if (!rc)
        rc = store_prepare(r->store,
                           "SELECT v.key, v.value FROM telemetry t, "
                           "json_each(t.\"values\") v WHERE t.run = ? AND "
                           "t.number = ? AND v.value IS NOT NULL",
                           &r->samples, err);
    if (!rc)
        store_bind(r->intervals, "i", r->run);
    return rc;
}

static enum rc reader_init(struct reader *r, struct err *err)
{
    bool ok;
    enum rc rc;

    arena_init(&r->arena, 1 << 20);
    rc = store_each_text(r->store, r->run, STORED_TXNS, add_txn, r, err);
    if (!rc)
        rc = store_each_text(r->store, r->run, STORED_SAMPLES, add_sample, r,
                             err);
    if (rc)
        return rc;
    r->empty = hist_new();
    ok = r->empty;
    for (size_t i = 0; ok && i < r->n_txns; i++) {
        r->response[i] = hist_new();
        r->service[i] = hist_new();
        ok = r->response[i] && r->service[i];
    }
    if (!ok)
        return err_set(err, RC_NOMEM, "no memory for a stored run");
    return prepare(r, err);
}

static void reader_release(struct reader *r)
{
    sqlite3_finalize(r->intervals);
    sqlite3_finalize(r->txns);
    sqlite3_finalize(r->samples);
    for (size_t i = 0; i < r->n_txns; i++) {
        hist_free(r->response[i]);
        hist_free(r->service[i]);
    }
    hist_free(r->empty);
    arena_release(&r->arena);
}

enum rc store_each_interval(struct store *s, int64_t run,
                            stored_interval_fn *fn, void *arg, struct err *err)
{
    struct reader *r = MEM_NEW(struct reader);
    enum rc rc;

    if (!r)
        return err_set(err, RC_NOMEM, "no memory for a stored run");
    r->store = s;
    r->run = run;
    rc = reader_init(r, err);
    if (!rc)
        rc = each_interval(r, fn, arg, err);
    reader_release(r);
    mem_free(r);
    return rc;
}

enum rc store_count_intervals(struct store *s, int64_t run, bool measured,
                              size_t *out, struct err *err)
{
    sqlite3_stmt *stmt = NULL;
    bool there = false;
    enum rc rc = store_prepare(
        s,
        measured ? "SELECT count(*) FROM intervals WHERE run = ? AND "
                   "phase = 'measure'"
                 : "SELECT count(*) FROM intervals WHERE run = ?",
        &stmt, err);

    *out = 0;
    if (rc)
        return rc;
    store_bind(stmt, "i", run);
    rc = store_step(s, stmt, &there, err);
    if (!rc && there)
        *out = (size_t)sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return rc;
}

enum rc store_hist(struct store *s, int64_t run, const char *name,
                   const char *kind, struct hist *h, struct err *err)
{
    sqlite3_stmt *stmt = NULL;
    bool there = false;
    enum rc rc;

    rc = store_prepare(s,
                       "SELECT data FROM histograms WHERE run = ? AND name = "
                       "? AND kind = ?",
                       &stmt, err);
    if (rc)
        return rc;
    store_bind(stmt, "itt", run, name, kind);
    rc = store_step(s, stmt, &there, err);
    if (!rc && there)
        rc = unpack_one(sqlite3_column_blob(stmt, 0),
                        (size_t)sqlite3_column_bytes(stmt, 0), h);
    if (rc == RC_INVALID)
        err_set(err, rc, "the histogram of '%s' in '%s' is broken", name,
                s->path);
    sqlite3_finalize(stmt);
    return rc || there ? rc : RC_NOT_FOUND;
}
