/* SPDX-License-Identifier: MIT */
#include "telemetry/procs.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define BURN_NS (60 * NS_PER_MS)
/* What /proc counts in, for each figure that makes up a sum. */
#define TICK_US 10000

static void a_line_of_proc_is_cut_at_the_last_bracket(void **state)
{
    static const char line[] =
        "42 (a (b) c) S 7 42 42 0 -1 4194560 1 2 3 4 "
        "500 60 7000 800 20 0 1 0 123456 1000 200 18446744073709551615\n";
    struct procs_stat s;

    (void)state;
    assert_true(procs_parse_stat(line, &s));
    assert_int_equal(s.pid, 42);
    assert_string_equal(s.name, "a (b) c");
    assert_int_equal(s.parent, 7);
    assert_int_equal(s.user, 500);
    assert_int_equal(s.system, 60);
    assert_int_equal(s.child_user, 7000);
    assert_int_equal(s.child_system, 800);
    assert_int_equal(s.start, 123456);
}

static void what_is_no_such_line_is_refused(void **state)
{
    static const char *const lines[] = {
        "",
        "42",
        "42 (a S 7 1",
        ")(",
        "x (a) S 7 1 1 1 1 1",
        "42 (a) S 7 42 42 0 -1 4194560 1 2 3 4 500 60"};
    struct procs_stat s;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        assert_false(procs_parse_stat(lines[i], &s));
}

static struct procs_hint hint_of(int64_t id)
{
    return (struct procs_hint){.id = id, .age_us = 0, .tolerance_us = 60000000};
}

static void a_process_of_that_number_and_age_is_found(void **state)
{
    struct procs_hint hint = hint_of(getpid());
    struct procs_server server;

    (void)state;
    assert_int_equal(procs_find(&hint, &server, NULL), RC_OK);
    /* Its parent has another name. */
    assert_int_equal(server.root, getpid());
    assert_false(server.threads);
}

static void one_of_another_age_or_none_is_elsewhere(void **state)
{
    const struct procs_hint hints[] = {
        {.id = getpid(),
         .age_us = INT64_C(86400) * 1000000 * 365,
         .tolerance_us = 1000000},
        {.id = getpid(), .age_us = -INT64_C(5000000), .tolerance_us = 0},
        {.id = 0},
        {.id = -1},
        {.id = INT32_MAX - 1},
        {.id = INT64_MAX},
    };
    struct procs_server server;
    struct err err = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(hints); i++)
        assert_int_equal(procs_find(&hints[i], &server, &err), RC_NOT_FOUND);
    assert_non_null(strstr(err.text, "is not one of this machine"));
}

static int64_t cpu_ns(void)
{
    return clock_process_cpu_ns();
}

static void burn(void)
{
    const int64_t end = cpu_ns() + BURN_NS;

    while (cpu_ns() < end)
        ;
}

/* A child that works when told to, and ends when told to. */
struct worker {
    pid_t pid;
    int to[2], from[2];
};

static struct worker start_child(void)
{
    struct worker w;
    char c;

    assert_int_equal(pipe(w.to), 0);
    assert_int_equal(pipe(w.from), 0);
    w.pid = fork();
    assert_true(w.pid >= 0);
    if (w.pid > 0)
        return w;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (read(w.to[0], &c, 1) == 1 && c == 'w') {
        burn();
        if (write(w.from[1], &c, 1) != 1)
            break;
    }
    _exit(0);
}

static void work(const struct worker *w)
{
    char c = 'w';

    assert_int_equal(write(w->to[1], &c, 1), 1);
    assert_int_equal(read(w->from[0], &c, 1), 1);
}

static void end_child(const struct worker *w)
{
    assert_int_equal(write(w->to[1], "e", 1), 1);
    assert_int_equal(waitpid(w->pid, NULL, 0), w->pid);
    for (int i = 0; i < 2; i++) {
        close(w->to[i]);
        close(w->from[i]);
    }
}

static void sample(struct procs *p, int64_t at_ns, const int *ids, size_t n)
{
    const struct moment at = {{at_ns}, (uint64_t)at_ns};
    const struct procs_list list = {.ids = ids, .n = n, .at = {at_ns}};

    procs_sample(p, &at, &list);
}

