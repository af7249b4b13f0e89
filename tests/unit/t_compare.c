/* SPDX-License-Identifier: MIT */
#include "base/rng.h"
#include "stats/compare.h"
#include "stats/pvalue.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define REPEATS 5
#define RUNS (2 * REPEATS)
#define SIMULATIONS 2000
/* Of 2,000: 6.5 % false verdicts, 90 % of the true differences. */
#define FALSE_MOST 130
#define FOUND_LEAST 1800

static void near(double measured, double wanted)
{
    if (fabs(measured - wanted) > 1e-6 * fabs(wanted))
        fail_msg("%.12g is not %.12g", measured, wanted);
}

/* ---- Student's t ---- */

/* From tables; with one degree of freedom it is Cauchy's, p = 2 atan(1/t) / pi;
 * with two, p = 1 - t / sqrt(2 + t^2). */
static void student_agrees_with_tables(void **state)
{
    (void)state;
    near(pvalue_student(0, 7), 1);
    near(pvalue_student(2, 1), 2 * atan(0.5) / M_PI);
    near(pvalue_student(-3, 2), 1 - 3 / sqrt(11));
    near(quantile_student(0.05, 1), 12.7062047362);
    near(quantile_student(0.05, 4), 2.7764451052);
    near(quantile_student(0.05, 7), 2.3646242510);
    near(quantile_student(0.05, 8), 2.3060041352);
    near(quantile_student(0.01, 30), 2.7499956536);
    near(quantile_student(0.05, 1e6), 1.9599663);
    near(pvalue_student(quantile_student(1e-9, 5), 5), 1e-9);
}

/* ---- simulated repeats ---- */

struct noise {
    const char *name;
    double sigma;      /* of one run, as a share */
    double drift;      /* over all runs, at most, either way */
    double neighbours; /* correlation of one run with the next */
    double outliers;   /* share of runs that are 5 to 20 % slow */
    bool mirrored;     /* A B B A instead of A B A B */
};

static double normal(struct rng *r)
{
    return sqrt(-2 * log(rng_unit(r))) * cos(2 * M_PI * rng_unit(r));
}

static void simulate(struct rng *r, const struct noise *noise, double ratio,
                     struct compare_run *runs)
{
    const double drift = noise->drift * (2 * rng_unit(r) - 1);
    const double fresh = sqrt(1 - noise->neighbours * noise->neighbours);
    double e = normal(r);

    for (int i = 0; i < RUNS; i++) {
        const int turn = noise->mirrored && i / 2 % 2 == 1;
        struct compare_run *run = &runs[i];
        double log_value;

        *run = (struct compare_run){.side = (i + turn) % 2, .when = i};
        e = noise->neighbours * e + fresh * normal(r);
        log_value = log(1000) + noise->sigma * e + drift * i / (RUNS - 1);
        if (run->side == 1)
            log_value += log(ratio);
        if (rng_unit(r) < noise->outliers)
            log_value -= 0.05 + 0.15 * rng_unit(r);
        run->value = exp(log_value);
    }
}

static int count_verdicts(const struct noise *noise, double ratio,
                          enum compare_verdict wanted)
{
    struct rng r;
    int n = 0;

    rng_init(&r, 2026, 1, RNG_DATA);
    for (int i = 0; i < SIMULATIONS; i++) {
        struct compare_run runs[RUNS];
        struct compare_result result;

        simulate(&r, noise, ratio, runs);
        assert_int_equal(compare_repeats(runs, RUNS, 0.95, &result, NULL),
                         RC_OK);
        n += result.verdict == wanted;
    }
    return n;
}

static const struct noise noises[] = {
    {"plain", 0.02, 0, 0, 0, false},
    {"plain, mirrored", 0.02, 0, 0, 0, true},
    {"a drift of up to 4 %", 0.02, 0.04, 0, 0, false},
    {"a drift of up to 6 %, mirrored", 0.02, 0.06, 0, 0, true},
    {"neighbours alike", 0.02, 0, 0.5, 0, false},
    {"neighbours alike, mirrored", 0.02, 0, 0.5, 0, true},
    /* Outliers are a part of the 2 %: 0.015^2 + 0.01 * 0.0175. */
    {"an outlier in a hundred runs", 0.015, 0, 0, 0.01, false},
    {"all of it", 0.015, 0.04, 0.4, 0.01, false},
    {"all of it, mirrored", 0.015, 0.04, 0.4, 0.01, true},
};

static void noise_alone_is_rarely_taken_for_a_difference(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(noises); i++) {
        const int quiet = count_verdicts(&noises[i], 1, COMPARE_NO_DIFFERENCE);

        print_message("%s: %d of %d false\n", noises[i].name,
                      SIMULATIONS - quiet, SIMULATIONS);
        assert_in_range(SIMULATIONS - quiet, 0, FALSE_MOST);
    }
}

static void five_percent_are_found_in_two_percent_of_noise(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(noises); i++) {
        const int faster = count_verdicts(&noises[i], 1.05, COMPARE_HIGHER);
        const int slower = count_verdicts(&noises[i], 1 / 1.05, COMPARE_LOWER);

        print_message("%s: %d and %d of %d found\n", noises[i].name, faster,
                      slower, SIMULATIONS);
        assert_in_range(faster, FOUND_LEAST, SIMULATIONS);
        assert_in_range(slower, FOUND_LEAST, SIMULATIONS);
    }
}

