/* SPDX-License-Identifier: MIT */
/*
 * Thresholds over windows: the last intervals of the series in a ring, their
 * sum kept as intervals come and go.  Those over the whole measurement are
 * judged from the result of the run.
 */
#include "base/mem.h"
#include "run/threshold.h"

/* Figures of one interval, or of several added up. */
struct figures {
    uint64_t completed, ended, bad, retries, counted;
    int64_t length_ns;
    struct hist *times; /* NULL: not needed */
};

struct trial {
    struct threshold threshold;
    struct figures *ring; /* of the window, NULL: the whole interval */
    size_t cap, first, n;
    struct figures sum;
    struct threshold_result result;
};

struct judge {
    struct trial *trials;
    size_t n;
    const struct workload *workload;
    int64_t opened_ns; /* since the run began; -1: not yet */
};

/* ---- making ---- */

static bool needs_times(const struct threshold *t)
{
    return t->metric == METRIC_MEAN || t->metric == METRIC_MAX ||
           t->metric == METRIC_PERCENTILE;
}

static bool figures_init(struct figures *f, const struct threshold *t)
{
    *f = (struct figures){0};
    if (!needs_times(t))
        return true;
    f->times = hist_new();
    /* Touched now, so that no memory appears during the run. */
    if (f->times)
        hist_reset(f->times);
    return f->times != NULL;
}

static bool trial_init(struct trial *trial, const struct threshold *t,
                       int64_t every_ns)
{
    bool ok;

    trial->threshold = *t;
    trial->result.text = t->text;
    trial->result.window_ns = t->window_ns;
    ok = figures_init(&trial->sum, t);
    if (!ok || t->window_ns == 0)
        return ok;
    /* Intervals are cut when the thread wakes: some are shorter. */
    trial->cap = (size_t)(t->window_ns / every_ns) + 4;
    trial->ring = MEM_ARRAY(struct figures, trial->cap);
    ok = trial->ring != NULL;
    for (size_t i = 0; ok && i < trial->cap; i++)
        ok = figures_init(&trial->ring[i], t);
    return ok;
}

static void trial_release(struct trial *trial)
{
    for (size_t i = 0; trial->ring && i < trial->cap; i++)
        hist_free(trial->ring[i].times);
    mem_free(trial->ring);
    hist_free(trial->sum.times);
}

enum rc judge_new(const struct threshold *thresholds, size_t n,
                  const struct workload *wl, int64_t every_ns,
                  struct judge **out, struct err *err)
{
    struct judge *j = MEM_NEW(struct judge);
    bool ok = j != NULL;

    if (ok) {
        j->workload = wl;
        j->opened_ns = -1;
        j->trials = MEM_ARRAY(struct trial, n + 1);
        ok = j->trials != NULL;
        j->n = ok ? n : 0;
    }
    for (size_t i = 0; ok && i < n; i++)
        ok = trial_init(&j->trials[i], &thresholds[i], every_ns);
    if (!ok) {
        judge_free(j);
        return err_set(err, RC_NOMEM, "no memory for thresholds");
    }
    *out = j;
    return RC_OK;
}

void judge_free(struct judge *j)
{
    if (!j)
        return;
    for (size_t i = 0; i < j->n; i++)
        trial_release(&j->trials[i]);
    mem_free(j->trials);
    mem_free(j);
}

/* ---- adding up ---- */

static void take(const struct judge *j, const struct threshold *t,
                 const struct interval *it, struct figures *f)
{
    struct hist *times = f->times;

    *f = (struct figures){.length_ns = it->length_ns, .times = times};
    if (times)
        hist_reset(times);
    for (size_t i = 0; i < it->n_txns; i++) {
        const struct interval_txn *x = &it->txns[i];
        const uint64_t completed = x->committed + x->rolled_back;

        if (t->txn < it->n_txns && t->txn != i)
            continue;
        f->completed += completed;
        f->bad += x->failed + x->unknown;
        f->ended += completed + x->failed + x->unknown;
        f->retries += x->retries;
        if (i == j->workload->counted_txn)
            f->counted += x->committed;
        if (times)
            hist_add(times, t->service ? x->service_hist : x->response_hist);
    }
}

static void add(struct figures *sum, const struct figures *f)
{
    sum->completed += f->completed;
    sum->ended += f->ended;
    sum->bad += f->bad;
    sum->retries += f->retries;
    sum->counted += f->counted;
    sum->length_ns += f->length_ns;
    if (f->times)
        hist_add(sum->times, f->times);
}

/* Added up anew: a maximum cannot be subtracted. */
static void sum_ring(struct trial *trial)
{
    struct hist *times = trial->sum.times;

    trial->sum = (struct figures){.times = times};
    if (times)
        hist_reset(times);
    for (size_t i = 0; i < trial->n; i++)
        add(&trial->sum, &trial->ring[(trial->first + i) % trial->cap]);
}

/* ---- judging ---- */

static double per(uint64_t n, int64_t length_ns, int64_t period_ns)
{
    return (double)n * (double)period_ns / (double)length_ns;
}

