/* SPDX-License-Identifier: MIT */
/*
 * The self-test of the percentiles: distributions whose quantiles are known by
 * formula, from 1 us to 1 hour.  The samples are the quantiles of evenly spaced
 * ranks, so there is no chance in it.
 */
#include "base/clock.h"
#include "stats/hist.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define N 200000
#define HOUR_NS (3600.0 * 1e9)

static const double percentiles[] = {1, 10, 50, 90, 95, 99, 99.9, 99.99};

/* Durations in ns at the share p of a distribution whose typical value is
 * scale. */
typedef double quantile_fn(double p, double scale);

static double exponential(double p, double scale)
{
    return -scale * log1p(-p);
}

static double uniform(double p, double scale)
{
    return scale * (0.5 + p);
}

/* With a tail as long as those of databases. */
static double pareto(double p, double scale)
{
    return scale * pow(1.0 - p, -1.0 / 2.5);
}

/* Two humps a factor of 50 apart, as with and without an fsync. */
static double bimodal(double p, double scale)
{
    return p < 0.7 ? scale * (1.0 + p) : 50.0 * scale * (1.0 + p);
}

static double constant(double p, double scale)
{
    (void)p;
    return scale;
}

/* What was recorded at a rank, which is what nearest rank should find. */
static double sample(quantile_fn *quantile, double scale, int64_t i)
{
    const double ns = quantile(((double)i + 0.5) / N, scale);

    return ns < HOUR_NS ? ns : HOUR_NS;
}

static void check(quantile_fn *quantile, double scale)
{
    struct hist *h = hist_new();
    double sum = 0;

    assert_non_null(h);
    for (int64_t i = 0; i < N; i++) {
        hist_record(h, (int64_t)sample(quantile, scale, i));
        sum += floor(sample(quantile, scale, i));
    }
    for (size_t i = 0; i < ARRAY_LEN(percentiles); i++) {
        const int64_t rank = (int64_t)ceil(percentiles[i] / 100 * N - 1e-6);
        const double want = floor(sample(quantile, scale, rank - 1));
        const double got = (double)hist_percentile(h, percentiles[i]);

        if (fabs(got - want) > 0.01 * want)
            fail_msg("scale %g ns, p%g: got %g, want %g", scale, percentiles[i],
                     got, want);
    }
    assert_true((double)hist_max(h) == floor(sample(quantile, scale, N - 1)));
    assert_true(fabs(hist_mean(h) - sum / N) <= 1e-6 * sum / N);
    assert_int_equal(atomic_load(&h->overflow), 0);
    hist_free(h);
}

static void
percentiles_of_known_distributions_are_within_one_percent(void **state)
{
    static quantile_fn *const all[] = {exponential, uniform, pareto, bimodal,
                                       constant};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        for (double scale = 1e3; scale < HOUR_NS; scale *= 19)
            check(all[i], scale);
    }
}

static void the_ends_of_the_range_are_met(void **state)
{
    struct hist *h = hist_new();

    (void)state;
    assert_non_null(h);
    hist_record(h, NS_PER_US);
    hist_record(h, HIST_MAX_NS);
    assert_true(fabs((double)hist_percentile(h, 50) - 1e3) <= 10);
    assert_true(fabs((double)hist_percentile(h, 100) - HOUR_NS) <=
                0.01 * HOUR_NS);
    assert_int_equal(hist_max(h), 3600 * NS_PER_S);
    hist_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            percentiles_of_known_distributions_are_within_one_percent),
        cmocka_unit_test(the_ends_of_the_range_are_met),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
