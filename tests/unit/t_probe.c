/* SPDX-License-Identifier: MIT */
#include "telemetry/probe.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct call {
    const char *command;
    int64_t limit_ns;
    struct host_usage usage;
    struct err err;
    enum rc rc;
};

static void run_it(void *arg)
{
    struct call *call = arg;

    coro_assert_inside();
    call->rc =
        probe_run(call->command, call->limit_ns, &call->usage, &call->err);
}

static struct call result_of(const char *command, int64_t limit_ns)
{
    struct call call = {.command = command, .limit_ns = limit_ns};

    assert_int_equal(loop_call(run_it, &call, NULL), RC_OK);
    return call;
}

static void what_it_prints_is_read(void **state)
{
    const struct call c =
        result_of("echo context_switches 5; cat /dev/stdin; echo disk_reads 6",
                  60 * NS_PER_S);

    (void)state;
    assert_int_equal(c.rc, RC_OK);
    assert_int_equal(c.usage.v[HOST_CONTEXT_SWITCHES], 5);
    assert_int_equal(c.usage.v[HOST_DISK_READS], 6);
}

static void the_files_of_proc_will_do(void **state)
{
    const struct call c =
        result_of("cat /proc/stat /proc/diskstats /proc/vmstat", 60 * NS_PER_S);

    (void)state;
    assert_int_equal(c.rc, RC_OK);
    assert_true(c.usage.v[HOST_CPU_USER_US] > 0);
    assert_true(c.usage.known >> HOST_MAJOR_FAULTS & 1U);
}

static void failures_say_what_is_wrong(void **state)
{
    static const struct {
        const char *command, *text;
        enum rc rc;
    } cases[] = {
        {"exit 3", "the command failed (exit code 3)", RC_INVALID},
        {"kill -9 $$", "the command failed (signal 9)", RC_INVALID},
        {"echo context_switches 5; exit 1", "exit code 1", RC_INVALID},
        {"true", "no figure that is known", RC_INVALID},
        {"echo hello", "no figure that is known", RC_INVALID},
        {"yes context_switches 5", "out of memory", RC_NOMEM},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct call c = result_of(cases[i].command, 60 * NS_PER_S);

        assert_int_equal(c.rc, cases[i].rc);
        if (!strstr(c.err.text, cases[i].text))
            fail_msg("'%s' says: %s", cases[i].command, c.err.text);
    }
}

/* The shell and what it started have one process group. */
static void what_takes_too_long_is_ended_with_all_it_started(void **state)
{
    char file[] = "/tmp/dyno-probe.XXXXXX", command[128];
    const int fd = mkstemp(file);
    struct call c;
    long pid = 0;
    FILE *f;

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    snprintf(command, sizeof(command), "echo $$ >%s; sleep 600 & sleep 600",
             file);
    c = result_of(command, 300 * NS_PER_MS);
    assert_int_equal(c.rc, RC_TIMEOUT);
    f = fopen(file, "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%ld", &pid), 1);
    fclose(f);
    unlink(file);
    /* Those that are not ours to wait for end a moment later. */
    for (int i = 0; i < 500 && kill((pid_t)-pid, 0) == 0; i++)
        clock_sleep_until(mono_add(clock_now(), 10 * NS_PER_MS));
    assert_int_not_equal(kill((pid_t)-pid, 0), 0);
}

static uint64_t no_transactions(const void *arg)
{
    (void)arg;
    return 0;
}

static void beside_a_run_there_are_figures_of_both_ends(void **state)
{
    const struct probe_args args = {
        .command = "cat /proc/stat",
        .ended = no_transactions,
    };
    struct notes notes = {.n = 0};
    struct host_sum sum;
    struct probe *p;

    (void)state;
    assert_int_equal(probe_start(&args, &p, NULL), RC_OK);
    probe_open(p);
    clock_sleep_until(mono_add(clock_now(), 300 * NS_PER_MS));
    probe_close(p);
    probe_end(p, &sum, &notes);
    assert_int_equal(notes.n, 0);
    assert_true(sum.span.ns > 0);
    assert_true(host_knows(&sum, HOST_CPU_USER_US));
    assert_true(host_knows(&sum, HOST_CONTEXT_SWITCHES));
}

static void one_that_fails_is_said_once_and_not_tried_again(void **state)
{
    const struct probe_args args = {.command = "exit 7",
                                    .ended = no_transactions};
    struct notes notes = {.n = 0};
    struct host_sum sum;
    struct probe *p;

    (void)state;
    assert_int_equal(probe_start(&args, &p, NULL), RC_OK);
    probe_open(p);
    probe_end(p, &sum, &notes);
    assert_int_equal(notes.n, 1);
    assert_non_null(strstr(notes.text[0], "exit code 7"));
    assert_int_equal(sum.span.ns, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_prints_is_read),
        cmocka_unit_test(the_files_of_proc_will_do),
        cmocka_unit_test(failures_say_what_is_wrong),
        cmocka_unit_test(what_takes_too_long_is_ended_with_all_it_started),
        cmocka_unit_test(beside_a_run_there_are_figures_of_both_ends),
        cmocka_unit_test(one_that_fails_is_said_once_and_not_tried_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
