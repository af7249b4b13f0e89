/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#if HAVE_ASAN
#include <sanitizer/asan_interface.h>
#endif

#define BIG ((size_t)1 << 24)

static void allocations_are_aligned_zeroed_and_apart(void **state)
{
    struct arena a = ARENA_INIT(BIG);
    char *before = NULL;

    (void)state;
    for (size_t size = 0; size < 3000; size += 7) {
        char *p = arena_alloc(&a, size);

        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 16, 0);
        assert_true(p != before);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, size);
        before = p;
    }
    arena_release(&a);
}

static void reset_memory_is_used_again_and_zeroed(void **state)
{
    struct arena a = ARENA_INIT(BIG);
    size_t total = 0;

    (void)state;
    for (int round = 0; round < 5; round++) {
        for (size_t i = 0; i < 100; i++) {
            unsigned char *p = arena_alloc(&a, 1000);

            assert_non_null(p);
            for (size_t k = 0; k < 1000; k++)
                assert_int_equal(p[k], 0);
            memset(p, 0xaa, 1000);
        }
        assert_int_equal(a.used_bytes, 100 * 1008);
        if (round == 0)
            total = a.total_bytes;
        assert_int_equal(a.total_bytes, total);
        arena_reset(&a);
        assert_int_equal(a.used_bytes, 0);
    }
    arena_release(&a);
}

static void an_arena_that_is_warm_does_not_allocate(void **state)
{
    struct arena a = ARENA_INIT(BIG);
    uint64_t before;

    (void)state;
    assert_non_null(arena_alloc(&a, 20000));
    arena_reset(&a);
    before = mem_run_path_allocations();
    mem_run_path_enter();
    assert_non_null(arena_alloc(&a, 9000));
    assert_non_null(arena_printf(&a, "%d", 5));
    mem_run_path_leave();
    assert_int_equal(mem_run_path_allocations(), before);
    arena_release(&a);
}

static void the_maximum_holds(void **state)
{
    struct arena a = ARENA_INIT(100);

    (void)state;
    assert_non_null(arena_alloc(&a, 64));
    assert_non_null(arena_alloc(&a, 32));
    assert_null(arena_alloc(&a, 16));
    assert_null(arena_strdup(&a, "x"));
    arena_reset(&a);
    assert_non_null(arena_alloc(&a, 96));
    assert_true(a.total_bytes <= 100);
    arena_release(&a);
    assert_int_equal(a.max_bytes, 100);
    assert_non_null(arena_alloc(&a, 64));
    arena_release(&a);
}

static void absurd_sizes_are_refused(void **state)
{
    struct arena a = ARENA_INIT(SIZE_MAX);
    volatile size_t all = SIZE_MAX;

    (void)state;
    assert_null(arena_alloc(&a, all));
    assert_null(arena_alloc(&a, all - 40));
    assert_null(arena_array(&a, all / 2, 3));
    assert_non_null(ARENA_ARRAY(&a, int64_t, 10));
    arena_release(&a);
}

static void strings_are_copied_and_ended(void **state)
{
    struct arena a = ARENA_INIT(BIG);

    (void)state;
    assert_string_equal(arena_strdup(&a, ""), "");
    assert_string_equal(arena_strdup(&a, "warehouse"), "warehouse");
    assert_string_equal(arena_strndup(&a, "warehouse", 4), "ware");
    assert_string_equal(arena_strndup(&a, "wa", 400), "wa");
    assert_string_equal(arena_printf(&a, "%s-%05d", "x", 42), "x-00042");
    arena_release(&a);
}

static void a_failed_block_leaves_the_arena_as_it_was(void **state)
{
    struct arena a = ARENA_INIT(BIG);
    char *kept;

    (void)state;
    mem_fail_nth(1);
    assert_null(arena_alloc(&a, 10));
    kept = arena_strdup(&a, "kept");
    mem_fail_nth(1);
    assert_null(arena_alloc(&a, 100000));
    mem_fail_nth(0);
    assert_non_null(kept);
    assert_string_equal(kept, "kept");
    assert_non_null(arena_alloc(&a, 100000));
    arena_release(&a);
}

static void stale_pointers_are_poisoned(void **state)
{
#if HAVE_ASAN
    struct arena a = ARENA_INIT(BIG);
    char *p = arena_alloc(&a, 24);

    (void)state;
    assert_non_null(p);
    assert_false(__asan_address_is_poisoned(p + 23));
    assert_true(__asan_address_is_poisoned(p + 24));
    arena_reset(&a);
    assert_true(__asan_address_is_poisoned(p));
    arena_release(&a);
#else
    (void)state;
    print_message("without ASan nothing is poisoned\n");
    skip();
#endif
}

static void releasing_nothing_is_fine(void **state)
{
    struct arena a = {0};

    (void)state;
    arena_reset(&a);
    arena_release(&a);
    assert_null(arena_alloc(&a, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_are_aligned_zeroed_and_apart),
        cmocka_unit_test(reset_memory_is_used_again_and_zeroed),
        cmocka_unit_test(an_arena_that_is_warm_does_not_allocate),
        cmocka_unit_test(the_maximum_holds),
        cmocka_unit_test(absurd_sizes_are_refused),
        cmocka_unit_test(strings_are_copied_and_ended),
        cmocka_unit_test(a_failed_block_leaves_the_arena_as_it_was),
        cmocka_unit_test(stale_pointers_are_poisoned),
        cmocka_unit_test(releasing_nothing_is_fine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
