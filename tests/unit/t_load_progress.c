/* SPDX-License-Identifier: MIT */
#include "run/load_progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mono at(int64_t s)
{
    return (struct mono){1000 * NS_PER_S + s * NS_PER_S};
}

static struct load_progress progress;
static struct load_tally tally;

static void begin(uint64_t total, uint64_t before, bool makes_rows)
{
    const struct load_phase phase = {
        .name = "keys and indexes", .n_pieces = 10, .makes_rows = makes_rows};

    memset(&tally, 0, sizeof(tally));
    load_progress_init(&progress, total, before, true);
    load_progress_phase(&progress, &phase, at(0));
}

static void the_line_has_rows_megabytes_rate_and_time_left(void **state)
{
    char line[LOAD_LINE_MAX];

    (void)state;
    begin(1000, 0, true);
    tally.n_rows = 250;
    tally.n_bytes = 3 << 20;
    load_progress_line(&progress, &tally, at(10), line);
    assert_string_equal(line, "loading [######..................]  25 %  250 "
                              "rows  3.0 MB  24 rows/s  ETA 31s");
}

static void rows_of_an_earlier_process_do_not_count_as_speed(void **state)
{
    char line[LOAD_LINE_MAX];

    (void)state;
    begin(1000, 500, true);
    tally.n_rows = 600;
    load_progress_line(&progress, &tally, at(100), line);
    assert_non_null(strstr(line, " 60 %  600 rows"));
    /* 100 rows in 100 s and the millisecond that avoids a division by 0. */
    assert_non_null(strstr(line, " 0 rows/s"));
}

static void more_than_two_to_the_31_rows_are_counted(void **state)
{
    char line[LOAD_LINE_MAX];

    (void)state;
    begin(UINT64_C(500000000000), 0, true);
    tally.n_rows = UINT64_C(250000000000);
    load_progress_line(&progress, &tally, at(1000), line);
    assert_non_null(strstr(line, " 50 %  250,000,000,000 rows"));
    assert_non_null(strstr(line, "249,999,750 rows/s"));
}

static void statements_are_counted_in_phases_without_rows(void **state)
{
    char line[LOAD_LINE_MAX];

    (void)state;
    begin(1000, 0, false);
    tally.n_pieces = 5;
    load_progress_line(&progress, &tally, at(7), line);
    assert_string_equal(line, "loading [############............] keys and "
                              "indexes: 5 of 10, 7s");
}

static void a_stall_of_a_minute_is_said_once(void **state)
{
    (void)state;
    begin(1000, 0, true);
    tally.n_rows = 10;
    assert_false(load_progress_stalls(&progress, &tally, at(1)));
    assert_false(load_progress_stalls(&progress, &tally, at(60)));
    assert_true(load_progress_stalls(&progress, &tally, at(61)));
    assert_false(load_progress_stalls(&progress, &tally, at(62)));
    tally.n_rows = 11;
    assert_false(load_progress_stalls(&progress, &tally, at(70)));
    assert_true(load_progress_stalls(&progress, &tally, at(130)));
}

static void there_is_a_line_every_ten_seconds_without_a_terminal(void **state)
{
    const int64_t looks[] = {1, 9, 10, 11, 19, 20, 35};
    const int64_t next[] = {10, 10, 20, 20, 20, 30, 45};

    (void)state;
    begin(1000, 0, true);
    progress.terminal = false;
    load_progress_phase(&progress, &progress.phase, at(0));
    for (size_t i = 0; i < ARRAY_LEN(looks); i++) {
        load_progress_look(&progress, &tally, at(looks[i]));
        assert_int_equal(progress.next.ns, at(next[i]).ns);
    }
}

static void a_long_statement_is_no_stall(void **state)
{
    (void)state;
    begin(1000, 0, false);
    assert_false(load_progress_stalls(&progress, &tally, at(1000)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_has_rows_megabytes_rate_and_time_left),
        cmocka_unit_test(rows_of_an_earlier_process_do_not_count_as_speed),
        cmocka_unit_test(more_than_two_to_the_31_rows_are_counted),
        cmocka_unit_test(statements_are_counted_in_phases_without_rows),
        cmocka_unit_test(a_stall_of_a_minute_is_said_once),
        cmocka_unit_test(there_is_a_line_every_ten_seconds_without_a_terminal),
        cmocka_unit_test(a_long_statement_is_no_stall),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
