/* SPDX-License-Identifier: MIT */
#include "stats/compare.h"

#include "stats/longrun.h"
#include "stats/pvalue.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Values farther from their fit than so many median deviations are drawn in to
 * there. */
#define CLIP_DEVIATIONS 3.0
/* The median of absolute deviations of a normal distribution, as a share of
 * its standard deviation, is 1 / 1.4826. */
#define MEDIAN_DEVIATION 1.4826
#define CLIP_ROUNDS 20
/* A drift shows when its slope is so many standard errors. */
#define DRIFT_SHOWS 1.5
/* Clipping and looking for a drift cost a little certainty: docs/design. */
#define WIDEN 1.05
/* Power that the smallest difference is stated for. */
#define POWER_QUANTILE 1.2815515655446004 /* of the normal, 90 % */
#define REPEATS_MIN 2
#define RUNS_MIN 4
#define SERIES_MIN 10

/* ---- a line for each side, with one slope ---- */

struct fit {
    const struct compare_run *runs;
    size_t n;
    double y[COMPARE_REPEATS_MAX]; /* logarithms, outliers drawn in */
    double n_side[2], mean_y[2], mean_when[2];
    double spread_when; /* sum of squares of when about its side's mean */
    double slope, slope_error;
    double variance, df; /* of one value */
};

static double fitted(const struct fit *f, size_t i)
{
    const int side = f->runs[i].side;

    return f->mean_y[side] + f->slope * (f->runs[i].when - f->mean_when[side]);
}

static void take_means(struct fit *f)
{
    for (int side = 0; side < 2; side++)
        f->n_side[side] = f->mean_y[side] = f->mean_when[side] = 0;
    for (size_t i = 0; i < f->n; i++) {
        f->n_side[f->runs[i].side]++;
        f->mean_y[f->runs[i].side] += f->y[i];
        f->mean_when[f->runs[i].side] += f->runs[i].when;
    }
    for (int side = 0; side < 2; side++) {
        f->mean_y[side] /= f->n_side[side];
        f->mean_when[side] /= f->n_side[side];
    }
}

