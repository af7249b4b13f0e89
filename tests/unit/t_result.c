/* SPDX-License-Identifier: MIT */
#include "run/result.h"
#include "support/sample_result.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void totals_are_sums_over_the_transactions(void **state)
{
    struct run_result *r = sample_result();
    const struct outcome_counts total = result_total(r);

    (void)state;
    assert_int_equal(total.committed, 1900);
    assert_int_equal(total.rolled_back, 100);
    assert_int_equal(total.retries, 5);
    assert_int_equal(outcome_completed(&total), 2000);
    assert_int_equal(outcome_ended(&total), 2000);
    sample_result_free(r);
}

static void ended_is_completed_failed_and_unknown(void **state)
{
    const struct outcome_counts o = {.committed = 1,
                                     .rolled_back = 2,
                                     .failed = 4,
                                     .unknown = 8,
                                     .retries = 16};

    (void)state;
    assert_int_equal(outcome_completed(&o), 3);
    assert_int_equal(outcome_ended(&o), 15);
}

static void rates_use_the_real_length_of_the_interval(void **state)
{
    struct run_result *r = sample_result();

    (void)state;
    assert_true(result_per_second(r, 6000) == 100);
    assert_true(result_nopm(r, false) == 900);
    assert_true(result_nopm(r, true) == 1000);
    r->interval_ns = 30 * NS_PER_S;
    assert_true(result_nopm(r, false) == 1800);
    sample_result_free(r);
}

static void an_empty_interval_has_rates_of_zero(void **state)
{
    struct run_result *r = sample_result_empty();

    (void)state;
    assert_true(result_per_second(r, 5) == 0);
    assert_true(result_nopm(r, false) == 0);
    assert_true(result_statements_per_txn(r) == 0);
    assert_true(result_round_trips_per_txn(r) == 0);
    sample_result_free(r);
}

static void no_nopm_without_the_counted_transaction(void **state)
{
    struct run_result *r = sample_result();

    (void)state;
    r->txns[SAMPLE_NEW_ORDER].life = (struct outcome_counts){0};
    assert_true(result_nopm(r, false) < 0);
    r->workload = NULL;
    assert_true(result_nopm(r, false) < 0);
    sample_result_free(r);
}

static void a_run_where_all_fail_has_a_nopm_of_zero(void **state)
{
    struct run_result *r = sample_result();
    struct txn_result *txn = &r->txns[SAMPLE_NEW_ORDER];

    (void)state;
    txn->measured = (struct outcome_counts){.failed = 7};
    txn->life = txn->measured;
    assert_true(result_nopm(r, true) == 0);
    sample_result_free(r);
}

static void statements_are_over_all_that_ended(void **state)
{
    struct run_result *r = sample_result();

    (void)state;
    assert_true(result_statements_per_txn(r) == 18);
    assert_true(result_round_trips_per_txn(r) == 20);
    sample_result_free(r);
}

static void every_bit_has_a_name_and_no_more(void **state)
{
    size_t n = 0;

    (void)state;
    while (invalid_reason_name(n))
        n++;
    assert_int_equal(1U << (n - 1), INVALID_WINDOW_INCOMPLETE);
    assert_string_equal(invalid_reason_name(0), "audit_failed");
    assert_string_equal(invalid_reason_name(n - 1), "window_incomplete");
    assert_null(invalid_reason_name(SIZE_MAX));
    n = 0;
    while (run_warning_name(n))
        n++;
    assert_int_equal(1U << (n - 1), WARN_FEW_USERS_FOR_SCALE);
    assert_string_equal(run_warning_name(0), "retries");
    assert_string_equal(run_warning_name(n - 1), "few_users_for_scale");
}

static void a_result_is_released_twice_without_harm(void **state)
{
    static struct run_result r;

    (void)state;
    result_init(&r);
    assert_true(result_valid(&r));
    r.txns[0].response = hist_new();
    result_release(&r);
    result_release(&r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_are_sums_over_the_transactions),
        cmocka_unit_test(ended_is_completed_failed_and_unknown),
        cmocka_unit_test(rates_use_the_real_length_of_the_interval),
        cmocka_unit_test(an_empty_interval_has_rates_of_zero),
        cmocka_unit_test(no_nopm_without_the_counted_transaction),
        cmocka_unit_test(a_run_where_all_fail_has_a_nopm_of_zero),
        cmocka_unit_test(statements_are_over_all_that_ended),
        cmocka_unit_test(every_bit_has_a_name_and_no_more),
        cmocka_unit_test(a_result_is_released_twice_without_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
