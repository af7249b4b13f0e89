/* SPDX-License-Identifier: MIT */
#include "run/recorder.h"

#include <stdio.h>

enum rc recorder_init(struct recorder *r, size_t n_txns, struct err *err)
{
    *r = (struct recorder){.n_txns = n_txns};
    for (size_t i = 0; i < n_txns; i++) {
        for (size_t k = 0; k < N_TIMINGS; k++) {
            r->txns[i].times[k] = hist_new();
            if (!r->txns[i].times[k]) {
                recorder_release(r);
                return err_set(err, RC_NOMEM, "no memory for histograms");
            }
            hist_reset(r->txns[i].times[k]);
        }
    }
    return RC_OK;
}

void recorder_release(struct recorder *r)
{
    for (size_t i = 0; i < r->n_txns; i++) {
        for (size_t k = 0; k < N_TIMINGS; k++)
            hist_free(r->txns[i].times[k]);
    }
    step_stats_free(r->steps);
    *r = (struct recorder){0};
}

static void bump(_Atomic uint64_t *counter, uint64_t n)
{
    /* One writer; partner: the relaxed loads of readers. */
    atomic_store_explicit(
        counter, atomic_load_explicit(counter, memory_order_relaxed) + n,
        memory_order_relaxed);
}

static void count(_Atomic uint64_t *counters, const struct txn_event *e)
{
    bump(&counters[e->outcome], 1);
    bump(&counters[COUNT_STATEMENTS], e->statements);
    bump(&counters[COUNT_ROUND_TRIPS], e->round_trips);
    if (e->bytes_sent > 0) {
        bump(&counters[COUNT_BYTES_SENT], e->bytes_sent);
        bump(&counters[COUNT_BYTES_RECEIVED], e->bytes_received);
    }
    if (UNLIKELY(e->retries > 0))
        bump(&counters[COUNT_RETRIES], e->retries);
    if (e->wait_ns > 0)
        bump(&counters[COUNT_WAIT_NS], (uint64_t)e->wait_ns);
    if (e->late_ns > 0)
        bump(&counters[COUNT_LATE_NS], (uint64_t)e->late_ns);
    if (e->conn_wait_ns > 0)
        bump(&counters[COUNT_CONN_WAIT_NS], (uint64_t)e->conn_wait_ns);
}

void recorder_begin(struct recorder *r)
{
    bump(&r->n_begun, 1);
}

void recorder_add(struct recorder *r, const struct txn_event *e)
{
    struct txn_record *t = &r->txns[e->txn];

    bump(&r->n_ended, 1);
    count(t->life, e);
    if (!e->measured)
        return;
    count(t->measured, e);
    hist_record(t->times[TIME_RESPONSE], e->response_ns);
    hist_record(t->times[TIME_SERVICE], e->response_ns - e->wait_ns);
    if (e->wait_ns > 0)
        hist_record(t->times[TIME_WAIT], e->wait_ns);
}

static bool same_kind(const struct run_error *a, const struct run_error *b)
{
    return a->txn == b->txn && a->rc == b->rc && a->native == b->native &&
           !strcmp(a->sqlstate, b->sqlstate);
}

/* Adds to a table of kinds; NULL when the table is full. */
static struct run_error *find_kind(struct run_error *table, size_t *n,
                                   size_t cap, const struct run_error *kind)
{
    for (size_t i = 0; i < *n; i++) {
        if (same_kind(&table[i], kind))
            return &table[i];
    }
    if (*n == cap)
        return NULL;
    table[*n] = *kind;
    table[*n].count = 0;
    return &table[(*n)++];
}

void recorder_error(struct recorder *r, const struct error_kind *kind,
                    error_text_fn *text, const void *arg)
{
    struct run_error new = {
        .txn = kind->txn, .rc = kind->rc, .native = kind->native};
    struct run_error *e;

    if (-kind->rc >= 0 && -kind->rc < RECORDER_CLASSES)
        bump(&r->classes[-kind->rc], 1);
    snprintf(new.sqlstate, sizeof(new.sqlstate), "%s", kind->sqlstate);
    e = find_kind(r->errors, &r->n_errors, RECORDER_ERRORS_MAX, &new);
    if (!e) {
        r->errors_not_listed++;
        return;
    }
    if (e->count++ == 0 && text) {
        struct err err = {0};

        text(arg, &err);
        snprintf(e->text, sizeof(e->text), "%.*s", (int)sizeof(e->text) - 1,
                 err.text);
    }
}