/* Least squares: the means of both sides and, with_drift, a common slope. */
static void fit_lines(struct fit *f, bool with_drift)
{
    double product = 0, rest = 0;

    take_means(f);
    f->spread_when = f->slope = f->slope_error = 0;
    for (size_t i = 0; i < f->n; i++) {
        const double t = f->runs[i].when - f->mean_when[f->runs[i].side];

        f->spread_when += t * t;
        product += t * (f->y[i] - f->mean_y[f->runs[i].side]);
    }
    with_drift = with_drift && f->spread_when > 0;
    if (with_drift)
        f->slope = product / f->spread_when;
    for (size_t i = 0; i < f->n; i++)
        rest += pow(f->y[i] - fitted(f, i), 2);
    f->df = (double)f->n - 2 - with_drift;
    f->variance = rest / f->df;
    if (with_drift)
        f->slope_error = sqrt(f->variance / f->spread_when);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* How far a value may be from its fit. */
static double clip_limit(const struct fit *f)
{
    double off[COMPARE_REPEATS_MAX] = {0};

    for (size_t i = 0; i < f->n; i++)
        off[i] = fabs(log(f->runs[i].value) - fitted(f, i));
    qsort(off, f->n, sizeof(off[0]), by_size);
    return CLIP_DEVIATIONS * MEDIAN_DEVIATION * off[(f->n - 1) / 2 + 1];
}

/* Fits, draws outliers in to the fit, fits again, until nothing moves. */
static bool fit_robustly(struct fit *f, bool with_drift)
{
    bool moved = true, clipped = false;

    for (size_t i = 0; i < f->n; i++)
        f->y[i] = log(f->runs[i].value);
    for (int round = 0; moved && round < CLIP_ROUNDS; round++) {
        double limit;

        fit_lines(f, with_drift);
        limit = clip_limit(f);
        moved = clipped = false;
        for (size_t i = 0; i < f->n; i++) {
            const double value = log(f->runs[i].value);
            const double center = fitted(f, i);
            const double y = fmin(fmax(value, center - limit), center + limit);

            moved |= fabs(y - f->y[i]) > 1e-12;
            clipped |= fabs(y - value) > 1e-12;
            f->y[i] = y;
        }
    }
    return clipped;
}

/* ---- what follows from a difference and its error ---- */

static enum compare_verdict verdict_of(const struct compare_result *r)
{
    if (r->low > 1)
        return COMPARE_HIGHER;
    return r->high < 1 ? COMPARE_LOWER : COMPARE_NO_DIFFERENCE;
}

void compare_conclude(struct compare_result *out, double difference,
                      double error, double level)
{
    const double t = quantile_student(1 - level, out->df);

    out->ratio = exp(difference);
    out->low = exp(difference - t * error);
    out->high = exp(difference + t * error);
    if (error > 0)
        out->p = pvalue_student(difference / error, out->df);
    else
        out->p = fabs(difference) > 0 ? 0 : 1;
    out->smallest = expm1((t + POWER_QUANTILE) * error);
    out->verdict = verdict_of(out);
}

static enum rc check_runs(const struct compare_run *runs, size_t n,
                          struct compare_result *out, struct err *err)
{
    if (n > COMPARE_REPEATS_MAX)
        return err_set(err, RC_INVALID, "more than %d runs to compare",
                       COMPARE_REPEATS_MAX);
    for (size_t i = 0; i < n; i++) {
        if (!(runs[i].value > 0) || isinf(runs[i].value))
            return err_set(err, RC_INVALID,
                           "run %zu cannot be compared: its value is %g", i + 1,
                           runs[i].value);
        out->n[runs[i].side]++;
    }
    return RC_OK;
}

enum rc compare_repeats(const struct compare_run *runs, size_t n, double level,
                        struct compare_result *out, struct err *err)
{
    struct fit f = {.runs = runs, .n = n};
    double shift, share;
    enum rc rc;

    *out = (struct compare_result){
        .ratio = NAN, .low = NAN, .high = NAN, .p = NAN, .smallest = NAN};
    rc = check_runs(runs, n, out, err);
    if (rc)
        return rc;
    if (out->n[0] < REPEATS_MIN || out->n[1] < REPEATS_MIN || n < RUNS_MIN)
        return RC_OK;
    /* With four runs a slope would leave one degree of freedom. */
    out->drift = n > RUNS_MIN;
    if (out->drift) {
        out->clipped = fit_robustly(&f, true);
        out->drift = fabs(f.slope) > DRIFT_SHOWS * f.slope_error;
    }
    if (!out->drift)
        out->clipped = fit_robustly(&f, false);
    shift = f.mean_when[1] - f.mean_when[0];
    share = 1 / f.n_side[0] + 1 / f.n_side[1];
    if (out->drift)
        share += shift * shift / f.spread_when;
    out->df = f.df;
    compare_conclude(out, f.mean_y[1] - f.mean_y[0] - f.slope * shift,
                     WIDEN * sqrt(f.variance * share), level);
    return RC_OK;
}

/* ---- one run a side ---- */

void compare_series(const double *base, size_t n_base, const double *other,
                    size_t n_other, double level, struct compare_result *out)
{
    struct longrun a, b;
    double va, vb;

    *out = (struct compare_result){.ratio = NAN,
                                   .low = NAN,
                                   .high = NAN,
                                   .p = NAN,
                                   .smallest = NAN,
                                   .n = {n_base, n_other}};
    if (n_base < SERIES_MIN || n_other < SERIES_MIN)
        return;
    a = longrun_of(base, n_base);
    b = longrun_of(other, n_other);
    if (a.mean <= 0 || b.mean <= 0)
        return;
    /* Of the logarithms of the means, by the delta method. */
    va = a.variance / (a.mean * a.mean);
    vb = b.variance / (b.mean * b.mean);
    out->df = fmin(a.independent, b.independent) - 1;
    /* Welch and Satterthwaite. */
    if (va + vb > 0)
        out->df = pow(va + vb, 2) / (va * va / (a.independent - 1) +
                                     vb * vb / (b.independent - 1));
    compare_conclude(out, log(b.mean / a.mean), sqrt(va + vb), level);
}

/* ---- several comparisons at once ---- */

void compare_holm(double *p, size_t n)
{
    size_t order[COMPARE_REPEATS_MAX] = {0};
    double least = 0;

    if (n > COMPARE_REPEATS_MAX)
        BUG("%zu p-values to adjust", n);
    for (size_t i = 0; i < n; i++) {
        size_t k = i;

        for (; k > 0 && p[order[k - 1]] > p[i]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (size_t i = 0; i < n; i++) {
        const double adjusted = fmin(1, p[order[i]] * (double)(n - i));

        least = fmax(least, adjusted);
        p[order[i]] = least;
    }
}

/* The standard error of the logarithm. */
static double error_of(const struct compare_result *r, double level)
{
    return log(r->high / r->low) / 2 / quantile_student(1 - level, r->df);
}

void compare_center(struct compare_result *result, double ratio, double level)
{
    if (result->verdict != COMPARE_NO_DATA)
        compare_conclude(result, log(ratio), error_of(result, level), level);
}

void compare_family(struct compare_result *const *results, size_t n,
                    double level)
{
    double p[COMPARE_REPEATS_MAX] = {0}, tested_at = 0;
    size_t order[COMPARE_REPEATS_MAX] = {0};
    size_t m = 0;
    bool open = true;

    for (size_t i = 0; i < n && m < COMPARE_REPEATS_MAX; i++) {
        size_t k = m;

        if (results[i]->verdict == COMPARE_NO_DATA)
            continue;
        for (; k > 0 && results[order[k - 1]]->p > results[i]->p; k--)
            order[k] = order[k - 1];
        order[k] = i;
        m++;
    }
    for (size_t i = 0; i < m; i++)
        p[i] = results[order[i]]->p;
    compare_holm(p, m);
    for (size_t i = 0; i < m; i++) {
        struct compare_result *r = results[order[i]];

        /* From the first that is not shown on, all are tested as it is. */
        if (open)
            tested_at = 1 - (1 - level) / (double)(m - i);
        open = open && p[i] < 1 - level;
        compare_conclude(r, log(r->ratio), error_of(r, level), tested_at);
        r->p = p[i];
    }
}

const char *compare_word(enum compare_verdict v, bool more_is_better)
{
    switch (v) {
    case COMPARE_NO_DATA:
        return "not enough data";
    case COMPARE_NO_DIFFERENCE:
        return "no difference shown";
    case COMPARE_HIGHER:
        return more_is_better ? "faster" : "slower";
    case COMPARE_LOWER:
        return more_is_better ? "slower" : "faster";
    }
    BUG("no such verdict: %d", (int)v);
}
