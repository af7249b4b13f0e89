/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "report/spark.h"
#include "run/course.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void add(struct run_course *c, enum interval_phase phase, uint64_t n,
                int64_t length_ns)
{
    struct interval it = {.phase = phase, .length_ns = length_ns, .n_txns = 2};

    it.txns[0].committed = n / 2;
    it.txns[1].committed = n - n / 2 - 1;
    it.txns[1].rolled_back = 1;
    it.txns[1].response.n = n;
    it.txns[1].response.p99_ns = (int64_t)n * 1000;
    course_add(c, &it);
}

static void only_the_measurement_interval_counts(void **state)
{
    struct run_course c = {.txn = 1};
    double tps[COURSE_POINTS_MAX];

    (void)state;
    add(&c, PHASE_RAMP_UP, 500, NS_PER_S);
    add(&c, PHASE_MEASURE, 100, NS_PER_S);
    add(&c, PHASE_MEASURE, 300, 2 * NS_PER_S);
    add(&c, PHASE_DRAIN, 500, NS_PER_S);
    assert_int_equal(course_throughput(&c, tps), 2);
    assert_true(fabs(tps[0] - 100) < 1e-9 && fabs(tps[1] - 150) < 1e-9);
    assert_int_equal(c.points[1].p99_ns, 300000);
}

static void a_splinter_at_the_end_is_left_out(void **state)
{
    struct run_course c = {.txn = 1};
    double tps[COURSE_POINTS_MAX];

    (void)state;
    add(&c, PHASE_MEASURE, 100, NS_PER_S);
    add(&c, PHASE_MEASURE, 100, NS_PER_S);
    add(&c, PHASE_MEASURE, 90, NS_PER_MS);
    assert_int_equal(course_throughput(&c, tps), 2);
}

/* A day of seconds: nothing is lost, nobody grows. */
static void a_long_run_has_fewer_points_and_all_that_happened(void **state)
{
    const size_t n = 24 * 3600;
    struct run_course c = {.txn = 1};
    double tps[COURSE_POINTS_MAX];
    uint64_t completed = 0;
    int64_t length_ns = 0;
    size_t n_points;

    (void)state;
    for (size_t i = 0; i < n; i++)
        add(&c, PHASE_MEASURE, i < n / 2 ? 100 : 200, NS_PER_S);
    for (size_t i = 0; i < c.n; i++) {
        completed += c.points[i].completed;
        length_ns += c.points[i].length_ns;
    }
    assert_int_equal(completed, 150 * n);
    assert_int_equal(length_ns, (int64_t)n * NS_PER_S);
    n_points = course_throughput(&c, tps);
    assert_in_range(n_points, COURSE_POINTS_MAX / 2, COURSE_POINTS_MAX);
    assert_true(fabs(tps[0] - 100) < 1e-9);
    assert_true(fabs(tps[n_points - 1] - 200) < 1e-9);
    assert_int_equal(c.points[0].p99_ns, 100000);
}

static void a_spark_line_goes_from_zero_to_the_highest(void **state)
{
    const double up[] = {0, 1, 2, 4, 8}, holes[] = {NAN, 5, NAN};
    char out[SPARK_BYTES];

    (void)state;
    spark_line(up, ARRAY_LEN(up), false, out);
    assert_string_equal(out, "▁▁▂▄█");
    spark_line(holes, ARRAY_LEN(holes), false, out);
    assert_string_equal(out, " █ ");
    spark_line(NULL, 0, false, out);
    assert_string_equal(out, "");
}

static void more_values_than_characters_are_put_together(void **state)
{
    double x[10 * SPARK_WIDTH];
    char mean[SPARK_BYTES], most[SPARK_BYTES];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(x); i++)
        x[i] = i % 10 == 0 ? 80 : 10;
    x[0] = 160;
    spark_line(x, ARRAY_LEN(x), false, mean);
    spark_line(x, ARRAY_LEN(x), true, most);
    assert_int_equal(strlen(mean), 3 * SPARK_WIDTH);
    assert_int_equal(strncmp(most, "█▄▄", strlen("█▄▄")), 0);
    assert_int_equal(strncmp(mean, "██", strlen("█")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_measurement_interval_counts),
        cmocka_unit_test(a_splinter_at_the_end_is_left_out),
        cmocka_unit_test(a_long_run_has_fewer_points_and_all_that_happened),
        cmocka_unit_test(a_spark_line_goes_from_zero_to_the_highest),
        cmocka_unit_test(more_values_than_characters_are_put_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
