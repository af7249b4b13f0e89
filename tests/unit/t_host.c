/* SPDX-License-Identifier: MIT */
#include "telemetry/host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct host_usage parsed(const char *text)
{
    FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    struct host_usage u;

    assert_non_null(in);
    memset(&u, 0, sizeof(u));
    host_usage_parse(in, &u);
    fclose(in);
    return u;
}

static bool knows(const struct host_usage *u, enum host_counter c)
{
    return (u->known >> c & 1U) != 0;
}

static void proc_stat_gives_cpu_time_and_context_switches(void **state)
{
    const struct host_usage u = parsed("cpu  100 20 300 4000 50 6 7 80 9 1\n"
                                       "cpu0 1 1 1 1 1 1 1 1 0 0\n"
                                       "intr 12345 0 9\n"
                                       "ctxt 987654\n"
                                       "btime 1700000000\n");

    (void)state;
    assert_int_equal(u.v[HOST_CPU_USER_US], 1200000);
    assert_int_equal(u.v[HOST_CPU_SYSTEM_US], 3130000);
    assert_int_equal(u.v[HOST_CPU_IDLE_US], 40000000);
    assert_int_equal(u.v[HOST_CPU_IOWAIT_US], 500000);
    assert_int_equal(u.v[HOST_CPU_STEAL_US], 800000);
    assert_int_equal(u.v[HOST_CONTEXT_SWITCHES], 987654);
    assert_false(knows(&u, HOST_DISK_READS));
    assert_false(knows(&u, HOST_MAJOR_FAULTS));
}

static void a_line_without_an_end_hides_none_of_the_next(void **state)
{
    char text[4096];
    struct host_usage u;

    (void)state;
    memset(text, '7', sizeof(text));
    memcpy(text, "intr ", 5);
    /* A piece of a long line that reads like one. */
    memcpy(text + 511, "ctxt 1 ", 7);
    memcpy(text + 3000, "\nctxt 42\n", 10);
    u = parsed(text);
    assert_int_equal(u.v[HOST_CONTEXT_SWITCHES], 42);
}

static void whole_disks_count_once(void **state)
{
    const struct host_usage u =
        parsed("   7       0 loop0 9 0 9 0 9 0 9 0 0 0 0\n"
               "   8       0 sda 10 1 100 5 20 2 200 6 0 7 8\n"
               "   8       1 sda1 9 1 90 5 19 2 190 6 0 7 8\n"
               " 259       0 nvme0n1 1 0 8 0 2 0 16 0 0 0 0 0 0 0 0 0 0\n"
               " 259       1 nvme0n1p1 1 0 8 0 2 0 16 0 0 0 0 0 0 0 0 0 0\n"
               " 259       2 nvme0n10 100 0 800 0 200 0 1600 0 0 0 0\n"
               " 253       0 dm-0 10 0 100 0 20 0 200 0 0 0 0\n"
               "   9       0 md0 10 0 100 0 20 0 200 0 0 0 0\n"
               " 252       0 zram0 10 0 100 0 20 0 200 0 0 0 0\n");

    (void)state;
    assert_int_equal(u.v[HOST_DISK_READS], 111);
    assert_int_equal(u.v[HOST_DISK_READ_BYTES], 908 * 512);
    assert_int_equal(u.v[HOST_DISK_WRITES], 222);
    assert_int_equal(u.v[HOST_DISK_WRITTEN_BYTES], 1816 * 512);
}

static void vmstat_and_our_own_names_are_known_others_passed_over(void **state)
{
    const struct host_usage u = parsed("nr_free_pages 5\n"
                                       "pgmajfault 6\n"
                                       "pswpin 7\n"
                                       "pswpout 8\n"
                                       "disk_written_bytes 900\n"
                                       "disk_reads many\n"
                                       "cpu_user_us -5\n"
                                       "\n"
                                       "what is this\n");

    (void)state;
    assert_int_equal(u.v[HOST_MAJOR_FAULTS], 6);
    assert_int_equal(u.v[HOST_SWAPPED_IN_PAGES], 7);
    assert_int_equal(u.v[HOST_SWAPPED_OUT_PAGES], 8);
    assert_int_equal(u.v[HOST_DISK_WRITTEN_BYTES], 900);
    assert_false(knows(&u, HOST_DISK_READS));
    assert_false(knows(&u, HOST_CPU_USER_US));
}

static void this_machine_has_a_cpu(void **state)
{
    struct host_usage before, now;

    (void)state;
    memset(&before, 0, sizeof(before));
    host_usage_read(&before);
    now = before;
    host_usage_read(&now);
    assert_true(knows(&now, HOST_CPU_USER_US));
    assert_true(knows(&now, HOST_CONTEXT_SWITCHES));
    assert_true(now.v[HOST_CONTEXT_SWITCHES] >=
                before.v[HOST_CONTEXT_SWITCHES]);
}

static void a_sum_holds_what_was_known_each_time(void **state)
{
    struct host_usage u[3] = {
        {.at = {{1000}, 10}, .v = {5, 7}, .known = 3},
        {.at = {{2000}, 15}, .v = {9, 7}, .known = 3},
        {.at = {{4000}, 40}, .v = {10, 9}, .known = 1},
    };
    struct host_sum sum = {0};

    (void)state;
    host_sum_add(&sum, &u[0], &u[1]);
    assert_int_equal(sum.known, 3);
    host_sum_add(&sum, &u[1], &u[2]);
    assert_int_equal(sum.known, 1);
    assert_int_equal(sum.v[0], 5);
    assert_int_equal(sum.span.ns, 3000);
    assert_int_equal(sum.span.txns, 30);
}

static void a_counter_that_goes_back_counts_nothing(void **state)
{
    struct host_usage u[3] = {
        {.v = {100}, .known = 1},
        {.at = {{1}, 0}, .v = {5}, .known = 1},
        {.at = {{2}, 0}, .v = {8}, .known = 1},
    };
    struct host_sum sum = {0};

    (void)state;
    host_sum_add(&sum, &u[0], &u[1]);
    assert_int_equal(sum.v[0], 0);
    host_sum_add(&sum, &u[1], &u[2]);
    assert_int_equal(sum.v[0], 3);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(proc_stat_gives_cpu_time_and_context_switches),
        cmocka_unit_test(a_line_without_an_end_hides_none_of_the_next),
        cmocka_unit_test(whole_disks_count_once),
        cmocka_unit_test(vmstat_and_our_own_names_are_known_others_passed_over),
        cmocka_unit_test(this_machine_has_a_cpu),
        cmocka_unit_test(a_sum_holds_what_was_known_each_time),
        cmocka_unit_test(a_counter_that_goes_back_counts_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
