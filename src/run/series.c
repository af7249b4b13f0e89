/* SPDX-License-Identifier: MIT */
#include "run/series.h"

#include "base/mem.h"

/* A sum over the workers as it was at the last cut, and what came since. */
struct cumulated {
    struct hist *last, *now, *delta;
};

/* The counters that have been given out, apart for the transactions in the
 * measurement interval and for the others. */
struct series_txn {
    int64_t given[2][N_COUNTERS];
    struct cumulated times[N_TIMINGS];
};

struct series {
    struct series_args args;
    const struct crew *crew;
    struct mono begun, last_cut, next;
    enum interval_phase phase; /* of the interval that goes on */
    struct series_txn txns[INTERVAL_TXNS_MAX];
    struct cumulated lag;
    struct hist *measured_lag;
    struct interval interval;
};

_Static_assert(RESULT_TXNS_MAX <= INTERVAL_TXNS_MAX,
               "an interval has room for all transactions");

void series_listen(struct series_listeners *list,
                   struct series_listener listener)
{
    if (list->n == SERIES_LISTENERS_MAX)
        BUG("more than %d listeners", SERIES_LISTENERS_MAX);
    list->items[list->n++] = listener;
}

/* hist_new() touches all of it, so that nothing grows later. */
static bool cumulated_init(struct cumulated *c)
{
    c->last = hist_new();
    c->now = hist_new();
    c->delta = hist_new();
    return c->last && c->now && c->delta;
}

static void cumulated_release(struct cumulated *c)
{
    hist_free(c->last);
    hist_free(c->now);
    hist_free(c->delta);
}

/* With the sum in now: delta is what came since, last is now. */
static void cumulated_step(struct cumulated *c)
{
    struct hist *swap = c->last;

    hist_reset(c->delta);
    hist_add(c->delta, c->now);
    hist_subtract(c->delta, c->last);
    c->last = c->now;
    c->now = swap;
    hist_reset(c->now);
}

enum rc series_new(const struct series_args *args, struct series **out,
                   struct err *err)
{
    struct series *s = MEM_NEW(struct series);
    bool ok = s;

    if (ok) {
        s->args = *args;
        s->measured_lag = hist_new();
        ok = s->measured_lag && cumulated_init(&s->lag);
    }
    for (size_t i = 0; ok && i < args->n_txns; i++) {
        for (size_t k = 0; ok && k < N_TIMINGS; k++)
            ok = cumulated_init(&s->txns[i].times[k]);
    }
    if (!ok) {
        series_free(s);
        return err_set(err, RC_NOMEM, "no memory for the series of a run");
    }
    *out = s;
    return RC_OK;
}

void series_free(struct series *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->args.n_txns; i++) {
        for (size_t k = 0; k < N_TIMINGS; k++)
            cumulated_release(&s->txns[i].times[k]);
    }
    cumulated_release(&s->lag);
    hist_free(s->measured_lag);
    mem_free(s);
}

void series_begin(struct series *s, const struct crew *crew, struct mono now,
                  enum interval_phase phase)
{
    s->crew = crew;
    s->phase = phase;
    s->begun = now;
    s->last_cut = now;
    s->next = mono_add(now, s->args.every_ns);
}

struct mono series_next(const struct series *s)
{
    return s->next;
}

/* What came since in this phase, of the transactions that belong to it. */
static void count_txn(struct series *s, size_t txn,
                      const struct recorder_sum *now, struct interval_txn *out)
{
    const bool measured = s->phase == PHASE_MEASURE;
    int64_t *given = s->txns[txn].given[measured];
    uint64_t d[N_COUNTERS];

    for (size_t k = 0; k < N_COUNTERS; k++) {
        const int64_t in = (int64_t)now->measured[k];
        const int64_t is = measured ? in : (int64_t)now->life[k] - in;

        /* Between the two counters of one event no order is promised: what
         * seems to be less comes right at the next cut. */
        d[k] = is > given[k] ? (uint64_t)(is - given[k]) : 0;
        given[k] += (int64_t)d[k];
    }
    *out = (struct interval_txn){
        .name = s->args.types[txn].name,
        .committed = d[COUNT_COMMITTED],
        .rolled_back = d[COUNT_ROLLED_BACK],
        .failed = d[COUNT_FAILED],
        .unknown = d[COUNT_UNKNOWN],
        .retries = d[COUNT_RETRIES],
        .statements = d[COUNT_STATEMENTS],
        .round_trips = d[COUNT_ROUND_TRIPS],
        .wait_ns = (int64_t)d[COUNT_WAIT_NS],
    };
}

static void take_txn(struct series *s, size_t txn, struct interval_txn *out)
{
    struct series_txn *t = &s->txns[txn];
    struct recorder_sum now = {.life = {0}};

    for (size_t i = 0; i < s->args.n_recorders; i++) {
        const struct recorder *r = &s->args.recorders[i];

        recorder_sum_add(&now, r, txn);
        for (size_t k = 0; k < N_TIMINGS; k++)
            hist_add(t->times[k].now, r->txns[txn].times[k]);
    }
    count_txn(s, txn, &now, out);
    for (size_t k = 0; k < N_TIMINGS; k++)
        cumulated_step(&t->times[k]);
    out->response_hist = t->times[TIME_RESPONSE].delta;
    out->service_hist = t->times[TIME_SERVICE].delta;
    out->wait_hist = t->times[TIME_WAIT].delta;
    hist_figures(out->response_hist, &out->response);
    hist_figures(out->service_hist, &out->service);
    hist_figures(out->wait_hist, &out->wait);
}

static void take_lag(struct series *s, struct interval *out)
{
    crew_lag_add(s->crew, s->lag.now);
    cumulated_step(&s->lag);
    out->lag_hist = s->lag.delta;
    hist_figures(out->lag_hist, &out->lag);
    if (s->phase == PHASE_MEASURE)
        hist_add(s->measured_lag, s->lag.delta);
}

void series_cut(struct series *s, struct mono end, uint64_t users_active,
                enum interval_phase phase)
{
    struct interval *it = &s->interval;

    it->phase = s->phase;
    it->begin_ns = mono_since(s->last_cut, s->begun);
    it->length_ns = mono_since(end, s->last_cut);
    it->users_active = users_active;
    it->n_txns = s->args.n_txns;
    it->n_samples = 0;
    it->samples_not_listed = 0;
    for (size_t i = 0; i < s->args.n_txns; i++)
        take_txn(s, i, &it->txns[i]);
    take_lag(s, it);
    for (size_t i = 0; i < s->args.listeners->n; i++) {
        const struct series_listener *l = &s->args.listeners->items[i];

        if (l->interval)
            l->interval(l->arg, it);
    }
    it->number++;
    /* A new phase begins with a full interval. */
    if (phase != s->phase)
        s->next = end;
    while (s->next.ns <= end.ns)
        s->next = mono_add(s->next, s->args.every_ns);
    s->last_cut = end;
    s->phase = phase;
}

const struct hist *series_lag(const struct series *s)
{
    return s->measured_lag;
}
