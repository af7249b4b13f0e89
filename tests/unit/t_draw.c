/* SPDX-License-Identifier: MIT */
#include "stats/draw.h"
#include "stats/zipf.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define N_DRAWS 200000
#define N_VALUES 10

/* Chi-square of the counts against the shares, N_VALUES of them; 27.9 is its
 * 0.1 % point with nine degrees of freedom.  Seeds are fixed. */
static void assert_fits(const uint64_t *counts, const double *shares)
{
    double chi = 0.0;

    for (size_t i = 0; i < N_VALUES; i++) {
        const double wanted = shares[i] * N_DRAWS;

        chi += pow((double)counts[i] - wanted, 2.0) / wanted;
    }
    assert_true(chi < 27.9);
}

static void zipf_has_its_shares_below_and_above_one(void **state)
{
    static const double skews[] = {0.5, 0.99, 1.0001, 1.5, 3.0};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(skews); i++) {
        uint64_t counts[N_VALUES] = {0};
        double shares[N_VALUES], sum = 0.0;
        struct rng r;
        struct zipf z;

        rng_init(&r, 1, i, RNG_INPUT);
        zipf_init(&z, N_VALUES, skews[i]);
        for (size_t k = 0; k < N_DRAWS; k++)
            counts[zipf_draw(&z, &r) - 1]++;
        for (size_t k = 0; k < N_VALUES; k++)
            sum += pow((double)k + 1.0, -skews[i]);
        for (size_t k = 0; k < N_VALUES; k++)
            shares[k] = pow((double)k + 1.0, -skews[i]) / sum;
        assert_fits(counts, shares);
    }
}

static void zipf_stays_in_its_range(void **state)
{
    static const uint64_t ns[] = {1, 2, 3, 1000000000000};
    struct rng r;
    struct zipf z;

    (void)state;
    rng_init(&r, 1, 1, RNG_INPUT);
    for (size_t i = 0; i < ARRAY_LEN(ns); i++) {
        zipf_init(&z, ns[i], 0.99);
        for (size_t k = 0; k < 10000; k++) {
            const uint64_t v = zipf_draw(&z, &r);

            assert_true(v >= 1 && v <= ns[i]);
        }
    }
}

static double normal_below(double x)
{
    return 0.5 * erfc(-x / sqrt(2.0));
}

static void the_others_have_their_shares(void **state)
{
    uint64_t counts[3][N_VALUES] = {{0}};
    double shares[3][N_VALUES], zeta = 0.0;
    struct rng r;

    (void)state;
    rng_init(&r, 3, 1, RNG_INPUT);
    for (size_t i = 0; i < N_DRAWS; i++) {
        counts[0][draw_gaussian(&r, 1, N_VALUES, 2.5) - 1]++;
        counts[1][draw_exponential(&r, 1, N_VALUES, 3.0) - 1]++;
        counts[2][draw_zipfian(&r, 1, N_VALUES, 1.2) - 1]++;
    }
    for (size_t k = 0; k < N_VALUES; k++)
        zeta += pow((double)k + 1.0, -1.2);
    for (size_t k = 0; k < N_VALUES; k++) {
        const double a = (double)k / N_VALUES, b = a + 1.0 / N_VALUES;

        /* As in pgbench's documentation. */
        shares[0][k] =
            (normal_below(5.0 * b - 2.5) - normal_below(5.0 * a - 2.5)) /
            (2.0 * normal_below(2.5) - 1.0);
        shares[1][k] = (exp(-3.0 * a) - exp(-3.0 * b)) / (1.0 - exp(-3.0));
        shares[2][k] = pow((double)k + 1.0, -1.2) / zeta;
    }
    for (size_t i = 0; i < 3; i++)
        assert_fits(counts[i], shares[i]);
}

static void a_range_of_one_has_one_value(void **state)
{
    struct rng r;

    (void)state;
    rng_init(&r, 3, 1, RNG_INPUT);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(draw_gaussian(&r, -5, -5, 2.0), -5);
        assert_int_equal(draw_exponential(&r, -5, -5, 0.1), -5);
        assert_int_equal(draw_zipfian(&r, -5, -5, 1.001), -5);
        assert_int_equal(draw_permute(i, 1, i), 0);
    }
}

static void a_permutation_is_one(void **state)
{
    (void)state;
    for (int64_t size = 2; size < 300; size += 7) {
        uint64_t sum = 0, squares = 0, want = 0, want_squares = 0;

        for (int64_t i = 0; i < size; i++) {
            const uint64_t v = (uint64_t)draw_permute(i, size, size);

            assert_true(v < (uint64_t)size);
            sum += v;
            squares += v * v;
            want += (uint64_t)i;
            want_squares += (uint64_t)(i * i);
        }
        assert_int_equal(sum, want);
        assert_int_equal(squares, want_squares);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(zipf_has_its_shares_below_and_above_one),
        cmocka_unit_test(zipf_stays_in_its_range),
        cmocka_unit_test(the_others_have_their_shares),
        cmocka_unit_test(a_range_of_one_has_one_value),
        cmocka_unit_test(a_permutation_is_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
