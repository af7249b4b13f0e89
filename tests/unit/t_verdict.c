/* SPDX-License-Identifier: MIT */
#include "run/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct run_result r;
    struct run_cfg cfg;
};

/* A run without a fault. */
static struct fixture *good_run(void)
{
    static struct fixture f;

    f.cfg = (struct run_cfg){.max_failed = 0};
    result_init(&f.r);
    f.r.n_txns = 2;
    f.r.txns[0].measured.committed = 90;
    f.r.txns[1].measured.committed = 10;
    f.r.n_vus = 4;
    f.r.n_threads = 1;
    f.r.scale = 1;
    f.r.interval_ns = NS_PER_S;
    f.r.accounting = (struct accounting){.done = true, .client = 90, .db = 90};
    f.r.audited = true;
    audit_init(&f.r.audit, AUDIT_FULL);
    audit_expect(audit_add(&f.r.audit, "one", "a check"), true, "-");
    return &f;
}

static void expect(struct fixture *f, bool window_full, unsigned invalid,
                   unsigned warnings)
{
    verdict_reach(&f->r, &f->cfg, window_full);
    assert_int_equal(f->r.invalid, invalid);
    assert_int_equal(f->r.warnings, warnings);
    assert_int_equal(result_valid(&f->r), invalid == 0);
}

static void a_good_run_is_valid_without_warnings(void **state)
{
    (void)state;
    expect(good_run(), true, 0, 0);
}

static void a_failed_check_makes_it_invalid(void **state)
{
    struct fixture *f = good_run();

    (void)state;
    audit_expect(audit_add(&f->r.audit, "two", "another"), false, "no");
    expect(f, true, INVALID_AUDIT_FAILED, 0);
}

static void an_audit_without_a_check_has_not_passed(void **state)
{
    struct fixture *f = good_run();

    (void)state;
    audit_init(&f->r.audit, AUDIT_FULL);
    expect(f, true, INVALID_AUDIT_FAILED, 0);
}

static void a_run_that_was_not_audited_is_judged_by_the_rest(void **state)
{
    struct fixture *f = good_run();

    (void)state;
    f->r.audited = false;
    audit_init(&f->r.audit, AUDIT_OFF);
    expect(f, true, 0, 0);
}

static void the_difference_lies_between_0_and_the_unknown_outcomes(void **state)
{
    static const struct {
        int64_t difference, unknown;
        bool valid;
    } cases[] = {
        {0, 0, true},  {1, 0, false}, {-1, 0, false}, {1, 1, true},
        {2, 1, false}, {0, 5, true},  {5, 5, true},   {-1, 5, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct fixture *f = good_run();

        f->r.accounting.difference = cases[i].difference;
        f->r.accounting.unknown = cases[i].unknown;
        expect(f, true, cases[i].valid ? 0 : INVALID_ACCOUNTING_MISMATCH, 0);
    }
}

static void accounting_that_was_not_made_says_nothing(void **state)
{
    struct fixture *f = good_run();

    (void)state;
    f->r.accounting = (struct accounting){.done = false, .difference = 9};
    expect(f, true, 0, 0);
}

static void a_user_that_died_or_was_abandoned_invalidates(void **state)
{
    struct fixture *f = good_run();

    (void)state;
    f->r.users_died = 1;
    expect(f, true, INVALID_USER_DIED, 0);
    f = good_run();
    f->r.users_abandoned = 1;
    expect(f, true, INVALID_USER_DIED, 0);
}

static void nothing_completed_is_not_valid(void **state)
{
    struct fixture *f = good_run();

    (void)state;
    f->r.txns[0].measured = (struct outcome_counts){0};
    f->r.txns[1].measured = (struct outcome_counts){0};
    expect(f, true, INVALID_NOTHING_COMPLETED, 0);
}

static void intended_rollbacks_are_completed(void **state)
{
    struct fixture *f = good_run();

    (void)state;
    f->r.txns[0].measured = (struct outcome_counts){.rolled_back = 1};
    f->r.txns[1].measured = (struct outcome_counts){0};
    expect(f, true, 0, 0);
}

static void the_share_of_failed_transactions_has_a_limit(void **state)
{
    static const struct {
        uint64_t failed;
        double limit;
        bool valid;
    } cases[] = {
        {0, 0, true},     {1, 0, false},     {25, 0.2, true}, {26, 0.2, false},
        {100, 0.5, true}, {101, 0.5, false}, {900, 1, true},
    };

    (void)state;
    /* Beside 100 that committed. */
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct fixture *f = good_run();

        f->r.txns[1].measured.failed = cases[i].failed;
        f->cfg.max_failed = cases[i].limit;
        expect(f, true, cases[i].valid ? 0 : INVALID_TOO_MANY_FAILED, 0);
    }
}

