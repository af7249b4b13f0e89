/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void codes_have_a_text_and_a_name(void **state)
{
    (void)state;
    assert_string_equal(rc_text(RC_OK), "success");
    assert_string_equal(rc_name(RC_DB_RETRY), "DB_RETRY");
    assert_string_equal(rc_text(RC_DB_RETRY), "transaction may be retried");
    assert_string_equal(rc_text((enum rc)99), "unknown code");
    assert_string_equal(rc_name((enum rc)99), "UNKNOWN");
}

static void setting_an_error_replaces_all_of_the_old_one(void **state)
{
    struct err err = {.native = 7, .sqlstate = "40001", .text = "old"};

    (void)state;
    assert_int_equal(err_set(&err, RC_INVALID, "row %d of %s", 3, "stock"),
                     RC_INVALID);
    assert_int_equal(err.rc, RC_INVALID);
    assert_int_equal(err.native, 0);
    assert_string_equal(err.sqlstate, "");
    assert_string_equal(err.text, "row 3 of stock");
}

static void errno_is_kept_and_described(void **state)
{
    struct err err = {0};

    (void)state;
    assert_int_equal(err_errno(&err, RC_IO, ENOENT, "cannot open '%s'", "a.db"),
                     RC_IO);
    assert_int_equal(err.native, ENOENT);
    assert_string_equal(err.text,
                        "cannot open 'a.db': No such file or directory");
}

static void context_goes_in_front(void **state)
{
    struct err err = {0};

    (void)state;
    err_set(&err, RC_IO, "disk full");
    err_prefix(&err, "chunk %d", 4);
    err_prefix(&err, "load %s", "stock");
    assert_string_equal(err.text, "load stock: chunk 4: disk full");
    assert_int_equal(err.rc, RC_IO);
}

static void an_error_may_quote_itself(void **state)
{
    struct err err = {.text = "inner"};

    (void)state;
    err_set(&err, RC_IO, "outer (%s)", err.text);
    assert_string_equal(err.text, "outer (inner)");
    err_prefix(&err, "%s", err.text);
    assert_string_equal(err.text, "outer (inner): outer (inner)");
}

static void nobody_need_want_the_text(void **state)
{
    (void)state;
    assert_int_equal(err_set(NULL, RC_BUSY, "x"), RC_BUSY);
    assert_int_equal(err_errno(NULL, RC_IO, EIO, "x"), RC_IO);
    err_prefix(NULL, "x");
}

static void long_texts_are_cut(void **state)
{
    char text[2 * ERR_TEXT_MAX];
    struct err err = {0};

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    err_set(&err, RC_IO, "%s", text);
    assert_int_equal(strlen(err.text), ERR_TEXT_MAX - 1);
    err_prefix(&err, "where");
    assert_int_equal(strlen(err.text), ERR_TEXT_MAX - 1);
    assert_memory_equal(err.text, "where: xxx", 10);
    err_prefix(&err, "%s", text);
    assert_int_equal(strlen(err.text), ERR_TEXT_MAX - 1);
    err_errno(&err, RC_IO, EIO, "%.1022s", text);
    assert_int_equal(strlen(err.text), ERR_TEXT_MAX - 1);
    assert_string_equal(err.text + 1020, "xx:");
}

static void a_bug_says_where_and_aborts(void **state)
{
    char text[256] = {0};
    int fds[2], status = 0;
    size_t used = 0;
    ssize_t n;
    pid_t pid;

    (void)state;
    assert_int_equal(pipe(fds), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(fds[1], STDERR_FILENO);
        BUG("%d users of %d", 3, 2);
    }
    close(fds[1]);
    while (used < sizeof(text) - 1 &&
           (n = read(fds[0], text + used, sizeof(text) - 1 - used)) > 0)
        used += (size_t)n;
    close(fds[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    assert_non_null(strstr(text, "dyno: bug: "));
    assert_non_null(strstr(text, "t_err.c:"));
    assert_non_null(strstr(text, ": 3 users of 2\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_have_a_text_and_a_name),
        cmocka_unit_test(setting_an_error_replaces_all_of_the_old_one),
        cmocka_unit_test(errno_is_kept_and_described),
        cmocka_unit_test(context_goes_in_front),
        cmocka_unit_test(an_error_may_quote_itself),
        cmocka_unit_test(nobody_need_want_the_text),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(a_bug_says_where_and_aborts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
