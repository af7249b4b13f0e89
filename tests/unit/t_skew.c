/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "stats/fit.h"
#include "workload/tpcc/nurand.h"
#include "workload/tpcc/skew.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct skew_field item = {NURAND_A_ITEM, 1, 100000};
static const struct skew_field name = {NURAND_A_LAST, 0, 999};

static uint8_t groups[100000];

static void make(struct skew *s, const struct skew_field *field, uint64_t c)
{
    assert_int_equal(skew_init(s, groups, field, c, NULL), RC_OK);
}

/* A sixty-fourth each, and neighbours in frequency: within a third. */
static void the_groups_are_about_equally_likely(void **state)
{
    const uint64_t all = UINT64_C(8192) * 100000;
    uint64_t sum = 0;
    struct skew s;

    (void)state;
    make(&s, &item, 259);
    for (size_t i = 0; i < SKEW_GROUPS; i++) {
        assert_in_range(s.weights[i] * SKEW_GROUPS, all * 2 / 3, all * 4 / 3);
        sum += s.weights[i];
    }
    assert_int_equal(sum, all);
}

/* 84.4 % of the draws fall into the fifth of the items that is drawn most,
 * whatever C is. */
static void the_first_groups_are_the_hottest_fifth(void **state)
{
    static const uint64_t constants[] = {0, 1, 4096, 8191};
    struct skew s;

    (void)state;
    for (size_t c = 0; c < ARRAY_LEN(constants); c++) {
        uint64_t n = 0, weight = 0;

        make(&s, &item, constants[c]);
        for (size_t i = 0; i < 100000; i++)
            n += groups[i] < s.n_hot;
        for (size_t i = 0; i < s.n_hot; i++)
            weight += s.weights[i];
        assert_int_equal(n, 20000);
        assert_in_range(weight / (8192 * 100), 843, 845);
    }
}

/* Draws of NURand with a constant, against the groups of another. */
static double chance_of(uint64_t drawn_c, uint64_t c)
{
    uint64_t seen[SKEW_GROUPS] = {0};
    struct rng r;
    struct skew s;
    struct fit fit;

    make(&s, &name, c);
    rng_init(&r, 5, 0, RNG_INPUT);
    for (size_t i = 0; i < 20000; i++)
        seen[groups[nurand(&r, NURAND_A_LAST, 0, 999, drawn_c)]]++;
    assert_true(fit_test(seen, s.weights, SKEW_GROUPS, &fit));
    return fit.p;
}

static void draws_fit_their_own_constant_and_no_other(void **state)
{
    (void)state;
    assert_true(chance_of(100, 100) > 1e-3);
    assert_true(chance_of(0, 0) > 1e-3);
    assert_true(chance_of(101, 100) < 1e-12);
    assert_true(chance_of(100, 200) < 1e-12);
}

static void uniform_draws_do_not_fit(void **state)
{
    uint64_t seen[SKEW_GROUPS] = {0};
    struct rng r;
    struct skew s;
    struct fit fit;

    (void)state;
    make(&s, &item, 7);
    rng_init(&r, 5, 0, RNG_INPUT);
    for (size_t i = 0; i < 2000; i++)
        seen[groups[rng_below(&r, 100000)]]++;
    assert_true(fit_test(seen, s.weights, SKEW_GROUPS, &fit));
    assert_true(fit.p < 1e-12);
}

static void without_memory_it_says_so(void **state)
{
    struct err err = {0};
    struct skew s;

    (void)state;
    for (uint64_t i = 1; i <= 3; i++) {
        mem_fail_nth(i);
        assert_int_equal(skew_init(&s, groups, &name, 0, &err), RC_NOMEM);
    }
    mem_fail_nth(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_groups_are_about_equally_likely),
        cmocka_unit_test(the_first_groups_are_the_hottest_fifth),
        cmocka_unit_test(draws_fit_their_own_constant_and_no_other),
        cmocka_unit_test(uniform_draws_do_not_fit),
        cmocka_unit_test(without_memory_it_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
