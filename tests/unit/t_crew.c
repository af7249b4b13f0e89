/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/stop.h"
#include "engine/crew.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define N_WORKERS 4

/* What one worker writes and the test reads after its end. */
struct desk {
    uint64_t count;
    enum rc rc;
    bool own_loop, signals_blocked;
};

struct office {
    struct desk desks[N_WORKERS];
    coro_fn *work;
    int fds[2];
};

/* Long enough never to be reached where tests pass. */
static struct mono in_a_minute(void)
{
    return mono_add(clock_now(), 60 * NS_PER_S);
}

static struct crew *new_crew(crew_start_fn *start, struct office *office)
{
    struct crew *crew = NULL;

    assert_int_equal(crew_new(N_WORKERS, start, office, &crew, NULL), RC_OK);
    return crew;
}

static void wait_for_all(struct crew *crew)
{
    assert_int_equal(crew_wait(crew, in_a_minute()), RC_OK);
    assert_int_equal(crew_running(crew), 0);
}

static enum rc spawn_three(void *arg, size_t worker, struct loop *loop,
                           struct err *err)
{
    struct office *office = (struct office *)arg;
    struct desk *desk = &office->desks[worker];
    enum rc rc = RC_OK;
    sigset_t mask;

    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    desk->signals_blocked =
        sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGINT) == 1;
    for (int i = 0; i < 3 && !rc; i++)
        rc = loop_spawn(loop, office->work, desk, err);
    return rc;
}

static void count_to_thousand(void *arg)
{
    struct desk *desk = (struct desk *)arg;
    struct loop *loop = loop_current();

    coro_assert_inside();
    desk->own_loop = loop != NULL;
    for (int i = 0; i < 1000; i++) {
        desk->count++;
        loop_yield(loop);
    }
}

static void each_worker_runs_its_own_coroutines(void **state)
{
    struct office office = {.work = count_to_thousand};
    struct crew *crew = new_crew(spawn_three, &office);

    (void)state;
    wait_for_all(crew);
    assert_int_equal(crew_error(crew, NULL), RC_OK);
    assert_int_equal(crew_free(crew), 0);
    for (size_t i = 0; i < N_WORKERS; i++) {
        assert_int_equal(office.desks[i].count, 3000);
        assert_true(office.desks[i].own_loop);
    }
}

static void signals_are_blocked_in_workers_only(void **state)
{
    struct office office = {.work = count_to_thousand};
    struct crew *crew = new_crew(spawn_three, &office);
    sigset_t mask;

    (void)state;
    wait_for_all(crew);
    assert_int_equal(crew_free(crew), 0);
    for (size_t i = 0; i < N_WORKERS; i++)
        assert_true(office.desks[i].signals_blocked);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert_int_equal(sigismember(&mask, SIGTERM), 0);
}

static enum rc fail_after_one(void *arg, size_t worker, struct loop *loop,
                              struct err *err)
{
    enum rc rc = spawn_three(arg, worker, loop, err);

    if (rc || worker == 0)
        return rc;
    return err_set(err, RC_INVALID, "worker %zu has no desk", worker);
}

static void a_failed_start_ends_its_worker_alone(void **state)
{
    struct office office = {.work = count_to_thousand};
    struct crew *crew = new_crew(fail_after_one, &office);
    struct err err = {0};

    (void)state;
    wait_for_all(crew);
    assert_int_equal(crew_error(crew, &err), RC_INVALID);
    assert_string_equal(err.text, "worker 1 has no desk");
    assert_int_equal(crew_free(crew), 0);
    assert_int_equal(office.desks[0].count, 3000);
    assert_int_equal(office.desks[1].count, 0);
}

static void sleep_for_ever(void *arg)
{
    struct desk *desk = (struct desk *)arg;

    coro_assert_inside();
    desk->rc = loop_sleep_until(loop_current(), MONO_NEVER);
}

static void
a_wait_ends_at_its_deadline_and_cancelling_ends_the_work(void **state)
{
    struct office office = {.work = sleep_for_ever};
    struct crew *crew = new_crew(spawn_three, &office);

    (void)state;
    assert_int_equal(crew_wait(crew, (struct mono){1}), RC_TIMEOUT);
    assert_int_equal(crew_wait(crew, mono_add(clock_now(), NS_PER_MS)),
                     RC_TIMEOUT);
    assert_int_equal(crew_running(crew), N_WORKERS);
    crew_cancel(crew);
    wait_for_all(crew);
    assert_int_equal(crew_wait(crew, (struct mono){1}), RC_OK);
    assert_int_equal(crew_free(crew), 0);
    for (size_t i = 0; i < N_WORKERS; i++)
        assert_int_equal(office.desks[i].rc, RC_CANCELLED);
}

static void cancelling_at_once_is_not_lost(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        struct office office = {.work = sleep_for_ever};
        struct crew *crew = new_crew(spawn_three, &office);

        crew_cancel(crew);
        wait_for_all(crew);
        assert_int_equal(crew_free(crew), 0);
    }
}

