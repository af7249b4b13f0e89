/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/rng.h"
#include "engine/timers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define N_TIMERS 500

static struct mono at(int64_t ns)
{
    return (struct mono){ns};
}

static void reserve(struct timers *timers, size_t n)
{
    assert_int_equal(timers_reserve(timers, n), RC_OK);
}

static void timers_fire_in_order_of_due_time(void **state)
{
    static const int64_t due[] = {50, 10, 40, 20, 30};
    struct timer t[ARRAY_LEN(due)] = {0};
    struct timers timers = {0};

    (void)state;
    reserve(&timers, ARRAY_LEN(due));
    for (size_t i = 0; i < ARRAY_LEN(due); i++)
        timers_add(&timers, &t[i], at(due[i]));
    assert_ptr_equal(timers_first(&timers), &t[1]);
    assert_ptr_equal(timers_pop(&timers, at(100)), &t[1]);
    assert_ptr_equal(timers_pop(&timers, at(100)), &t[3]);
    assert_ptr_equal(timers_pop(&timers, at(100)), &t[4]);
    assert_ptr_equal(timers_pop(&timers, at(100)), &t[2]);
    assert_ptr_equal(timers_pop(&timers, at(100)), &t[0]);
    assert_null(timers_pop(&timers, at(100)));
    assert_null(timers_first(&timers));
    timers_release(&timers);
}

static void timers_with_the_same_due_time_fire_as_they_were_added(void **state)
{
    static struct timer t[N_TIMERS];
    struct timers timers = {0};

    (void)state;
    reserve(&timers, N_TIMERS);
    for (size_t i = 0; i < N_TIMERS; i++)
        timers_add(&timers, &t[i], at(i % 2 ? 7 : 5));
    for (size_t i = 0; i < N_TIMERS; i += 2)
        assert_ptr_equal(timers_pop(&timers, at(7)), &t[i]);
    for (size_t i = 1; i < N_TIMERS; i += 2)
        assert_ptr_equal(timers_pop(&timers, at(7)), &t[i]);
    timers_release(&timers);
}

static void a_timer_fires_at_its_due_time_and_not_before(void **state)
{
    struct timers timers = {0};
    struct timer t = {0};

    (void)state;
    reserve(&timers, 1);
    timers_add(&timers, &t, at(10));
    assert_null(timers_pop(&timers, at(9)));
    assert_ptr_equal(timers_pop(&timers, at(10)), &t);
    timers_release(&timers);
}

static void removing_one_that_is_not_there_does_nothing(void **state)
{
    struct timers timers = {0};
    struct timer t = {0};

    (void)state;
    reserve(&timers, 1);
    timers_remove(&timers, &t);
    timers_add(&timers, &t, at(1));
    timers_remove(&timers, &t);
    timers_remove(&timers, &t);
    assert_null(timers_first(&timers));
    timers_add(&timers, &t, at(2));
    assert_ptr_equal(timers_first(&timers), &t);
    timers_release(&timers);
}

/* The earliest by a plain search. */
static struct timer *earliest(struct timer *t, size_t n)
{
    struct timer *first = NULL;

    for (size_t i = 0; i < n; i++) {
        if (t[i].place == 0)
            continue;
        if (!first || t[i].due.ns < first->due.ns ||
            (t[i].due.ns == first->due.ns && t[i].sequence < first->sequence))
            first = &t[i];
    }
    return first;
}

static void any_mix_of_adding_and_removing_keeps_the_order(void **state)
{
    static struct timer t[100];
    struct timers timers = {0};
    struct rng rng;

    (void)state;
    rng_init(&rng, 42, 0, RNG_CHOICE);
    reserve(&timers, ARRAY_LEN(t));
    for (int step = 0; step < 20000; step++) {
        struct timer *one = &t[rng_below(&rng, ARRAY_LEN(t))];

        if (one->place != 0)
            timers_remove(&timers, one);
        else
            timers_add(&timers, one, at(rng_range(&rng, 0, 50)));
        assert_ptr_equal(timers_first(&timers), earliest(t, ARRAY_LEN(t)));
    }
    while (timers_first(&timers)) {
        struct timer *want = earliest(t, ARRAY_LEN(t));

        assert_ptr_equal(timers_pop(&timers, MONO_NEVER), want);
    }
    timers_release(&timers);
}

static void reserving_reports_no_memory_and_keeps_what_was_there(void **state)
{
    struct timers timers = {0};
    struct timer t = {0};

    (void)state;
    reserve(&timers, 1);
    timers_add(&timers, &t, at(1));
    mem_fail_nth(1);
    assert_int_equal(timers_reserve(&timers, 1000), RC_NOMEM);
    mem_fail_nth(0);
    assert_ptr_equal(timers_first(&timers), &t);
    timers_release(&timers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timers_fire_in_order_of_due_time),
        cmocka_unit_test(timers_with_the_same_due_time_fire_as_they_were_added),
        cmocka_unit_test(a_timer_fires_at_its_due_time_and_not_before),
        cmocka_unit_test(removing_one_that_is_not_there_does_nothing),
        cmocka_unit_test(any_mix_of_adding_and_removing_keeps_the_order),
        cmocka_unit_test(reserving_reports_no_memory_and_keeps_what_was_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
