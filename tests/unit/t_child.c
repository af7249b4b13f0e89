/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "lab/child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define LIMIT_NS (60 * NS_PER_S)

static enum rc wait_until_it_has_failed(void *arg, struct process p,
                                        struct err *err)
{
    (void)err;
    *(bool *)arg = process_wait(p, LIMIT_NS);
    return RC_OK;
}

static void a_child_that_fails_before_it_is_let_go_says_why(void **state)
{
    static const char *const argv[] = {"/bin/true", NULL};
    const struct child_user user = {.drop = false};
    const struct child_args args = {
        .argv = argv,
        .dir = "/dev/null/none",
        .log_fd = STDERR_FILENO,
        .user = &user,
    };
    struct err err = {0};
    bool gone = false;

    (void)state;
    assert_int_not_equal(
        child_start(&args, wait_until_it_has_failed, &gone, &err), RC_OK);
    assert_true(gone);
    assert_non_null(strstr(err.text, "cannot enter the folder"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_that_fails_before_it_is_let_go_says_why),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