/* False when nothing was measured. */
static bool value_of(const struct threshold *t, const struct figures *f,
                     double *out)
{
    if (f->length_ns <= 0)
        return false;
    switch (t->metric) {
    case METRIC_TPS:
        *out = per(f->completed, f->length_ns, NS_PER_S);
        return true;
    case METRIC_TPM:
        *out = per(f->completed, f->length_ns, 60 * NS_PER_S);
        return true;
    case METRIC_NOPM:
        *out = per(f->counted, f->length_ns, 60 * NS_PER_S);
        return true;
    case METRIC_ERRORS:
        *out = f->ended > 0 ? (double)f->bad / (double)f->ended : 0;
        return f->ended > 0;
    case METRIC_RETRIES:
        *out = f->ended > 0 ? (double)f->retries / (double)f->ended : 0;
        return f->ended > 0;
    case METRIC_MEAN:
        *out = hist_mean(f->times);
        return hist_count(f->times) > 0;
    case METRIC_MAX:
        *out = (double)hist_max(f->times);
        return hist_count(f->times) > 0;
    case METRIC_PERCENTILE:
        *out = (double)hist_percentile(f->times, t->pct);
        return hist_count(f->times) > 0;
    }
    return false;
}

static bool holds(const struct threshold *t, double value)
{
    switch (t->op) {
    case OP_LESS:
        return value < t->limit;
    case OP_AT_MOST:
        return value <= t->limit;
    case OP_MORE:
        return value > t->limit;
    case OP_AT_LEAST:
        return value >= t->limit;
    }
    return false;
}

/* Keeps the worst value; begin is that of its window. */
static void judge_sum(struct trial *trial, int64_t begin_ns)
{
    const struct threshold *t = &trial->threshold;
    const bool less = t->op == OP_LESS || t->op == OP_AT_MOST;
    struct threshold_result *r = &trial->result;
    double value;

    if (!value_of(t, &trial->sum, &value))
        return;
    if (r->measured && (less ? value <= r->value : value >= r->value))
        return;
    r->measured = true;
    r->value = value;
    r->worst_from_ns = begin_ns;
    r->passed = holds(t, value);
}

/* A new interval at the end of the window; full ones are judged. */
static void slide(const struct judge *j, struct trial *trial,
                  const struct interval *it)
{
    const int64_t window_ns = trial->threshold.window_ns;
    const int64_t end_ns = it->begin_ns + it->length_ns - j->opened_ns;

    if (trial->n == trial->cap) {
        trial->first = (trial->first + 1) % trial->cap;
        trial->n--;
    }
    take(j, &trial->threshold, it,
         &trial->ring[(trial->first + trial->n) % trial->cap]);
    trial->n++;
    sum_ring(trial);
    while (trial->n > 1 &&
           trial->sum.length_ns - trial->ring[trial->first].length_ns >=
               window_ns) {
        trial->first = (trial->first + 1) % trial->cap;
        trial->n--;
        sum_ring(trial);
    }
    if (trial->sum.length_ns >= window_ns)
        judge_sum(trial, end_ns - trial->sum.length_ns);
}

static void on_interval(void *arg, struct interval *it)
{
    struct judge *j = arg;

    if (it->phase != PHASE_MEASURE)
        return;
    if (j->opened_ns < 0)
        j->opened_ns = it->begin_ns;
    for (size_t i = 0; i < j->n; i++) {
        struct trial *trial = &j->trials[i];

        if (trial->ring)
            slide(j, trial, it);
    }
}

struct series_listener judge_listener(struct judge *j)
{
    return (struct series_listener){.interval = on_interval, .arg = j};
}

/* ---- the whole interval ---- */

static void take_result(const struct threshold *t, const struct run_result *r,
                        struct figures *f)
{
    f->length_ns = r->interval_ns;
    for (size_t i = 0; i < r->n_txns; i++) {
        const struct txn_result *x = &r->txns[i];

        if (t->txn < r->n_txns && t->txn != i)
            continue;
        f->completed += outcome_completed(&x->measured);
        f->ended += outcome_ended(&x->measured);
        f->bad += x->measured.failed + x->measured.unknown;
        f->retries += x->measured.retries;
        if (i == r->workload->counted_txn)
            f->counted += x->measured.committed;
        if (f->times)
            hist_add(f->times, t->service ? x->service : x->response);
    }
}

void judge_collect(struct judge *j, struct run_result *r)
{
    r->n_thresholds = j->n;
    for (size_t i = 0; i < j->n; i++) {
        struct trial *trial = &j->trials[i];

        if (!trial->ring) {
            take_result(&trial->threshold, r, &trial->sum);
            judge_sum(trial, 0);
        }
        trial->result.kind = needs_times(&trial->threshold) ? THRESHOLD_TIME
                             : trial->threshold.metric == METRIC_ERRORS ||
                                     trial->threshold.metric == METRIC_RETRIES
                                 ? THRESHOLD_SHARE
                                 : THRESHOLD_NUMBER;
        r->thresholds[i] = trial->result;
    }
}