static uint64_t all_us(const struct procs_sum *s, enum procs_part part)
{
    return s->user_us[part] + s->system_us[part];
}

static void no_cpu_is_lost_when_a_process_ends(void **state)
{
    const uint64_t least = BURN_NS / NS_PER_US - 2 * TICK_US;
    struct procs_hint hint = hint_of(getpid());
    struct worker session = start_child(), writer = start_child(), brief;
    const int ids[] = {session.pid};
    struct procs_server server;
    struct procs_sum sum;
    struct procs *p;

    (void)state;
    assert_int_equal(procs_find(&hint, &server, NULL), RC_OK);
    assert_int_equal(procs_new(&server, &p, NULL), RC_OK);
    sample(p, 1, ids, 1);
    work(&session);
    work(&writer);
    sample(p, 2, ids, 1);
    /* One that no sample ever sees, and one that works on unseen. */
    brief = start_child();
    work(&brief);
    end_child(&brief);
    work(&session);
    end_child(&session);
    sample(p, 3, ids, 1);
    procs_collect(p, &sum);
    assert_in_range(all_us(&sum, PROCS_FOREGROUND), least, 3 * least);
    assert_true(all_us(&sum, PROCS_BACKGROUND) >= least);
    assert_true(all_us(&sum, PROCS_OTHER) >= 2 * least);
    assert_int_equal(sum.n_peak, 3);
    assert_int_equal(sum.span.ns, 2);
    assert_int_equal(sum.span.txns, 2);
    assert_true(sum.private_peak_bytes > 0);
    procs_free(p);
    end_child(&writer);
}

static void one_sample_measures_nothing(void **state)
{
    struct procs_hint hint = hint_of(getpid());
    struct procs_server server;
    struct procs_sum sum;
    struct procs *p;

    (void)state;
    assert_int_equal(procs_find(&hint, &server, NULL), RC_OK);
    assert_int_equal(procs_new(&server, &p, NULL), RC_OK);
    sample(p, 1, NULL, 0);
    procs_collect(p, &sum);
    assert_int_equal(sum.span.ns, 0);
    procs_free(p);
}

static void threads_of_one_process_are_told_apart(void **state)
{
    const uint64_t least = BURN_NS / NS_PER_US - 2 * TICK_US;
    const struct procs_server server = {.root = getpid(), .threads = true};
    const int ids[] = {gettid()};
    struct procs_sum sum;
    struct procs *p;

    (void)state;
    assert_int_equal(procs_new(&server, &p, NULL), RC_OK);
    sample(p, 1, NULL, 0);
    burn();
    sample(p, 2, ids, 1);
    procs_collect(p, &sum);
    assert_true(all_us(&sum, PROCS_FOREGROUND) >= least);
    assert_int_equal(sum.n_peak, 1);
    procs_free(p);
}

static void a_server_that_is_gone_leaves_what_was_measured(void **state)
{
    struct worker w = start_child();
    struct procs_hint hint = hint_of(w.pid);
    struct procs_server server;
    struct procs_sum sum;
    struct procs *p;

    (void)state;
    assert_int_equal(procs_find(&hint, &server, NULL), RC_OK);
    server.root = w.pid;
    assert_int_equal(procs_new(&server, &p, NULL), RC_OK);
    sample(p, 1, NULL, 0);
    work(&w);
    sample(p, 2, NULL, 0);
    end_child(&w);
    sample(p, 3, NULL, 0);
    procs_collect(p, &sum);
    assert_int_equal(sum.span.ns, 1);
    assert_true(all_us(&sum, PROCS_BACKGROUND) > 0);
    procs_free(p);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_of_proc_is_cut_at_the_last_bracket),
        cmocka_unit_test(what_is_no_such_line_is_refused),
        cmocka_unit_test(a_process_of_that_number_and_age_is_found),
        cmocka_unit_test(one_of_another_age_or_none_is_elsewhere),
        cmocka_unit_test(no_cpu_is_lost_when_a_process_ends),
        cmocka_unit_test(one_sample_measures_nothing),
        cmocka_unit_test(threads_of_one_process_are_told_apart),
        cmocka_unit_test(a_server_that_is_gone_leaves_what_was_measured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