static void an_interval_cut_short_is_not_valid(void **state)
{
    (void)state;
    expect(good_run(), false, INVALID_WINDOW_INCOMPLETE, 0);
}

static void reasons_come_together(void **state)
{
    struct fixture *f = good_run();

    (void)state;
    f->r.txns[0].measured = (struct outcome_counts){.failed = 5};
    f->r.txns[1].measured = (struct outcome_counts){0};
    f->r.accounting.difference = -1;
    expect(f, false,
           INVALID_ACCOUNTING_MISMATCH | INVALID_NOTHING_COMPLETED |
               INVALID_TOO_MANY_FAILED | INVALID_WINDOW_INCOMPLETE,
           0);
}

static void warnings_do_not_invalidate(void **state)
{
    struct fixture *f = good_run();

    (void)state;
    f->r.txns[0].measured.retries = 1;
    expect(f, true, 0, WARN_RETRIES);
    f = good_run();
    f->r.txns[0].measured.unknown = 1;
    expect(f, true, 0, WARN_UNKNOWN_OUTCOMES);
    f = good_run();
    audit_add(&f->r.audit, "two", "t")->verdict = AUDIT_NOT_ENOUGH_DATA;
    expect(f, true, 0, WARN_NOT_ENOUGH_DATA);
    f = good_run();
    f->r.scale = 5;
    expect(f, true, 0, WARN_FEW_USERS_FOR_SCALE);
}

static void a_client_that_used_its_cores_up_may_be_the_limit(void **state)
{
    struct fixture *f = good_run();

    (void)state;
    f->r.client_cpu_ns = NS_PER_S * 79 / 100;
    expect(f, true, 0, 0);
    f->r.client_cpu_ns = NS_PER_S * 81 / 100;
    expect(f, true, 0, WARN_CLIENT_BOUND);
}

/* 60 seconds, slow for the first six of them; odd ones a little faster. */
static void slow_at_first(struct run_course *c)
{
    c->n = 60;
    for (size_t i = 0; i < c->n; i++)
        c->points[i] = (struct course_point){.length_ns = NS_PER_S,
                                             .completed = i < 6 ? 500 + i % 2
                                                                : 1000 + i % 2};
}

static void a_warm_up_in_the_interval_is_not_steady(void **state)
{
    struct fixture *f = good_run();

    (void)state;
    slow_at_first(&f->r.course);
    expect(f, true, 0, WARN_NOT_STEADY);
    assert_true(f->r.steady.tested && f->r.steady.warming);
}

static void a_load_that_changes_by_plan_is_not_tested(void **state)
{
    struct fixture *f = good_run();

    (void)state;
    slow_at_first(&f->r.course);
    f->cfg.stages = "1m:1,1m:2";
    expect(f, true, 0, 0);
    assert_false(f->r.steady.tested);
}

static void every_bit_has_a_name_and_no_other_has(void **state)
{
    size_t n_reasons = 0, n_warnings = 0;

    (void)state;
    while (invalid_reason_name(n_reasons))
        n_reasons++;
    while (run_warning_name(n_warnings))
        n_warnings++;
    assert_int_equal(1U << (n_reasons - 1), INVALID_WINDOW_INCOMPLETE);
    assert_int_equal(1U << (n_warnings - 1), WARN_FEW_USERS_FOR_SCALE);
    assert_string_equal(invalid_reason_name(0), "audit_failed");
    assert_string_equal(run_warning_name(0), "retries");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_run_is_valid_without_warnings),
        cmocka_unit_test(a_failed_check_makes_it_invalid),
        cmocka_unit_test(an_audit_without_a_check_has_not_passed),
        cmocka_unit_test(a_run_that_was_not_audited_is_judged_by_the_rest),
        cmocka_unit_test(
            the_difference_lies_between_0_and_the_unknown_outcomes),
        cmocka_unit_test(accounting_that_was_not_made_says_nothing),
        cmocka_unit_test(a_user_that_died_or_was_abandoned_invalidates),
        cmocka_unit_test(nothing_completed_is_not_valid),
        cmocka_unit_test(intended_rollbacks_are_completed),
        cmocka_unit_test(the_share_of_failed_transactions_has_a_limit),
        cmocka_unit_test(an_interval_cut_short_is_not_valid),
        cmocka_unit_test(reasons_come_together),
        cmocka_unit_test(warnings_do_not_invalidate),
        cmocka_unit_test(a_client_that_used_its_cores_up_may_be_the_limit),
        cmocka_unit_test(a_warm_up_in_the_interval_is_not_steady),
        cmocka_unit_test(a_load_that_changes_by_plan_is_not_tested),
        cmocka_unit_test(every_bit_has_a_name_and_no_other_has),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