static uint64_t get(const _Atomic uint64_t *counters, enum counter which)
{
    return atomic_load_explicit(&counters[which], memory_order_relaxed);
}

void recorder_sum_add(struct recorder_sum *sum, const struct recorder *r,
                      size_t txn)
{
    for (size_t k = 0; k < N_COUNTERS; k++) {
        sum->life[k] += get(r->txns[txn].life, (enum counter)k);
        sum->measured[k] += get(r->txns[txn].measured, (enum counter)k);
    }
}

static void add_outcomes(struct outcome_counts *out,
                         const _Atomic uint64_t *counters)
{
    out->committed += get(counters, COUNT_COMMITTED);
    out->rolled_back += get(counters, COUNT_ROLLED_BACK);
    out->failed += get(counters, COUNT_FAILED);
    out->unknown += get(counters, COUNT_UNKNOWN);
    out->retries += get(counters, COUNT_RETRIES);
}

/* NULL when there is no room, or no memory. */
static struct statement_result *find_statement(struct run_result *out,
                                               const struct step_stat *stat)
{
    const char *name = stat->step ? stat->step->name : NULL;
    struct statement_result *s;

    for (size_t i = 0; i < out->n_statements; i++) {
        s = &out->statements[i];
        if (s->txn == stat->txn && s->call == stat->call &&
            (s->name == name || (s->name && name && !strcmp(s->name, name))))
            return s;
    }
    if (out->n_statements == RESULT_STATEMENTS_MAX)
        return NULL;
    s = &out->statements[out->n_statements];
    *s = (struct statement_result){
        .txn = stat->txn, .call = stat->call, .time = hist_new()};
    /* The step goes with the session, the result stays. */
    s->name = name ? arena_strdup(&out->arena, name) : NULL;
    if (!s->time || (name && !s->name)) {
        hist_free(s->time);
        return NULL;
    }
    out->n_statements++;
    return s;
}

static void collect_statements(const struct recorder *r, struct run_result *out)
{
    for (size_t i = 0; i < step_stats_count(r->steps); i++) {
        const struct step_stat *stat = step_stats_get(r->steps, i);
        struct statement_result *to = find_statement(out, stat);

        if (to)
            hist_add(to->time, stat->hist);
        else
            out->statements_not_listed += hist_count(stat->hist);
    }
    out->statements_not_listed += step_stats_not_listed(r->steps);
}

void recorder_collect(const struct recorder *r, struct run_result *out)
{
    if (r->steps)
        collect_statements(r, out);
    for (size_t i = 0; i < r->n_txns; i++) {
        const struct txn_record *t = &r->txns[i];
        struct txn_result *to = &out->txns[i];

        add_outcomes(&to->life, t->life);
        add_outcomes(&to->measured, t->measured);
        to->statements += get(t->measured, COUNT_STATEMENTS);
        to->round_trips += get(t->measured, COUNT_ROUND_TRIPS);
        to->bytes_sent += get(t->measured, COUNT_BYTES_SENT);
        to->bytes_received += get(t->measured, COUNT_BYTES_RECEIVED);
        to->wait_ns += (int64_t)get(t->measured, COUNT_WAIT_NS);
        to->late_ns += (int64_t)get(t->measured, COUNT_LATE_NS);
        to->conn_wait_ns += (int64_t)get(t->measured, COUNT_CONN_WAIT_NS);
        hist_add(to->response, t->times[TIME_RESPONSE]);
        hist_add(to->service, t->times[TIME_SERVICE]);
        hist_add(to->wait, t->times[TIME_WAIT]);
    }
    for (size_t i = 0; i < r->n_errors; i++) {
        struct run_error *e = find_kind(out->errors, &out->n_errors,
                                        RESULT_ERRORS_MAX, &r->errors[i]);

        if (e)
            e->count += r->errors[i].count;
        else
            out->errors_not_listed += r->errors[i].count;
    }
    out->errors_not_listed += r->errors_not_listed;
}
