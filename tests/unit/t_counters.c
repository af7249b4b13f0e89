/* SPDX-License-Identifier: MIT */
#include "telemetry/counters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void sample(struct counters *c, size_t source, int64_t at, int64_t a,
                   int64_t b)
{
    const struct value cells[] = {v_text("a"), v_int(a), v_text("b"), v_int(b)};
    const struct rowset rows = {.cells = cells, .n_rows = 2, .n_cols = 2};
    const struct moment moment = {{at}, (uint64_t)at * 10};

    counters_sample(c, source, &moment, &rows);
}

static void growth_is_summed_over_the_source_s_own_time(void **state)
{
    static struct counters c;
    const struct server_counter *a;

    (void)state;
    sample(&c, 3, 100, 5, 50);
    sample(&c, 3, 200, 7, 50);
    sample(&c, 3, 350, 17, 51);
    a = counters_find(&c, "a");
    assert_non_null(a);
    assert_int_equal(a->sum, 12);
    assert_int_equal(counters_find(&c, "b")->sum, 1);
    assert_int_equal(counter_span(&c, a)->ns, 250);
    assert_int_equal(counter_span(&c, a)->txns, 2500);
    assert_null(counters_find(&c, "c"));
}

static void a_reset_leaves_out_the_time_before_it(void **state)
{
    static struct counters c;

    (void)state;
    sample(&c, 0, 100, 500, 50);
    sample(&c, 0, 200, 510, 60);
    /* One went back, the other grew beyond what it was. */
    sample(&c, 0, 300, 3, 70);
    sample(&c, 0, 400, 4, 75);
    assert_int_equal(c.n_resets, 1);
    assert_int_equal(counters_find(&c, "a")->sum, 11);
    assert_int_equal(counters_find(&c, "b")->sum, 15);
    assert_int_equal(c.sources[0].span.ns, 200);
}

static void own_commits_that_are_counted_later_are_no_reset(void **state)
{
    static struct counters c;
    static const int64_t counts[] = {1000, 1010, 1003, 1012};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
        const struct value cells[] = {v_text("commits"), v_int(counts[i])};
        const struct rowset rows = {.cells = cells, .n_rows = 1, .n_cols = 2};
        const struct moment at = {{100 * (int64_t)(i + 1)}, 1};

        counters_sample(&c, 0, &at, &rows);
    }
    assert_int_equal(c.n_resets, 0);
    assert_int_equal(counters_find(&c, "commits")->sum, 12);
}

static void an_outage_is_left_out_though_nothing_went_back(void **state)
{
    static struct counters c;

    (void)state;
    sample(&c, 0, 100, 1, 1);
    sample(&c, 0, 200, 2, 2);
    counters_forget(&c);
    sample(&c, 0, 900, 1000, 1000);
    sample(&c, 0, 1000, 1001, 1001);
    assert_int_equal(counters_find(&c, "a")->sum, 2);
    assert_int_equal(c.sources[0].span.ns, 200);
    assert_int_equal(c.n_resets, 0);
}

static void rows_of_other_types_are_passed_over(void **state)
{
    static struct counters c;
    const struct value cells[] = {v_null(), v_int(1), v_text("x"),    v_null(),
                                  v_int(3), v_int(4), v_text("good"), v_int(5)};
    const struct rowset rows = {.cells = cells, .n_rows = 4, .n_cols = 2};
    const struct moment at = {{1}, 1};

    (void)state;
    counters_sample(&c, 0, &at, &rows);
    assert_int_equal(c.n, 1);
    assert_string_equal(c.all[0].name, "good");
}

static void more_names_than_room_are_left_out(void **state)
{
    static struct counters c;
    static struct server_waits w;
    char name[64];
    struct value cells[2] = {v_null(), v_int(2)};
    const struct rowset rows = {.cells = cells, .n_rows = 1, .n_cols = 2};
    const struct moment at = {{1}, 1};

    (void)state;
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof(name), "a_name_longer_than_a_counter_has_%d", i);
        cells[0] = v_text(name);
        counters_sample(&c, 0, &at, &rows);
        waits_sample(&w, &rows);
    }
    assert_int_equal(c.n, COUNTERS_MAX);
    assert_int_equal(w.n, WAITS_MAX);
    assert_int_equal(w.sessions_not_listed, 2 * (200 - WAITS_MAX));
    assert_int_equal(w.n_samples, 200);
}

static void a_name_that_is_too_long_is_cut(void **state)
{
    static struct server_waits w;
    char name[200];
    struct value cells[2];
    const struct rowset rows = {.cells = cells, .n_rows = 1, .n_cols = 2};

    (void)state;
    memset(name, 'n', sizeof(name));
    cells[0] = v_textn(name, sizeof(name));
    cells[1] = v_int(1);
    waits_sample(&w, &rows);
    waits_sample(&w, &rows);
    assert_int_equal(w.n, 1);
    assert_int_equal(w.all[0].sessions, 2);
    assert_int_equal(strlen(w.all[0].name), COUNTER_NAME_BYTES - 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth_is_summed_over_the_source_s_own_time),
        cmocka_unit_test(a_reset_leaves_out_the_time_before_it),
        cmocka_unit_test(own_commits_that_are_counted_later_are_no_reset),
        cmocka_unit_test(an_outage_is_left_out_though_nothing_went_back),
        cmocka_unit_test(rows_of_other_types_are_passed_over),
        cmocka_unit_test(more_names_than_room_are_left_out),
        cmocka_unit_test(a_name_that_is_too_long_is_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
