/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void memory_is_zeroed(void **state)
{
    uint64_t *p = MEM_ARRAY(uint64_t, 100);

    (void)state;
    assert_non_null(p);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(p[i], 0);
    mem_free(p);
}

static void aligned_memory_is_aligned_and_zeroed(void **state)
{
    static const size_t sizes[] = {0, 1, 63, 64, 65, 1000};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        char *p = mem_calloc_aligned(1, sizes[i]);

        assert_non_null(p);
        assert_int_equal((uintptr_t)p % CACHE_LINE_BYTES, 0);
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(p[k], 0);
        mem_free(p);
    }
}

static void nothing_at_all_is_still_a_pointer(void **state)
{
    void *p = mem_calloc(0, 8), *q = mem_realloc(NULL, 0);

    (void)state;
    assert_non_null(p);
    assert_non_null(q);
    q = mem_realloc(q, 0);
    assert_non_null(q);
    mem_free(p);
    mem_free(q);
    mem_free(NULL);
}

static void an_overflowing_size_is_refused(void **state)
{
    /* Not constants, so that the compiler cannot see and refuse it. */
    volatile size_t many = SIZE_MAX / 4, all = SIZE_MAX;

    (void)state;
    assert_null(mem_calloc(many, 16));
    assert_null(mem_calloc_aligned(many, 16));
    assert_null(mem_calloc_aligned(1, all));
}

static void text_is_copied(void **state)
{
    char text[] = "abc";
    char *copy = mem_strdup(text);

    (void)state;
    text[0] = 'x';
    assert_non_null(copy);
    assert_string_equal(copy, "abc");
    mem_free(copy);
}

static void only_the_nth_allocation_fails(void **state)
{
    void *first, *third;

    (void)state;
    mem_fail_nth(2);
    first = mem_calloc(1, 1);
    assert_null(mem_strdup("x"));
    third = mem_calloc_aligned(1, 1);
    assert_non_null(first);
    assert_non_null(third);
    mem_free(first);

    mem_fail_nth(1);
    assert_null(mem_realloc(third, 10));
    mem_fail_nth(1);
    mem_fail_nth(0);
    third = mem_realloc(third, 10);
    assert_non_null(third);
    mem_free(third);
}

static void *allocate_three_times_on_the_run_path(void *arg)
{
    (void)arg;
    mem_free(mem_calloc(1, 1));
    mem_run_path_enter();
    mem_free(mem_calloc(1, 1));
    mem_free(mem_strdup("x"));
    mem_free(mem_realloc(NULL, 1));
    mem_run_path_leave();
    mem_free(mem_calloc(1, 1));
    return NULL;
}

static void run_path_allocations_of_all_threads_are_counted(void **state)
{
    const uint64_t before = mem_run_path_allocations();
    pthread_t threads[4];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL,
                                        allocate_three_times_on_the_run_path,
                                        NULL),
                         0);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(mem_run_path_allocations() - before, 12);
}

static void the_run_path_may_nest(void **state)
{
    const uint64_t before = mem_run_path_allocations();

    (void)state;
    mem_run_path_enter();
    mem_run_path_enter();
    mem_run_path_leave();
    mem_free(mem_calloc(1, 1));
    mem_run_path_leave();
    mem_free(mem_calloc(1, 1));
    assert_int_equal(mem_run_path_allocations() - before, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed),
        cmocka_unit_test(aligned_memory_is_aligned_and_zeroed),
        cmocka_unit_test(nothing_at_all_is_still_a_pointer),
        cmocka_unit_test(an_overflowing_size_is_refused),
        cmocka_unit_test(text_is_copied),
        cmocka_unit_test(only_the_nth_allocation_fails),
        cmocka_unit_test(run_path_allocations_of_all_threads_are_counted),
        cmocka_unit_test(the_run_path_may_nest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