static void the_interval_holds_the_true_ratio(void **state)
{
    struct rng r;
    int held = 0;

    (void)state;
    rng_init(&r, 7, 1, RNG_DATA);
    for (int i = 0; i < SIMULATIONS; i++) {
        struct compare_run runs[RUNS];
        struct compare_result out;

        simulate(&r, &noises[0], 1.2, runs);
        assert_int_equal(compare_repeats(runs, RUNS, 0.95, &out, NULL), RC_OK);
        held += out.low <= 1.2 && 1.2 <= out.high;
        assert_true(out.low < out.ratio && out.ratio < out.high);
    }
    assert_in_range(held, SIMULATIONS - FALSE_MOST, SIMULATIONS);
}

/* ---- edges of repeats ---- */

static void two_runs_a_side_are_the_least(void **state)
{
    struct compare_run runs[] = {
        {100, 0, 0}, {110, 1, 1}, {101, 0, 2}, {111, 1, 3}};
    struct compare_result out;

    (void)state;
    assert_int_equal(compare_repeats(runs, 3, 0.95, &out, NULL), RC_OK);
    assert_int_equal(out.verdict, COMPARE_NO_DATA);
    assert_true(isnan(out.ratio));
    assert_int_equal(compare_repeats(runs, 4, 0.95, &out, NULL), RC_OK);
    assert_int_equal(out.verdict, COMPARE_HIGHER);
    assert_int_equal(out.n[0], 2);
    assert_int_equal(out.n[1], 2);
}

static void equal_values_differ_by_nothing(void **state)
{
    struct compare_run runs[] = {
        {100, 0, 0}, {100, 1, 1}, {100, 0, 2}, {100, 1, 3}, {100, 0, 4}};
    struct compare_result out;

    (void)state;
    assert_int_equal(compare_repeats(runs, 5, 0.95, &out, NULL), RC_OK);
    assert_int_equal(out.verdict, COMPARE_NO_DIFFERENCE);
    near(out.ratio, 1);
    near(out.p, 1);
}

static void a_run_without_throughput_is_refused_by_its_place(void **state)
{
    struct compare_run runs[] = {
        {100, 0, 0}, {0, 1, 1}, {100, 0, 2}, {100, 1, 3}};
    struct compare_result out;
    struct err err;

    (void)state;
    assert_int_equal(compare_repeats(runs, 4, 0.95, &out, &err), RC_INVALID);
    assert_non_null(strstr(err.text, "run 2"));
}

/* ---- one run a side ---- */

static void fill_series(struct rng *r, double rho, double level, double *x,
                        size_t n)
{
    double e = normal(r);

    for (size_t i = 0; i < n; i++) {
        e = rho * e + sqrt(1 - rho * rho) * normal(r);
        x[i] = level * (1 + 0.05 * e);
    }
}

static int series_verdicts(double rho, double ratio,
                           enum compare_verdict wanted)
{
    double a[120], b[120];
    struct rng r;
    int n = 0;

    rng_init(&r, 11, 1, RNG_DATA);
    for (int i = 0; i < SIMULATIONS; i++) {
        struct compare_result out;

        fill_series(&r, rho, 1000, a, ARRAY_LEN(a));
        fill_series(&r, rho, 1000 * ratio, b, ARRAY_LEN(b));
        compare_series(a, ARRAY_LEN(a), b, ARRAY_LEN(b), 0.95, &out);
        n += out.verdict == wanted;
    }
    return n;
}

static void autocorrelated_runs_that_are_alike_are_called_so(void **state)
{
    static const double rhos[] = {0, 0.3, 0.6, 0.9};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rhos); i++) {
        const int quiet = series_verdicts(rhos[i], 1, COMPARE_NO_DIFFERENCE);

        print_message("rho %.1f: %d of %d false\n", rhos[i],
                      SIMULATIONS - quiet, SIMULATIONS);
        assert_in_range(SIMULATIONS - quiet, 0, FALSE_MOST);
    }
}

static void runs_that_differ_are_told_apart(void **state)
{
    (void)state;
    assert_in_range(series_verdicts(0.3, 0.95, COMPARE_LOWER), FOUND_LEAST,
                    SIMULATIONS);
}

static void a_short_series_says_nothing(void **state)
{
    const double x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    struct compare_result out;

    (void)state;
    compare_series(x, 9, x, 9, 0.95, &out);
    assert_int_equal(out.verdict, COMPARE_NO_DATA);
}

/* ---- several at once ---- */

static void holm_steps_down(void **state)
{
    double p[] = {0.01, 0.04, 0.03, 0.005};

    (void)state;
    compare_holm(p, ARRAY_LEN(p));
    near(p[0], 0.03);
    near(p[1], 0.06);
    near(p[2], 0.06);
    near(p[3], 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(student_agrees_with_tables),
        cmocka_unit_test(noise_alone_is_rarely_taken_for_a_difference),
        cmocka_unit_test(five_percent_are_found_in_two_percent_of_noise),
        cmocka_unit_test(the_interval_holds_the_true_ratio),
        cmocka_unit_test(two_runs_a_side_are_the_least),
        cmocka_unit_test(equal_values_differ_by_nothing),
        cmocka_unit_test(a_run_without_throughput_is_refused_by_its_place),
        cmocka_unit_test(autocorrelated_runs_that_are_alike_are_called_so),
        cmocka_unit_test(runs_that_differ_are_told_apart),
        cmocka_unit_test(a_short_series_says_nothing),
        cmocka_unit_test(holm_steps_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
