/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void appends_add_up_and_end_with_nul(void **state)
{
    struct buf b = BUF_INIT(1000);

    (void)state;
    assert_string_equal(buf_str(&b), "");
    buf_puts(&b, "select ");
    buf_putc(&b, '1');
    buf_printf(&b, " + %d", 41);
    buf_add(&b, "\0x", 2);
    assert_int_equal(buf_rc(&b), RC_OK);
    assert_int_equal(b.len, 15);
    assert_memory_equal(buf_str(&b), "select 1 + 41\0x", 16);
    buf_release(&b);
}

static void appending_nothing_is_fine(void **state)
{
    struct buf b = BUF_INIT(0);

    (void)state;
    buf_puts(&b, "");
    buf_printf(&b, "%s", "");
    buf_add(&b, NULL, 0);
    assert_int_equal(buf_rc(&b), RC_OK);
    assert_string_equal(buf_str(&b), "");
    buf_release(&b);
}

static void exactly_the_maximum_fits(void **state)
{
    struct buf b = BUF_INIT(5);

    (void)state;
    buf_puts(&b, "abc");
    buf_printf(&b, "%d", 12);
    assert_int_equal(buf_rc(&b), RC_OK);
    assert_string_equal(buf_str(&b), "abc12");
    buf_putc(&b, 'x');
    assert_int_equal(buf_rc(&b), RC_NOMEM);
    assert_string_equal(buf_str(&b), "abc12");
    buf_release(&b);
}

static void the_first_error_sticks_until_reset(void **state)
{
    struct buf b = BUF_INIT(5);

    (void)state;
    buf_puts(&b, "abc");
    buf_printf(&b, "%d", 123456);
    buf_puts(&b, "d");
    assert_int_equal(buf_rc(&b), RC_NOMEM);
    assert_string_equal(buf_str(&b), "abc");
    buf_reset(&b);
    assert_int_equal(buf_rc(&b), RC_OK);
    assert_string_equal(buf_str(&b), "");
    buf_puts(&b, "12345");
    assert_string_equal(buf_str(&b), "12345");
    buf_release(&b);
}

static void failed_growth_keeps_what_is_there(void **state)
{
    struct buf b = BUF_INIT(SIZE_MAX);

    (void)state;
    buf_puts(&b, "abc");
    mem_fail_nth(1);
    buf_printf(&b, "%0200d", 1);
    mem_fail_nth(0);
    assert_int_equal(buf_rc(&b), RC_NOMEM);
    assert_string_equal(buf_str(&b), "abc");
    buf_release(&b);
}

static void growth_is_geometric(void **state)
{
    struct buf b = BUF_INIT(1 << 20);
    const uint64_t before = mem_run_path_allocations();

    (void)state;
    mem_run_path_enter();
    for (int i = 0; i < 1 << 20; i++)
        buf_putc(&b, 'x');
    mem_run_path_leave();
    assert_int_equal(buf_rc(&b), RC_OK);
    assert_int_equal(b.len, 1 << 20);
    /* 64 bytes doubled 15 times is more than 1 MiB and its terminator. */
    assert_true(mem_run_path_allocations() - before <= 16);
    buf_release(&b);
}

static void whole_files_are_read(void **state)
{
    char path[] = "/tmp/t_buf.XXXXXX";
    struct buf want = BUF_INIT(100000), got = BUF_INIT(100000);
    struct err err = {0};
    const int fd = mkstemp(path);
    FILE *f;

    (void)state;
    assert_true(fd >= 0);
    for (int i = 0; i < 3000; i++)
        buf_printf(&want, "line %d\n", i);
    f = fdopen(fd, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(want.data, 1, want.len, f), want.len);
    fclose(f);

    assert_int_equal(buf_read_file(&got, path, &err), RC_OK);
    assert_string_equal(buf_str(&got), buf_str(&want));

    buf_release(&got);
    buf_init(&got, 10);
    assert_int_equal(buf_read_file(&got, path, &err), RC_NOMEM);
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, "larger than 10 bytes"));
    unlink(path);
    buf_release(&got);
    buf_release(&want);
}

static void files_that_cannot_be_read_are_named(void **state)
{
    struct buf b = BUF_INIT(100);
    struct err err = {0};

    (void)state;
    assert_int_equal(buf_read_file(&b, "/no/such/file", &err), RC_NOT_FOUND);
    assert_string_equal(
        err.text, "cannot open '/no/such/file': No such file or directory");
    assert_int_equal(buf_read_file(&b, "/", &err), RC_IO);
    assert_string_equal(err.text, "cannot read '/': Is a directory");
    buf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appends_add_up_and_end_with_nul),
        cmocka_unit_test(appending_nothing_is_fine),
        cmocka_unit_test(exactly_the_maximum_fits),
        cmocka_unit_test(the_first_error_sticks_until_reset),
        cmocka_unit_test(failed_growth_keeps_what_is_there),
        cmocka_unit_test(growth_is_geometric),
        cmocka_unit_test(whole_files_are_read),
        cmocka_unit_test(files_that_cannot_be_read_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
