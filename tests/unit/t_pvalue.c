/* SPDX-License-Identifier: MIT */
/* Against published quantiles and against sums made term by term. */
#include "stats/pvalue.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_close(double got, double want, double relative)
{
    if (fabs(got - want) > relative * want)
        fail_msg("%.10g, want %.10g", got, want);
}

/* Critical values at 10^-3 and 10^-6, to the digits given. */
static void chi_square_has_its_known_quantiles(void **state)
{
    static const struct {
        uint64_t degrees;
        double thousandth, millionth;
    } known[] = {
        {9, 27.877, 44.8},       {10, 29.588, 46.9},   {49, 85.351, 111.1},
        {90, 137.208, 168.7},    {99, 148.230, 180.8}, {199, 266.386, 308.6},
        {999, 1142.848, 1226.0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        assert_close(pvalue_chisq(known[i].thousandth, known[i].degrees), 1e-3,
                     0.001);
        assert_close(pvalue_chisq(known[i].millionth, known[i].degrees), 1e-6,
                     0.03);
    }
}

/* With one degree it is the square of a normal variable, with two degrees
 * exponential. */
static void chi_square_of_few_degrees_is_known_in_closed_form(void **state)
{
    static const double xs[] = {0.01, 0.5, 1, 3, 10, 50, 300};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(xs); i++) {
        assert_close(pvalue_chisq(xs[i], 1), erfc(sqrt(xs[i] / 2)), 1e-9);
        assert_close(pvalue_chisq(xs[i], 2), exp(-xs[i] / 2), 1e-9);
    }
}

static void chi_square_ends_at_one_and_at_nothing(void **state)
{
    (void)state;
    assert_true(pvalue_chisq(0, 5) == 1);
    assert_true(pvalue_chisq(1e6, 5) == 0);
    assert_close(pvalue_chisq(1e6, 1000000), 0.5, 0.001);
}

/* The chance of exactly k of n. */
static double exactly(uint64_t k, uint64_t n, double p)
{
    return exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
               lgamma((double)(n - k) + 1) + (double)k * log(p) +
               (double)(n - k) * log1p(-p));
}

static double summed(uint64_t k, uint64_t n, double p)
{
    double up = 0, down = 0;

    for (uint64_t i = 0; i <= k; i++)
        down += exactly(i, n, p);
    for (uint64_t i = k; i <= n; i++)
        up += exactly(i, n, p);
    return fmin(1, 2 * fmin(up, down));
}

static void binomial_tails_are_the_sum_of_their_terms(void **state)
{
    static const struct {
        uint64_t k, n;
        double p;
    } cases[] = {
        {0, 1400, 0.01},   {1, 1400, 0.01},   {30, 1400, 0.01}, {0, 1, 0.5},
        {1, 1, 0.5},       {13, 100, 0.15},   {60, 60, 0.6},    {0, 60, 0.6},
        {430, 1000, 0.43}, {520, 1000, 0.43}, {5, 5000, 0.001},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_close(pvalue_binomial(cases[i].k, cases[i].n, cases[i].p),
                     summed(cases[i].k, cases[i].n, cases[i].p), 1e-9);
}

/* 4.9 standard deviations are one in a million, to both sides. */
static void many_draws_are_judged_as_by_the_normal_distribution(void **state)
{
    const uint64_t n = 1000000000;
    const double sigma = sqrt((double)n * 0.6 * 0.4);
    const uint64_t off = (uint64_t)(4.9 * sigma);

    (void)state;
    assert_close(pvalue_binomial(600000000 + off, n, 0.6), 9.6e-7, 0.02);
    assert_close(pvalue_binomial(600000000 - off, n, 0.6), 9.6e-7, 0.02);
    assert_close(pvalue_binomial(600000000, n, 0.6), 1, 0.001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chi_square_has_its_known_quantiles),
        cmocka_unit_test(chi_square_of_few_degrees_is_known_in_closed_form),
        cmocka_unit_test(chi_square_ends_at_one_and_at_nothing),
        cmocka_unit_test(binomial_tails_are_the_sum_of_their_terms),
        cmocka_unit_test(many_draws_are_judged_as_by_the_normal_distribution),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
