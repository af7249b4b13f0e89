/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "store/keep_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

/* An integer and a comma each. */
#define SAMPLES_BYTES (INTERVAL_SAMPLES_MAX * 22 + 3)
#define UUID_BYTES 33

/* ---- the head ---- */

static enum rc make_uuid(char *out, struct err *err)
{
    uint8_t bytes[(UUID_BYTES - 1) / 2];

    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return err_set(err, RC_IO, "there are no random numbers");
    for (size_t i = 0; i < sizeof(bytes); i++)
        snprintf(out + (2 * i), 3, "%02x", bytes[i]);
    return RC_OK;
}

static enum rc put_run(struct store *s, const struct store_head *h,
                       struct err *err)
{
    static const char sql[] =
        "INSERT INTO runs (uuid, name, number, status, workload, composition, "
        "note, driver, target, in_process, no_database, scale, vus, "
        "connections, threads, seed, data_seed, counted, started_us, version, "
        "host, pid) VALUES (?, ?, nullif(?, 0), 'running', ?, ?, ?, ?, ?, ?, "
        "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    char uuid[UUID_BYTES], seed[24], data_seed[24], host[256] = "";
    enum rc rc = make_uuid(uuid, err);

    if (rc)
        return rc;
    snprintf(seed, sizeof(seed), "%" PRIu64, h->seed);
    snprintf(data_seed, sizeof(data_seed), "%" PRIu64, h->data_seed);
    (void)gethostname(host, sizeof(host) - 1);
    rc = store_do(s, err, sql,
                  "ttittttt"
                  "iiiiii"
                  "ttt"
                  "itti",
                  uuid, h->name, (int64_t)h->number, h->workload,
                  h->composition, h->note, h->driver, h->target,
                  (int64_t)h->in_process, (int64_t)h->no_database,
                  (int64_t)h->scale, (int64_t)h->vus, (int64_t)h->connections,
                  (int64_t)h->threads, seed, data_seed, h->counted,
                  h->started_us, h->version, host, (int64_t)getpid());
    if (rc && (sqlite3_extended_errcode(s->db) == SQLITE_CONSTRAINT_UNIQUE))
        return err_set(err, RC_BUSY,
                       "a run named '%s' is in results store '%s' already; "
                       "choose another --name",
                       h->name, s->path);
    return rc;
}

static enum rc put_texts(struct store *s, int64_t run, const char *sql,
                         const struct store_text *texts, size_t n,
                         struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < n; i++)
        rc = store_do(s, err, sql, texts[i].source ? "iittt" : "iitt", run,
                      (int64_t)i, texts[i].name, texts[i].value,
                      texts[i].source);
    return rc;
}

static enum rc put_head_rows(struct store *s, int64_t run,
                             const struct store_head *h, struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < h->n_txns; i++)
        rc = store_do(s, err, "INSERT INTO transactions VALUES (?, ?, ?)",
                      "iit", run, (int64_t)i, h->txns[i]);
    if (!rc)
        rc = put_texts(s, run, "INSERT INTO settings VALUES (?, ?, ?, ?, ?)",
                       h->settings, h->n_settings, err);
    if (!rc)
        rc = put_texts(s, run, "INSERT INTO facts VALUES (?, ?, ?, ?)",
                       h->facts, h->n_facts, err);
    for (size_t i = 0; !rc && i < h->n_labels; i++)
        rc = store_do(s, err, "INSERT OR IGNORE INTO labels VALUES (?, ?, ?)",
                      "itt", run, h->labels[i].name, h->labels[i].value);
    return rc;
}

enum rc keep_head(struct store *s, const struct store_head *head,
                  int64_t *out_run, struct err *err)
{
    enum rc rc = store_begin(s, err);

    if (rc)
        return rc;
    rc = put_run(s, head, err);
    if (!rc) {
        *out_run = sqlite3_last_insert_rowid(s->db);
        rc = put_head_rows(s, *out_run, head, err);
    }
    /* Before anybody can see it. */
    if (!rc)
        store_running_claim(s, *out_run);
    return store_end(s, rc, err);
}

/* ---- an interval ---- */

