/* SPDX-License-Identifier: MIT */
/* How the run went over its interval, and whether it was steady. */
#include "report/cell.h"
#include "report/spark.h"
#include "report/text_int.h"

#include <math.h>

/* A drift that is known no better than this, share of the mean, is not. */
#define TOO_WIDE 0.4

static void range_of(const double *x, size_t n, double *low, double *high)
{
    *low = INFINITY;
    *high = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i]))
            continue;
        *low = fmin(*low, x[i]);
        *high = fmax(*high, x[i]);
    }
}

static void throughput(struct doc *d, const double *tps, size_t n)
{
    char spark[SPARK_BYTES], least[CELL_BYTES], most[CELL_BYTES];
    double low, high;

    range_of(tps, n, &low, &high);
    spark_line(tps, n, false, spark);
    cell_rate(low, least);
    cell_rate(high, most);
    doc_pair(d, "TPS", "%s %s to %s", spark, least, most);
}

static void slowest(struct doc *d, const struct run_result *r, size_t n)
{
    const struct run_course *c = &r->course;
    char spark[SPARK_BYTES], least[CELL_BYTES], most[CELL_BYTES], name[48];
    double p99[COURSE_POINTS_MAX], low, high;
    size_t n_known = 0;

    for (size_t i = 0; i < n; i++) {
        p99[i] = c->points[i].p99_ns > 0 ? (double)c->points[i].p99_ns : NAN;
        n_known += c->points[i].p99_ns > 0;
    }
    if (n_known == 0 || c->txn >= r->n_txns)
        return;
    range_of(p99, n, &low, &high);
    spark_line(p99, n, true, spark);
    cell_duration(low, least);
    cell_duration(high, most);
    snprintf(name, sizeof(name), "p99 %.40s", r->txns[c->txn].type->label);
    doc_pair(d, name, "%s %s to %s", spark, least, most);
}

static void steadiness(struct doc *d, const struct run_result *r)
{
    const struct steady *s = &r->steady;
    char from[CELL_BYTES];

    if (!s->tested) {
        doc_pair(d, "steady", "not tested: %s",
                 r->course.n < STEADY_POINTS_MIN
                     ? "too few intervals"
                     : "the run did not end, or its load changes by plan");
        return;
    }
    if (steady_holds(s) && s->drift_high - s->drift_low > TOO_WIDE) {
        doc_pair(d, "steady",
                 "cannot be told, the noise is too large: drift %+.0f %% "
                 "(%+.0f to %+.0f)",
                 100 * s->drift, 100 * s->drift_low, 100 * s->drift_high);
        return;
    }
    if (steady_holds(s)) {
        doc_pair(d, "steady", "yes; drift %+.1f %% (%+.1f to %+.1f)",
                 100 * s->drift, 100 * s->drift_low, 100 * s->drift_high);
        return;
    }
    cell_duration(s->warm_from * (double)r->interval_ns, from);
    if (s->warming)
        doc_pair(d, "NOT STEADY",
                 "the warm-up was not over: throughput of the first tenth was "
                 "%.0f %% %s; it ends about %s into the interval, so give "
                 "--ramp-up that much more",
                 100 * fabs(s->first), s->first < 0 ? "lower" : "higher", from);
    if (s->drifting)
        doc_pair(d, "NOT STEADY",
                 "throughput drifts by %+.1f %% (%+.1f to %+.1f) over the "
                 "interval%s",
                 100 * s->drift, 100 * s->drift_low, 100 * s->drift_high,
                 s->warming ? " after that" : "");
}

void text_course(struct doc *d, const struct run_result *r)
{
    double tps[COURSE_POINTS_MAX];
    const size_t n = course_throughput(&r->course, tps);

    if (n < 2)
        return;
    doc_heading(d, "Over the interval, from zero to the highest");
    throughput(d, tps, n);
    slowest(d, r, n);
    steadiness(d, r);
}
