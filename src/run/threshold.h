/* SPDX-License-Identifier: MIT */
/*
 * What a run must reach: new_order.p99<50ms, errors<0.1%, tpm>10000, over the
 * whole measurement interval or, with @10s behind it, in any ten seconds of it.
 */
#ifndef RUN_THRESHOLD_H
#define RUN_THRESHOLD_H

#include "run/result.h"
#include "run/series.h"

enum threshold_metric {
    METRIC_TPS,     /* completed a second */
    METRIC_TPM,     /* completed a minute */
    METRIC_NOPM,    /* the counted transaction's commits a minute */
    METRIC_ERRORS,  /* failed and unknown, share of those that ended */
    METRIC_RETRIES, /* for each that ended */
    METRIC_MEAN,    /* of times, ns */
    METRIC_MAX,
    METRIC_PERCENTILE,
};

enum threshold_op { OP_LESS, OP_AT_MOST, OP_MORE, OP_AT_LEAST };

struct threshold {
    const char *text; /* as given; borrowed */
    enum threshold_metric metric;
    size_t txn;   /* index; the workload's n_txns: all */
    bool service; /* service time instead of response time */
    double pct;
    enum threshold_op op;
    double limit;      /* ns, a share, or a number */
    int64_t window_ns; /* 0: the whole interval */
};

/* text outlives *out. */
MUST_USE enum rc threshold_parse(const char *text, const struct workload *wl,
                                 struct threshold *out, struct err *err);
/* All of a run, in order; windows shorter than the series' intervals are
 * refused.  out holds RESULT_THRESHOLDS_MAX. */
MUST_USE enum rc thresholds_parse(const struct opt_strs *texts,
                                  const struct workload *wl, int64_t every_ns,
                                  struct threshold *out, struct err *err);
/* RC_USAGE when its window can never be full. */
MUST_USE enum rc threshold_check_length(const struct threshold *t,
                                        int64_t interval_ns, struct err *err);

/* Judges while the run goes on, as a listener of its series. */
struct judge;

MUST_USE enum rc judge_new(const struct threshold *thresholds, size_t n,
                           const struct workload *wl, int64_t every_ns,
                           struct judge **out, struct err *err);
void judge_free(struct judge *j); /* NULL is fine */
struct series_listener judge_listener(struct judge *j);
/* After the last interval: one threshold_result for each. */
void judge_collect(struct judge *j, struct run_result *r);

#endif
