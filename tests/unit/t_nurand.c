/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "workload/tpcc/nurand.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    uint64_t a, x, y;
} fields[] = {
    {NURAND_A_LAST, 0, 999},
    {NURAND_A_CUSTOMER, 1, 3000},
    {NURAND_A_ITEM, 1, 100000},
};

static void counts_are_those_of_the_or_convolution(void **state)
{
    static const struct {
        size_t field;
        uint64_t value, count;
    } want[] = {
        {0, 0, 66},       {0, 1, 198},       {0, 23, 4914},
        {0, 24, 9},       {0, 255, 6561},    {0, 999, 729},
        {1, 1, 729},      {1, 2, 2061},      {1, 24, 5345},
        {1, 1024, 59048}, {1, 2048, 59049},  {1, 3000, 6561},
        {2, 1, 81},       {2, 2, 213},       {2, 8192, 1594322},
        {2, 8193, 1},     {2, 31072, 19683}, {2, 100000, 6561},
    };
    uint64_t *counts = MEM_ARRAY(uint64_t, 100000);

    (void)state;
    assert_non_null(counts);
    for (size_t f = 0; f < ARRAY_LEN(fields); f++) {
        assert_true(
            nurand_counts(fields[f].a, fields[f].x, fields[f].y, counts));
        for (size_t i = 0; i < ARRAY_LEN(want); i++) {
            if (want[i].field == f)
                assert_int_equal(counts[want[i].value - fields[f].x],
                                 want[i].count);
        }
    }
    mem_free(counts);
}

static void counts_add_up_to_all_draws(void **state)
{
    uint64_t *counts = MEM_ARRAY(uint64_t, 100000);

    (void)state;
    assert_non_null(counts);
    for (size_t f = 0; f < ARRAY_LEN(fields); f++) {
        const uint64_t n = fields[f].y - fields[f].x + 1;
        uint64_t sum = 0;

        assert_true(
            nurand_counts(fields[f].a, fields[f].x, fields[f].y, counts));
        for (uint64_t i = 0; i < n; i++)
            sum += counts[i];
        assert_int_equal(sum, (fields[f].a + 1) * n);
    }
    mem_free(counts);
}

/* The hottest value at C = 0 is 255; a constant moves it, round the end. */
static void the_constant_rotates_the_distribution(void **state)
{
    static const struct {
        uint64_t c, hot, cold;
    } want[] = {{0, 255, 256}, {100, 355, 356}, {255, 510, 511}};
    struct rng r;

    (void)state;
    rng_init(&r, 1, 0, RNG_INPUT);
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        unsigned hot = 0, cold = 0;

        for (size_t k = 0; k < 100000; k++) {
            const uint64_t v = nurand(&r, 255, 0, 999, want[i].c);

            assert_in_range(v, 0, 999);
            hot += v == want[i].hot;
            cold += v == want[i].cold;
        }
        /* Expected 2563 and 0.4; five standard deviations of the first. */
        assert_in_range(hot, 2313, 2813);
        assert_in_range(cold, 0, 10);
    }
}

static void both_ends_of_a_range_come_up(void **state)
{
    uint64_t min = UINT64_MAX, max = 0;
    struct rng r;

    (void)state;
    rng_init(&r, 1, 0, RNG_INPUT);
    for (size_t k = 0; k < 100000; k++) {
        const uint64_t v = nurand(&r, NURAND_A_CUSTOMER, 1, 3000, 7);

        min = v < min ? v : min;
        max = v > max ? v : max;
    }
    assert_int_equal(min, 1);
    assert_int_equal(max, 3000);
}

static void last_names_are_three_syllables(void **state)
{
    static const struct {
        uint64_t number;
        const char *name;
    } want[] = {
        {371, "PRICALLYOUGHT"},   {40, "BARPRESBAR"},    {0, "BARBARBAR"},
        {777, "CALLYCALLYCALLY"}, {999, "EINGEINGEING"}, {123, "OUGHTABLEPRI"},
        {568, "ESEANTIATION"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        char name[TPCC_LAST_MAX];

        assert_int_equal(last_name(want[i].number, name), strlen(want[i].name));
        assert_string_equal(name, want[i].name);
    }
}

static void every_c_load_has_a_c_run_and_draws_only_allowed_ones(void **state)
{
    struct rng r;

    (void)state;
    rng_init(&r, 1, 0, RNG_RUN);
    for (uint64_t c_load = 0; c_load <= 255; c_load++) {
        for (size_t k = 0; k < 200; k++) {
            const uint64_t c_run = c_run_draw(&r, c_load);
            const uint64_t delta =
                c_run > c_load ? c_run - c_load : c_load - c_run;

            assert_in_range(c_run, 0, 255);
            assert_in_range(delta, 65, 119);
            assert_int_not_equal(delta, 96);
            assert_int_not_equal(delta, 112);
        }
    }
}

static void the_distance_of_the_constants_is_judged_both_ways(void **state)
{
    static const struct {
        uint64_t delta;
        bool allowed;
    } want[] = {{0, false},  {64, false}, {65, true},  {95, true},
                {96, false}, {97, true},  {111, true}, {112, false},
                {113, true}, {119, true}, {120, false}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        const uint64_t far = 10 + want[i].delta;

        assert_int_equal(c_run_allowed(10, far), want[i].allowed);
        assert_int_equal(c_run_allowed(far, 10), want[i].allowed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_or_convolution),
        cmocka_unit_test(counts_add_up_to_all_draws),
        cmocka_unit_test(the_constant_rotates_the_distribution),
        cmocka_unit_test(both_ends_of_a_range_come_up),
        cmocka_unit_test(last_names_are_three_syllables),
        cmocka_unit_test(every_c_load_has_a_c_run_and_draws_only_allowed_ones),
        cmocka_unit_test(the_distance_of_the_constants_is_judged_both_ways),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
