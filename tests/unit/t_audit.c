/* SPDX-License-Identifier: MIT */
#include "workload/audit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int setup(void **state)
{
    static struct audit a;

    audit_init(&a, AUDIT_FULL);
    *state = &a;
    return 0;
}

static void a_new_check_has_passed_and_counted_nothing(void **state)
{
    const struct audit_check *c = audit_add(*state, "condition_1", "a title");

    assert_string_equal(c->name, "condition_1");
    assert_string_equal(c->title, "a title");
    assert_int_equal(c->verdict, AUDIT_PASSED);
    assert_int_equal(c->n_checked, 0);
    assert_int_equal(c->n_failed, 0);
    assert_string_equal(c->detail, "");
}

static void the_first_failure_is_kept_and_all_are_counted(void **state)
{
    struct audit_check *c = audit_add(*state, "x", "x");

    audit_expect(c, true, "row %d", 1);
    audit_expect(c, false, "row %d: %s", 2, "bad");
    audit_expect(c, false, "row %d: %s", 3, "worse");
    audit_expect(c, true, "row %d", 4);
    assert_int_equal(c->verdict, AUDIT_FAILED);
    assert_int_equal(c->n_checked, 4);
    assert_int_equal(c->n_failed, 2);
    assert_string_equal(c->detail, "row 2: bad");
}

static void a_long_text_is_cut(void **state)
{
    struct audit_check *c = audit_add(*state, "x", "x");

    audit_expect(c, false, "%500s", "");
    assert_int_equal(strlen(c->detail), sizeof(c->detail) - 1);
}

static void a_check_that_could_not_be_made_has_failed(void **state)
{
    struct audit_check *c = audit_add(*state, "x", "x");
    struct err err = {0};

    err_set(&err, RC_DB_ERROR, "no such table: stock");
    audit_error(c, &err);
    assert_int_equal(c->verdict, AUDIT_FAILED);
    assert_int_equal(c->n_failed, 1);
    assert_string_equal(c->detail, "not checked: no such table: stock");
    assert_false(audit_passed(*state));
}

static void a_database_that_is_gone_says_nothing_about_the_data(void **state)
{
    struct audit_check *c = audit_add(*state, "x", "x");
    struct err gone = {0}, wrong = {0};

    assert_null(audit_lost(*state));
    err_set(&gone, RC_DB_GONE, "the server closed the connection");
    audit_error(c, &gone);
    assert_string_equal(audit_lost(*state),
                        "not checked: the server closed the connection");
    assert_false(audit_passed(*state));
    /* What was found before it went is still wrong. */
    err_set(&wrong, RC_DB_ERROR, "no such table: stock");
    audit_error(audit_add(*state, "y", "y"), &wrong);
    assert_null(audit_lost(*state));
}

static void an_error_does_not_hide_an_earlier_violation(void **state)
{
    struct audit_check *c = audit_add(*state, "x", "x");
    struct err err = {0};

    audit_expect(c, false, "warehouse 3");
    err_set(&err, RC_DB_ERROR, "gone");
    audit_error(c, &err);
    assert_string_equal(c->detail, "warehouse 3");
}

static void an_audit_passes_when_one_check_did_and_none_failed(void **state)
{
    struct audit *a = *state;
    struct audit_check *c;

    assert_false(audit_passed(a));
    audit_add(a, "x", "x")->verdict = AUDIT_NOT_APPLICABLE;
    audit_add(a, "y", "y")->verdict = AUDIT_NOT_ENOUGH_DATA;
    assert_false(audit_passed(a));
    c = audit_add(a, "z", "z");
    assert_true(audit_passed(a));
    audit_expect(c, false, "bad");
    assert_false(audit_passed(a));
}

static void an_audit_of_some_checks_makes_no_others(void **state)
{
    const struct opt_strs only = {{"inputs_mix,state", "condition_1"}, 2};
    struct audit *a = *state;

    a->only = &only;
    assert_non_null(audit_add(a, "inputs_mix", "x"));
    assert_non_null(audit_add(a, "state_stock", "a group"));
    assert_non_null(audit_add(a, "condition_1", "x"));
    assert_null(audit_add(a, "condition_10", "x"));
    assert_null(audit_add(a, "inputs_items", "x"));
    assert_null(audit_add(a, "statement", "x"));
    assert_int_equal(a->n_checks, 3);
    audit_expect(NULL, false, "a check that is not made");
    audit_skip(NULL, "x");
    audit_lacks(NULL, "x");
    assert_true(audit_passed(a));
}

static void names_that_are_no_check_are_refused(void **state)
{
    static const struct audit_def defs[] = {{"inputs_mix", "x", 0, 0},
                                            {"condition_1", "x", 0, 0}};
    const struct opt_strs good = {{"inputs,condition_1", "inputs_mix"}, 2};
    const struct opt_strs bad = {{"inputs", "inputs,condition_2"}, 2};
    struct err err = {0};

    (void)state;
    assert_int_equal(audit_check_names(&good, defs, 2, &err), RC_OK);
    assert_int_equal(audit_check_names(&bad, defs, 2, &err), RC_USAGE);
    assert_non_null(strstr(err.text, "'condition_2' is no check"));
    assert_non_null(strstr(err.text, "did you mean 'condition_1'?"));
}

static void too_little_is_said_until_something_was_checked(void **state)
{
    struct audit_check *c = audit_add(*state, "x", "x");

    audit_lacks(c, "%d draws", 3);
    assert_int_equal(c->verdict, AUDIT_NOT_ENOUGH_DATA);
    assert_string_equal(c->detail, "3 draws");
    audit_expect(c, true, "x");
    assert_int_equal(c->verdict, AUDIT_PASSED);
    assert_string_equal(c->detail, "");
    audit_lacks(c, "%d draws", 3);
    assert_int_equal(c->verdict, AUDIT_PASSED);
}

static void every_verdict_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(audit_verdict_name(AUDIT_PASSED), "passed");
    assert_string_equal(audit_verdict_name(AUDIT_FAILED), "failed");
    assert_string_equal(audit_verdict_name(AUDIT_NOT_ENOUGH_DATA),
                        "not enough data");
    assert_string_equal(audit_verdict_name(AUDIT_NOT_APPLICABLE),
                        "not applicable");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_new_check_has_passed_and_counted_nothing,
                               setup),
        cmocka_unit_test_setup(the_first_failure_is_kept_and_all_are_counted,
                               setup),
        cmocka_unit_test_setup(a_long_text_is_cut, setup),
        cmocka_unit_test_setup(a_check_that_could_not_be_made_has_failed,
                               setup),
        cmocka_unit_test_setup(
            a_database_that_is_gone_says_nothing_about_the_data, setup),
        cmocka_unit_test_setup(an_error_does_not_hide_an_earlier_violation,
                               setup),
        cmocka_unit_test_setup(
            an_audit_passes_when_one_check_did_and_none_failed, setup),
        cmocka_unit_test(every_verdict_has_a_name),
        cmocka_unit_test_setup(an_audit_of_some_checks_makes_no_others, setup),
        cmocka_unit_test(names_that_are_no_check_are_refused),
        cmocka_unit_test_setup(too_little_is_said_until_something_was_checked,
                               setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
