/* SPDX-License-Identifier: MIT */
#include "stats/steady.h"

#include "base/err.h"
#include "stats/longrun.h"
#include "stats/pvalue.h"

#include <math.h>

#define FIRST_SHARE 10 /* the first tenth */
#define ALARM_P 0.005  /* for each of the two tests */
#define LEVEL 0.95

/* ---- a straight line ---- */

struct line {
    double mean, slope; /* of the whole series: from its begin to its end */
    double rest[STEADY_POINTS_MAX];
    double spread; /* sum of squares of the places, which go from -1/2 to 1/2 */
};

static double place(size_t i, size_t n)
{
    return ((double)i + 0.5) / (double)n - 0.5;
}

static void fit_line(const double *x, size_t n, struct line *out)
{
    double product = 0;

    out->mean = out->spread = 0;
    for (size_t i = 0; i < n; i++)
        out->mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        out->spread += place(i, n) * place(i, n);
        product += place(i, n) * (x[i] - out->mean);
    }
    out->slope = product / out->spread;
    for (size_t i = 0; i < n; i++)
        out->rest[i] = x[i] - out->mean - out->slope * place(i, n);
}

/* ---- the two tests ---- */

static void test_drift(const double *x, size_t n, struct steady *out)
{
    struct line line;
    struct longrun rest;
    double error, df, t;

    fit_line(x, n, &line);
    if (line.mean <= 0)
        return;
    rest = longrun_of(line.rest, n);
    /* The variance of the mean of n values, of one value, of the slope. */
    error = sqrt(rest.variance * (double)n / line.spread) / line.mean;
    df = fmax(1, rest.independent - 2);
    t = quantile_student(1 - LEVEL, df);
    out->drift = line.slope / line.mean;
    out->drift_low = out->drift - t * error;
    out->drift_high = out->drift + t * error;
    out->drift_p = error > 0 ? pvalue_student(out->drift / error, df) : 1;
    out->drifting = out->drift_p < ALARM_P && fabs(out->drift) >= STEADY_SHARE;
}

static double variance_of(const double *x, size_t n, double mean)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return n > 1 ? sum / (double)(n - 1) : 0;
}

/* The noise is that of the later half, which has no warm-up in it; but where
 * the first tenth has more of its own (an outlier), that. */
static void test_warm_up(const double *x, size_t n, struct steady *out)
{
    const size_t n_first = n / FIRST_SHARE, half = n / 2;
    struct line late;
    struct longrun rest;
    double first = 0, later = 0, each, error, df;

    for (size_t i = 0; i < n; i++) {
        if (i < n_first)
            first += x[i] / (double)n_first;
        else
            later += x[i] / (double)(n - n_first);
    }
    if (later <= 0)
        return;
    fit_line(x + half, n - half, &late);
    rest = longrun_of(late.rest, n - half);
    each = rest.variance * (double)(n - half);
    error = sqrt(fmax(each, variance_of(x, n_first, first)) / (double)n_first +
                 each / (double)(n - n_first)) /
            later;
    df = fmax(1, rest.independent - 2);
    out->first = first / later - 1;
    out->first_p = error > 0 ? pvalue_student(out->first / error, df) : 1;
    out->warming = out->first_p < ALARM_P && fabs(out->first) >= STEADY_SHARE;
}

/* Where to cut so that the mean of the rest is known best (MSER: White,
 * Simulation 69, 1997); never more than half. */
static size_t warm_up_end(const double *x, size_t n)
{
    double sum = 0, squares = 0, least = INFINITY;
    size_t best = 0;

    for (size_t i = n; i-- > 0;) {
        const double m = (double)(n - i);
        double score;

        sum += x[i];
        squares += x[i] * x[i];
        score = (squares - sum * sum / m) / (m * m);
        if (i <= n / 2 && score < least) {
            least = score;
            best = i;
        }
    }
    return best;
}

void steady_test(const double *x, size_t n, struct steady *out)
{
    size_t from = 0;
    double sum = 0;

    *out = (struct steady){.first_p = 1, .drift_p = 1};
    if (n > STEADY_POINTS_MAX)
        BUG("%zu points to be tested for steadiness", n);
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    if (n < STEADY_POINTS_MIN || sum <= 0)
        return;
    out->tested = true;
    test_warm_up(x, n, out);
    if (out->warming) {
        from = warm_up_end(x, n);
        out->warm_from = (double)from / (double)n;
    }
    test_drift(x + from, n - from, out);
}