static void use_cpu(void *arg)
{
    struct desk *desk = (struct desk *)arg;

    coro_assert_inside();
    for (int i = 0; i < 20000; i++) {
        desk->count++;
        loop_yield(loop_current());
    }
}

static void cpu_time_is_known_during_and_after_the_work(void **state)
{
    struct office office = {.work = use_cpu};
    struct crew *crew = new_crew(spawn_three, &office);
    int64_t ns[N_WORKERS];

    (void)state;
    for (size_t i = 0; i < N_WORKERS; i++)
        ns[i] = crew_cpu_ns(crew, i);
    wait_for_all(crew);
    for (size_t i = 0; i < N_WORKERS; i++) {
        assert_true(ns[i] >= 0);
        assert_true(crew_cpu_ns(crew, i) > 0);
    }
    ns[0] = crew_cpu_ns(crew, 0);
    assert_int_equal(crew_cpu_ns(crew, 0), ns[0]);
    assert_int_equal(crew_free(crew), 0);
}

static void sleep_a_little(void *arg)
{
    struct desk *desk = (struct desk *)arg;

    coro_assert_inside();
    desk->rc =
        loop_sleep_until(loop_current(), mono_add(clock_now(), 50 * NS_PER_MS));
}

static void lag_is_that_of_all_workers(void **state)
{
    struct office office = {.work = sleep_a_little};
    struct crew *crew = new_crew(spawn_three, &office);
    struct loop_lag lag;

    (void)state;
    wait_for_all(crew);
    lag = crew_lag(crew);
    assert_int_equal(lag.n, 3 * N_WORKERS);
    assert_true(lag.max_ns > 0 && lag.max_ns <= lag.sum_ns);
    assert_int_equal(crew_free(crew), 0);
}

static void each_lack_of_memory_leaves_no_worker(void **state)
{
    struct office office = {.work = count_to_thousand};
    struct crew *crew = NULL;
    uint64_t nth = 0;
    enum rc rc;

    (void)state;
    do {
        struct err err = {0};

        mem_fail_nth(++nth);
        rc = crew_new(N_WORKERS, spawn_three, &office, &crew, &err);
        mem_fail_nth(0);
        assert_int_equal(err.rc, rc);
    } while (rc == RC_NOMEM);
    assert_int_equal(rc, RC_OK);
    assert_int_equal(nth, 2 + 3 * N_WORKERS + 1);
    wait_for_all(crew);
    assert_int_equal(crew_free(crew), 0);
}

static enum rc block_first(void *arg, size_t worker, struct loop *loop,
                           struct err *err)
{
    struct office *office = (struct office *)arg;
    char byte;

    (void)loop;
    if (worker == 0 && read(office->fds[0], &byte, 1) != 1)
        return err_set(err, RC_IO, "cannot read");
    return RC_OK;
}

/* Abandoned on purpose; a leak checker must still see it. */
static struct crew *abandoned;

static void a_worker_that_is_stuck_is_abandoned(void **state)
{
    static struct office office;

    (void)state;
    assert_int_equal(pipe(office.fds), 0);
    abandoned = new_crew(block_first, &office);
    while (crew_running(abandoned) > 1)
        assert_int_equal(crew_wait(abandoned, mono_add(clock_now(), NS_PER_MS)),
                         RC_TIMEOUT);
    crew_cancel(abandoned);
    assert_int_equal(crew_wait(abandoned, mono_add(clock_now(), NS_PER_MS)),
                     RC_TIMEOUT);
    assert_int_equal(crew_free(abandoned), 1);
    /* It comes back, and finds everything in its place. */
    assert_int_equal(write(office.fds[1], "x", 1), 1);
    wait_for_all(abandoned);
}

/* The last one: the request to stop stays. */
static void a_signal_ends_one_wait_and_not_those_after_it(void **state)
{
    struct office office = {.work = sleep_for_ever};
    struct crew *crew = new_crew(spawn_three, &office);

    (void)state;
    stop_install();
    raise(SIGTERM);
    assert_int_equal(crew_wait(crew, in_a_minute()), RC_CANCELLED);
    assert_int_equal(crew_wait(crew, mono_add(clock_now(), NS_PER_MS)),
                     RC_TIMEOUT);
    crew_cancel(crew);
    wait_for_all(crew);
    assert_int_equal(crew_free(crew), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_worker_runs_its_own_coroutines),
        cmocka_unit_test(signals_are_blocked_in_workers_only),
        cmocka_unit_test(a_failed_start_ends_its_worker_alone),
        cmocka_unit_test(
            a_wait_ends_at_its_deadline_and_cancelling_ends_the_work),
        cmocka_unit_test(cancelling_at_once_is_not_lost),
        cmocka_unit_test(cpu_time_is_known_during_and_after_the_work),
        cmocka_unit_test(lag_is_that_of_all_workers),
        cmocka_unit_test(each_lack_of_memory_leaves_no_worker),
        cmocka_unit_test(a_worker_that_is_stuck_is_abandoned),
        cmocka_unit_test(a_signal_ends_one_wait_and_not_those_after_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
