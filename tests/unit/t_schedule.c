/* SPDX-License-Identifier: MIT */
#include "run/schedule.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define BEGIN ((struct mono){1000})

static struct plan plan_of(const char *rate, bool even)
{
    const struct run_cfg cfg = {
        .rate = rate,
        .duration_ns = 60 * NS_PER_S,
        .arrivals = even ? ARRIVALS_EVEN : ARRIVALS_EXPONENTIAL,
    };
    struct plan plan;

    assert_int_equal(plan_make(&cfg, &plan, NULL), RC_OK);
    return plan;
}

/* Starts of all workers together, before `end` after the beginning. */
static uint64_t count_until(const struct plan *plan, uint64_t n_workers,
                            int64_t length_ns)
{
    const struct mono end = mono_add(BEGIN, length_ns);
    uint64_t n = 0;

    for (uint64_t i = 0; i < n_workers; i++) {
        struct schedule s;

        schedule_init(&s, plan, 7, i, n_workers);
        schedule_begin(&s, BEGIN, 1);
        while (schedule_take(&s).ns < end.ns)
            n++;
    }
    return n;
}

static void even_starts_are_exact_for_ever(void **state)
{
    static const struct {
        const char *rate;
        int64_t length_s;
        uint64_t n;
    } want[] = {
        {"1/s", 60, 60},      {"7/s", 60, 420},       {"99/s", 60, 5940},
        {"999/s", 60, 59940}, {"50000/s", 4, 200000}, {"0.5/s", 60, 30},
        {"90/m", 60, 90},     {"10/h", 36000, 100},   {"7/s", 36000, 252000},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        const struct plan plan = plan_of(want[i].rate, true);

        for (uint64_t workers = 1; workers <= 3; workers++)
            assert_int_equal(
                count_until(&plan, workers, want[i].length_s * NS_PER_S),
                want[i].n);
    }
}

static void the_seventh_part_of_a_second_does_not_drift(void **state)
{
    const struct plan plan = plan_of("7/s", true);
    struct schedule s;
    struct mono at = BEGIN;

    (void)state;
    schedule_init(&s, &plan, 1, 0, 1);
    schedule_begin(&s, BEGIN, 1);
    for (int i = 0; i <= 7 * 1000; i++)
        at = schedule_take(&s);
    assert_int_equal(mono_since(at, BEGIN), 1000 * NS_PER_S);
}

/* Mean and deviation of exponential gaps are equal; 100,000 gaps have a mean
 * within 5 x 0.32 %. */
static void random_gaps_are_exponential(void **state)
{
    const struct plan plan = plan_of("1000/s", false);
    const int n = 100000;
    double sum = 0, squares = 0, mean, deviation;
    struct mono last = BEGIN;
    struct schedule s;

    (void)state;
    schedule_init(&s, &plan, 3, 0, 1);
    schedule_begin(&s, BEGIN, 1);
    for (int i = 0; i < n; i++) {
        const struct mono at = schedule_take(&s);
        const double gap = (double)mono_since(at, last);

        sum += gap;
        squares += gap * gap;
        last = at;
    }
    mean = sum / n;
    deviation = sqrt(squares / n - mean * mean);
    assert_true(fabs(mean / 1e6 - 1) < 0.016);
    assert_true(fabs(deviation / mean - 1) < 0.03);
}

/* A Poisson process of which the number of events is known: the rate asked
 * for is met in each minute and in the interval, not only in the long run. */
static void random_starts_are_as_many_as_even_ones(void **state)
{
    static const struct {
        const char *rate;
        int64_t duration_s, length_s;
        uint64_t n;
    } want[] = {
        {"1/s", 60, 60, 60},      {"7/s", 25, 25, 175},
        {"7/s", 90, 60, 420},     {"7/s", 90, 90, 630},
        {"10/h", 60, 60, 1},      {"10/h", 3600, 3600, 10},
        {"99/s", 60, 600, 59400}, {"0.5/s", 60, 60, 30},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        struct plan plan = plan_of(want[i].rate, false);

        plan.duration_ns = want[i].duration_s * NS_PER_S;
        for (uint64_t workers = 1; workers <= 3; workers++)
            assert_int_equal(
                count_until(&plan, workers, want[i].length_s * NS_PER_S),
                want[i].n);
    }
}

static void the_plan_is_the_same_on_any_number_of_threads(void **state)
{
    const struct plan plan = plan_of("100/s", false);
    struct schedule one, three[3];

    (void)state;
    schedule_init(&one, &plan, 5, 0, 1);
    schedule_begin(&one, BEGIN, 1);
    for (uint64_t i = 0; i < 3; i++) {
        schedule_init(&three[i], &plan, 5, i, 3);
        schedule_begin(&three[i], BEGIN, 1);
    }
    for (int i = 0; i < 3000; i++)
        assert_int_equal(schedule_take(&three[i % 3]).ns,
                         schedule_take(&one).ns);
}

static void stages_follow_each_other_and_end(void **state)
{
    const struct run_cfg cfg = {
        .stages = "2s:10/s,1s:100/s,500ms:4/s",
        .arrivals = ARRIVALS_EVEN,
    };
    int64_t n_in[3] = {0};
    struct schedule s;
    struct plan plan;
    struct mono at;

    (void)state;
    assert_int_equal(plan_make(&cfg, &plan, NULL), RC_OK);
    assert_int_equal(plan.duration_ns, 3500 * NS_PER_MS);
    schedule_init(&s, &plan, 1, 0, 1);
    schedule_begin(&s, BEGIN, 1);
    while ((at = schedule_take(&s)).ns != MONO_NEVER.ns) {
        const int64_t ms = mono_since(at, BEGIN) / NS_PER_MS;

        assert_true(ms < 3500);
        n_in[ms < 2000 ? 0 : ms < 3000 ? 1 : 2]++;
    }
    assert_int_equal(n_in[0], 20);
    assert_int_equal(n_in[1], 100);
    assert_int_equal(n_in[2], 2);
    assert_int_equal(schedule_take(&s).ns, MONO_NEVER.ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_starts_are_exact_for_ever),
        cmocka_unit_test(the_seventh_part_of_a_second_does_not_drift),
        cmocka_unit_test(random_gaps_are_exponential),
        cmocka_unit_test(random_starts_are_as_many_as_even_ones),
        cmocka_unit_test(the_plan_is_the_same_on_any_number_of_threads),
        cmocka_unit_test(stages_follow_each_other_and_end),
    };

    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
