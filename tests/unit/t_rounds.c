/* SPDX-License-Identifier: MIT */
#include "base/rng.h"
#include "stats/rounds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SIDES 7
#define ROUNDS 5
#define ROUNDS_MOST 8
#define SIMULATIONS 2000
/* Of 2,000: 6.5 % of the experiments with a false verdict, 90 % found. */
#define FALSE_MOST 130
#define FOUND_LEAST 1800

struct noise {
    const char *name;
    double sigma;    /* of one run */
    double rounds;   /* of a round, common to its runs */
    double outliers; /* share of runs that are 5 to 20 % slow */
    double other;    /* times sigma, of the last side */
    int n_rounds;
};

static const struct noise noises[] = {
    {"plain", 0.02, 0, 0, 1, ROUNDS},
    {"rounds differ by 20 %", 0.02, 0.2, 0, 1, ROUNDS},
    {"three rounds", 0.02, 0.1, 0, 1, 3},
    {"an outlier in a hundred runs", 0.015, 0.05, 0.01, 1, ROUNDS},
    {"one side with twice the noise", 0.02, 0.05, 0, 2, ROUNDS},
    /* Short intervals on a machine that others use too. */
    {"three rounds, 10 % noise", 0.1, 0.2, 0.02, 1, 3},
    {"eight rounds, 10 % noise", 0.1, 0.2, 0.02, 1, ROUNDS_MOST},
};

static double normal(struct rng *r)
{
    return sqrt(-2 * log(rng_unit(r))) * cos(2 * M_PI * rng_unit(r));
}

static void simulate(struct rng *r, const struct noise *n, double ratio,
                     double *out)
{
    double round[ROUNDS_MOST];

    for (int j = 0; j < n->n_rounds; j++)
        round[j] = n->rounds * normal(r);
    for (int i = 0; i < SIDES; i++) {
        for (int j = 0; j < n->n_rounds; j++) {
            const double sigma = n->sigma * (i == SIDES - 1 ? n->other : 1);
            double y = round[j] + sigma * normal(r);

            if (i == 1)
                y += log(ratio);
            if (rng_unit(r) < n->outliers)
                y -= 0.05 + 0.15 * rng_unit(r);
            out[i * n->n_rounds + j] = 1000 * exp(y);
        }
    }
}

/* The size of an effect, whichever way, at most and at least. */
static void size_of(const struct compare_result *r, double *low, double *high)
{
    *high = fmax(fabs(log(r->low)), fabs(log(r->high)));
    *low = r->low <= 1 && r->high >= 1
               ? 0
               : fmin(fabs(log(r->low)), fabs(log(r->high)));
}

static bool stands_apart(const struct compare_result *out)
{
    double low, high, other_low, other_high;

    size_of(&out[1], &low, &high);
    for (int i = 2; i < SIDES; i++) {
        size_of(&out[i], &other_low, &other_high);
        if (other_high >= low)
            return false;
    }
    return true;
}

/* Experiments in which side 1 is found, in which its interval is apart from
 * all others', and those where another one is found. */
static void count(const struct noise *n, double ratio, int *found, int *apart,
                  int *wrong)
{
    struct rng r;

    *found = *wrong = *apart = 0;
    rng_init(&r, 2026, 3, RNG_DATA);
    for (int s = 0; s < SIMULATIONS; s++) {
        struct compare_result out[SIDES], *family[SIDES - 1];
        double values[SIDES * ROUNDS_MOST];
        bool other = false;

        simulate(&r, n, ratio, values);
        compare_rounds(values, SIDES, (size_t)n->n_rounds, 0.95, out);
        for (int i = 1; i < SIDES; i++)
            family[i - 1] = &out[i];
        compare_family(family, SIDES - 1, 0.95);
        for (int i = 2; i < SIDES; i++)
            other = other || out[i].verdict != COMPARE_NO_DIFFERENCE;
        *apart += stands_apart(out);
        *found += out[1].verdict != COMPARE_NO_DIFFERENCE;
        *wrong += other || (ratio >= 1 && ratio <= 1 &&
                            out[1].verdict != COMPARE_NO_DIFFERENCE);
    }
}

static void an_experiment_without_an_effect_rarely_has_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(noises); i++) {
        int found, apart, wrong;

        count(&noises[i], 1, &found, &apart, &wrong);
        print_message("%s: %d of %d false\n", noises[i].name, wrong,
                      SIMULATIONS);
        assert_in_range(wrong, 0, FALSE_MOST);
    }
}

static void an_effect_is_found_and_no_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(noises); i++) {
        double ratio =
            noises[i].n_rounds < ROUNDS || noises[i].other > 1 ? 1.1 : 1.06;
        int found, apart, wrong;

        if (noises[i].sigma > 0.05)
            ratio = 0.5;
        count(&noises[i], ratio, &found, &apart, &wrong);
        print_message("%s, times %.2f: %d of %d found, %d others\n",
                      noises[i].name, ratio, found, SIMULATIONS, wrong);
        assert_in_range(found, FOUND_LEAST, SIMULATIONS);
        assert_in_range(wrong, 0, FALSE_MOST);
    }
}

/* What `dyno flip` is to show of the composition: half the throughput, or
 * twice, on a machine with 10 % noise from run to run. */
static void a_factor_of_two_stands_apart_from_all_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(noises); i++) {
        int found, apart, wrong;

        if (noises[i].sigma < 0.05)
            continue;
        count(&noises[i], 0.5, &found, &apart, &wrong);
        print_message("%s, a factor of 2: %d of %d apart\n", noises[i].name,
                      apart, SIMULATIONS);
        assert_in_range(apart, noises[i].n_rounds > 3 ? FOUND_LEAST : 1000,
                        SIMULATIONS);
    }
}

static void too_little_is_no_data(void **state)
{
    const double values[] = {1, 2, 3};
    struct compare_result out[3];

    (void)state;
    compare_rounds(values, 3, 1, 0.95, out);
    assert_int_equal(out[1].verdict, COMPARE_NO_DATA);
    assert_int_equal(out[2].verdict, COMPARE_NO_DATA);
}

static void equal_values_differ_by_nothing(void **state)
{
    const double values[] = {5, 5, 5, 5, 5, 5};
    struct compare_result out[2];

    (void)state;
    compare_rounds(values, 2, 3, 0.95, out);
    assert_int_equal(out[1].verdict, COMPARE_NO_DIFFERENCE);
    assert_true(fabs(out[1].ratio - 1) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_experiment_without_an_effect_rarely_has_one),
        cmocka_unit_test(an_effect_is_found_and_no_other),
        cmocka_unit_test(a_factor_of_two_stands_apart_from_all_others),
        cmocka_unit_test(too_little_is_no_data),
        cmocka_unit_test(equal_values_differ_by_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
