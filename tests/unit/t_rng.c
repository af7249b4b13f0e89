/* SPDX-License-Identifier: MIT */
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void the_generator_is_xoshiro256_plus_plus(void **state)
{
    /* Of the authors' reference code, from the state 1, 2, 3, 4. */
    static const uint64_t want[] = {
        UINT64_C(41943041),
        UINT64_C(58720359),
        UINT64_C(3588806011781223),
        UINT64_C(3591011842654386),
    };
    struct rng r = {.s = {1, 2, 3, 4}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(want); i++)
        assert_int_equal(rng_next(&r), want[i]);
}

static void seeding_does_not_change_between_versions(void **state)
{
    /* From an independent implementation in Python. */
    static const uint64_t want[] = {
        UINT64_C(0xe41291c249f0a017),
        UINT64_C(0xf6289d05af1332b7),
        UINT64_C(0x820e59a056ad6f60),
    };
    struct rng r;

    (void)state;
    rng_init(&r, 42, 7, RNG_INPUT);
    for (size_t i = 0; i < ARRAY_LEN(want); i++)
        assert_int_equal(rng_next(&r), want[i]);
}

#define SEEDS 8
#define STREAMS 8
#define PURPOSES 7
#define TRIPLES (SEEDS * STREAMS * PURPOSES)

/* Every pair of streams from small, neighbouring triples: the words differ in
 * about half of their bits.  Over 64 words of 64 bits the sum of differing
 * bits has mean 2048 and standard deviation 32; 6.5 deviations allow for the
 * 100,128 pairs (expected beyond: 1e-5). */
static void neighbouring_triples_give_unrelated_streams(void **state)
{
    static uint64_t words[TRIPLES][64];
    size_t n = 0;

    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (uint64_t stream = 0; stream < STREAMS; stream++)
            for (int purpose = 1; purpose <= PURPOSES; purpose++) {
                struct rng r;

                rng_init(&r, seed, stream, (enum rng_purpose)purpose);
                for (size_t i = 0; i < 64; i++)
                    words[n][i] = rng_next(&r);
                n++;
            }
    for (size_t a = 0; a < TRIPLES; a++)
        for (size_t b = a + 1; b < TRIPLES; b++) {
            int bits = 0;

            for (size_t i = 0; i < 64; i++)
                bits += __builtin_popcountll(words[a][i] ^ words[b][i]);
            assert_in_range(bits, 2048 - 208, 2048 + 208);
        }
}

static void ranges_are_closed_and_reached(void **state)
{
    bool seen[5] = {false};
    struct rng r;

    (void)state;
    rng_init(&r, 1, 1, RNG_DATA);
    for (int i = 0; i < 1000; i++) {
        const int64_t v = rng_range(&r, -2, 2);

        assert_true(v >= -2 && v <= 2);
        seen[v + 2] = true;
    }
    for (size_t i = 0; i < ARRAY_LEN(seen); i++)
        assert_true(seen[i]);
    assert_int_equal(rng_range(&r, 7, 7), 7);
    assert_int_equal(rng_below(&r, 1), 0);
}

/* 10 cells, 100,000 draws: chi-squared with 9 degrees of freedom exceeds 33.7
 * with probability 1e-4; the seed is fixed. */
static void draws_are_uniform(void **state)
{
    uint64_t counts[10] = {0};
    int64_t sum = 0;
    struct rng r;

    (void)state;
    rng_init(&r, 3, 1, RNG_CHOICE);
    for (int i = 0; i < 100000; i++)
        counts[rng_below(&r, 10)]++;
    for (size_t i = 0; i < 10; i++) {
        const int64_t d = (int64_t)counts[i] - 10000;

        sum += d * d;
    }
    assert_true(sum < 337000);
}

static void units_are_above_zero_and_at_most_one(void **state)
{
    double sum = 0;
    struct rng r;

    (void)state;
    rng_init(&r, 9, 0, RNG_PACING);
    for (int i = 0; i < 100000; i++) {
        const double u = rng_unit(&r);

        assert_true(u > 0 && u <= 1);
        sum += u;
    }
    /* The mean's standard deviation is 0.0009. */
    assert_true(sum > 49500 && sum < 50500);
    r = (struct rng){.s = {0, 0, 0, 0}};
    assert_true(rng_unit(&r) > 0);
    r = (struct rng){.s = {UINT64_MAX, 0, 0, 1}};
    assert_true(rng_unit(&r) <= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_generator_is_xoshiro256_plus_plus),
        cmocka_unit_test(seeding_does_not_change_between_versions),
        cmocka_unit_test(neighbouring_triples_give_unrelated_streams),
        cmocka_unit_test(ranges_are_closed_and_reached),
        cmocka_unit_test(draws_are_uniform),
        cmocka_unit_test(units_are_above_zero_and_at_most_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
