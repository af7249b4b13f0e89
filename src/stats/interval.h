/* SPDX-License-Identifier: MIT */
/*
 * One interval of the series of a run, as run/series makes it and as the
 * progress line, the store, thresholds and telemetry take it.  Figures are of
 * this interval alone.
 *
 * A transaction belongs to the interval in whose end its record was seen.  The
 * sum of the intervals in PHASE_MEASURE is the result of the run, value for
 * value.
 */
#ifndef STATS_INTERVAL_H
#define STATS_INTERVAL_H

#include "stats/hist.h"

#define INTERVAL_TXNS_MAX 16
#define INTERVAL_SAMPLES_MAX 256

enum interval_phase {
    PHASE_RAMP_UP,
    PHASE_MEASURE, /* in the measurement interval of the run */
    PHASE_DRAIN,
};

struct interval_txn {
    const char *name;
    uint64_t committed, rolled_back, failed, unknown, retries;
    uint64_t statements, round_trips; /* of first tries */
    int64_t wait_ns;                  /* in dyno's own queues, summed */
    /* Empty outside PHASE_MEASURE.  wait counts those that waited. */
    struct hist_figures response, service, wait;
    /* The same, whole: valid until the listener returns. */
    const struct hist *response_hist, *service_hist, *wait_hist;
};

/* A figure that was sampled beside the transactions. */
struct sample {
    const char
        *name;     /* with its unit, "server.wal_bytes"; lives with the run */
    int64_t value; /* a counter's growth in this interval, or a level */
};

struct interval {
    uint64_t number; /* from 0 */
    enum interval_phase phase;
    int64_t begin_ns;  /* since the run began */
    int64_t length_ns; /* by one monotonic clock, as it was and not as asked */
    uint64_t users_active; /* connected at its end */
    struct interval_txn txns[INTERVAL_TXNS_MAX];
    size_t n_txns;
    struct hist_figures lag; /* of the client's loops */
    const struct hist *lag_hist;
    /* Filled by the listeners that sample, for those behind them. */
    struct sample samples[INTERVAL_SAMPLES_MAX];
    size_t n_samples;
    uint64_t samples_not_listed; /* beyond the table */
};

/* Adds a sample; beyond the table it is counted and dropped. */
void interval_sample(struct interval *interval, const char *name,
                     int64_t value);

#endif
