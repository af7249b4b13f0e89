/* SPDX-License-Identifier: MIT */
#include "stats/fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_close(double got, double want)
{
    if (fabs(got - want) > 1e-6 * want)
        fail_msg("%.10g, want %.10g", got, want);
}

/* Mendel's peas: 315, 101, 108 and 32 where 9 : 3 : 3 : 1 is expected. */
static void a_textbook_example_comes_out_as_in_the_textbook(void **state)
{
    static const uint64_t seen[] = {315, 101, 108, 32};
    static const uint64_t weights[] = {9, 3, 3, 1};
    struct fit f;

    (void)state;
    assert_true(fit_test(seen, weights, 4, &f));
    assert_int_equal(f.n, 556);
    assert_int_equal(f.n_cells, 4);
    assert_close(f.chisq, 0.47002398081534773);
    assert_close(f.p, 0.9254258951036176);
}

static void the_cell_furthest_off_is_named(void **state)
{
    static const uint64_t seen[] = {100, 100, 160, 100};
    struct fit f;

    (void)state;
    assert_true(fit_test(seen, NULL, 4, &f));
    assert_int_equal(f.worst, 2);
    assert_int_equal(f.worst_end, 3);
    assert_int_equal(f.worst_seen, 160);
    assert_close(f.worst_expected, 115);
    assert_close(f.chisq, (3 * 15.0 * 15 + 45.0 * 45) / 115);
}

static void cells_of_which_little_is_expected_are_put_together(void **state)
{
    static const uint64_t seen[] = {9, 11, 10, 8, 12, 10, 5};
    struct fit f;

    (void)state;
    /* 65 draws, 9.3 a cell: three and four together. */
    assert_true(fit_test(seen, NULL, 7, &f));
    assert_int_equal(f.n_cells, 2);
    assert_int_equal(f.n, 65);
    assert_true(f.p > 0.5);
}

static void too_few_draws_show_nothing(void **state)
{
    static const uint64_t few[] = {19, 20}, enough[] = {20, 20}, none[3];
    struct fit f;

    (void)state;
    assert_false(fit_test(few, NULL, 2, &f));
    assert_true(fit_test(enough, NULL, 2, &f));
    assert_false(fit_test(none, NULL, 3, &f));
    assert_false(fit_test(enough, NULL, 1, &f));
}

static void what_cannot_be_drawn_is_proof_by_itself(void **state)
{
    static const uint64_t seen[] = {1, 0, 1}, weights[] = {1, 1, 0};
    struct fit f;

    (void)state;
    assert_true(fit_test(seen, weights, 3, &f));
    assert_true(f.p == 0);
    assert_int_equal(f.worst, 2);
    assert_int_equal(f.worst_seen, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_textbook_example_comes_out_as_in_the_textbook),
        cmocka_unit_test(the_cell_furthest_off_is_named),
        cmocka_unit_test(cells_of_which_little_is_expected_are_put_together),
        cmocka_unit_test(too_few_draws_show_nothing),
        cmocka_unit_test(what_cannot_be_drawn_is_proof_by_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
