/* SPDX-License-Identifier: MIT */
/*
 * Whether a series went on at one level: its warm-up was over when it began,
 * and it did not drift.  How, and how often it is wrong:
 * docs/design/steadiness.md.
 */
#ifndef STATS_STEADY_H
#define STATS_STEADY_H

#include "base/base.h"

#define STEADY_POINTS_MIN 20
#define STEADY_POINTS_MAX 256
/* What is smaller is not worth a warning, shares of the mean. */
#define STEADY_SHARE 0.05

struct steady {
    bool tested; /* else there are too few values, or nothing happened */
    bool warming, drifting;
    /* The first tenth against the rest: -0.2 is a fifth less. */
    double first, first_p;
    /* The share of the series that the warm-up takes; 0: none is seen. */
    double warm_from;
    /* The change from the begin to the end of what comes after the warm-up,
     * as a share of its mean, and its 95 % interval. */
    double drift, drift_low, drift_high, drift_p;
};

/* x: throughput of parts of equal length, at most STEADY_POINTS_MAX. */
void steady_test(const double *x, size_t n, struct steady *out);

static inline bool steady_holds(const struct steady *s)
{
    return !s->warming && !s->drifting;
}

#endif