static const char *phase_name(enum interval_phase phase)
{
    switch (phase) {
    case PHASE_RAMP_UP:
        return "ramp_up";
    case PHASE_MEASURE:
        return "measure";
    case PHASE_DRAIN:
        return "drain";
    }
    return NULL;
}

static enum rc put_txn(struct store *s, int64_t run, const struct interval *it,
                       size_t i, struct err *err)
{
    static const char sql[] =
        "INSERT INTO interval_transactions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    const struct interval_txn *t = &it->txns[i];
    const struct hist_figures *r = &t->response, *v = &t->service;

    return store_do(s, err, sql,
                    "iiiiiiiiiii"
                    "iiiiiiii"
                    "iiiiiii",
                    run, (int64_t)it->number, (int64_t)i, (int64_t)t->committed,
                    (int64_t)t->rolled_back, (int64_t)t->failed,
                    (int64_t)t->unknown, (int64_t)t->retries,
                    (int64_t)t->statements, (int64_t)t->round_trips, t->wait_ns,
                    (int64_t)r->n, r->sum_ns, r->p50_ns, r->p90_ns, r->p95_ns,
                    r->p99_ns, r->p999_ns, r->max_ns, v->sum_ns, v->p50_ns,
                    v->p90_ns, v->p95_ns, v->p99_ns, v->p999_ns, v->max_ns);
}

/* A type that the workload has and the mix has not takes no row. */
static bool is_empty(const struct interval_txn *t)
{
    return t->committed + t->rolled_back + t->failed + t->unknown +
               t->retries ==
           0;
}

static enum rc put_names(struct store *s, int64_t run, const struct kept *kept,
                         const char *const *names, size_t n_named,
                         struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = n_named; !rc && i < kept->n_names; i++)
        rc = store_do(s, err, "INSERT INTO telemetry_names VALUES (?, ?, ?)",
                      "iit", run, (int64_t)i, names[i]);
    return rc;
}

static enum rc put_samples(struct store *s, int64_t run,
                           const struct kept *kept, struct err *err)
{
    const struct interval *it = &kept->it;
    const int64_t *by_place[INTERVAL_SAMPLES_MAX] = {NULL};
    char text[SAMPLES_BYTES];
    size_t len = 0;

    if (it->n_samples == 0)
        return RC_OK;
    for (size_t i = 0; i < it->n_samples; i++)
        by_place[kept->places[i]] = &it->samples[i].value;
    for (size_t i = 0; i < kept->n_names; i++) {
        text[len++] = i == 0 ? '[' : ',';
        if (by_place[i])
            len += (size_t)snprintf(text + len, sizeof(text) - len, "%" PRId64,
                                    *by_place[i]);
        else
            len += (size_t)snprintf(text + len, sizeof(text) - len, "null");
    }
    snprintf(text + len, sizeof(text) - len, "]");
    return store_do(s, err, "INSERT INTO telemetry VALUES (?, ?, ?)", "iit",
                    run, (int64_t)it->number, text);
}

static enum rc put_interval(struct store *s, int64_t run,
                            const struct kept *kept, struct err *err)
{
    const struct interval *it = &kept->it;
    enum rc rc;

    rc = store_do(
        s, err, "INSERT INTO intervals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        kept->n_histograms > 0 ? "iitiiiiib" : "iitiiiiin", run,
        (int64_t)it->number, phase_name(it->phase), it->begin_ns / NS_PER_US,
        it->length_ns / NS_PER_US, (int64_t)it->users_active, it->lag.p99_ns,
        it->lag.max_ns, kept->histograms, kept->n_histograms);
    for (size_t i = 0; !rc && i < it->n_txns; i++) {
        if (!is_empty(&it->txns[i]))
            rc = put_txn(s, run, it, i, err);
    }
    return rc;
}

enum rc keep_interval(struct store *s, int64_t run, const struct kept *kept,
                      const char *const *names, size_t *n_named,
                      struct err *err)
{
    enum rc rc = store_begin(s, err);

    if (rc)
        return rc;
    rc = put_interval(s, run, kept, err);
    if (!rc)
        rc = put_names(s, run, kept, names, *n_named, err);
    if (!rc)
        rc = put_samples(s, run, kept, err);
    rc = store_end(s, rc, err);
    if (!rc && kept->n_names > *n_named)
        *n_named = kept->n_names;
    return rc;
}

/* ---- the tail ---- */

static enum rc put_end(struct store *s, int64_t run, const struct store_tail *t,
                       struct err *err)
{
    return store_do(s, err,
                    "UPDATE runs SET status = ?, reason = ?, valid = ?, "
                    "ended_us = ?, ramp_up_us = ?, interval_us = ?, tps = ?, "
                    "nopm = CASE WHEN ?8 >= 0 THEN ?8 END, summary = ? "
                    "WHERE id = ?",
                    "ttiiiiddti", t->complete ? "complete" : "partial",
                    t->reason, (int64_t)t->valid, t->ended_us, t->ramp_up_us,
                    t->interval_us, t->tps, t->nopm, t->summary, run);
}

static enum rc put_report(struct store *s, int64_t run, const char *format,
                          const char *body, struct err *err)
{
    if (!body)
        return RC_OK;
    return store_do(s, err, "INSERT INTO reports VALUES (?, ?, ?)", "itt", run,
                    format, body);
}

static enum rc put_findings(struct store *s, int64_t run,
                            const struct store_tail *t, struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < t->n_errors; i++) {
        const struct store_error *e = &t->errors[i];

        rc = store_do(s, err,
                      "INSERT INTO errors VALUES (?, ?, ?, ?, ?, "
                      "nullif(?, ''), ?, ?)",
                      "iittitit", run, (int64_t)i, e->name, e->class,
                      (int64_t)e->native, e->sqlstate, (int64_t)e->count,
                      e->text);
    }
    for (size_t i = 0; !rc && i < t->n_checks; i++) {
        const struct store_check *c = &t->checks[i];

        rc =
            store_do(s, err,
                     "INSERT INTO audit_checks VALUES (?, ?, ?, ?, ?, ?, ?, "
                     "nullif(?, ''))",
                     "iitttiit", run, (int64_t)i, c->name, c->title, c->verdict,
                     (int64_t)c->n_checked, (int64_t)c->n_failed, c->detail);
    }
    return rc;
}

static enum rc put_hist(struct store *s, int64_t run,
                        const struct store_hist *h, struct err *err)
{
    struct buf data = BUF_INIT(1 << 20);
    enum rc rc = pack_one(h->hist, &data);

    if (rc)
        err_set(err, rc, "no memory for packing histograms");
    else
        rc = store_do(s, err, "INSERT INTO histograms VALUES (?, ?, ?, ?)",
                      "ittb", run, h->name, h->kind, (const void *)data.data,
                      data.len);
    buf_release(&data);
    return rc;
}

static enum rc put_statement(struct store *s, int64_t run, size_t position,
                             const struct store_statement *st, struct err *err)
{
    struct buf data = BUF_INIT(1 << 20);
    struct hist_figures f;
    enum rc rc = pack_one(st->hist, &data);

    hist_figures(st->hist, &f);
    if (rc)
        err_set(err, rc, "no memory for packing histograms");
    else
        rc = store_do(s, err,
                      "INSERT INTO statements VALUES (?, ?, ?, ?, ?, ?, ?, ?, "
                      "?, ?, ?)",
                      "iitttidiiib", run, (int64_t)position, st->txn, st->call,
                      st->name, (int64_t)f.n, hist_mean(st->hist), f.p50_ns,
                      f.p99_ns, f.max_ns, (const void *)data.data, data.len);
    buf_release(&data);
    return rc;
}

enum rc keep_tail(struct store *s, int64_t run, const struct store_tail *tail,
                  struct err *err)
{
    enum rc rc = store_begin(s, err);

    if (rc)
        return rc;
    rc = put_end(s, run, tail, err);
    if (!rc)
        rc = put_findings(s, run, tail, err);
    for (size_t i = 0; !rc && i < tail->n_hists; i++)
        rc = put_hist(s, run, &tail->hists[i], err);
    for (size_t i = 0; !rc && i < tail->n_statements; i++)
        rc = put_statement(s, run, i, &tail->statements[i], err);
    if (!rc)
        rc = put_report(s, run, "text", tail->text, err);
    if (!rc)
        rc = put_report(s, run, "markdown", tail->markdown, err);
    return store_end(s, rc, err);
}
