/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "run/series.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define N_TXNS 2
#define N_WORKERS 2
#define LOG_MAX 64

static const struct txn_type types[N_TXNS] = {{.name = "one"}, {.name = "two"}};

/* What a listener keeps of an interval. */
struct seen {
    struct interval it;
    int64_t max_ns; /* of the response times of the first transaction */
};

struct fixture {
    struct recorder recorders[N_WORKERS];
    struct series_listeners listeners;
    struct series *series;
    struct crew *crew;
    struct mono begun;
    struct seen seen[LOG_MAX];
    size_t n_seen;
};

static enum rc start_nobody(void *arg, size_t worker, struct loop *loop,
                            struct err *err)
{
    (void)arg;
    (void)worker;
    (void)loop;
    (void)err;
    return RC_OK;
}

static void keep(void *arg, struct interval *it)
{
    struct fixture *f = arg;
    struct seen *to = &f->seen[f->n_seen++];

    assert_true(f->n_seen <= LOG_MAX);
    to->it = *it;
    to->max_ns = hist_max(it->txns[0].response_hist);
}

static struct series_args args_of(struct fixture *f)
{
    return (struct series_args){
        .listeners = &f->listeners,
        .recorders = f->recorders,
        .n_recorders = N_WORKERS,
        .types = types,
        .n_txns = N_TXNS,
        .every_ns = NS_PER_S,
    };
}

static int setup(void **state)
{
    struct fixture *f = MEM_NEW(struct fixture);
    struct series_args args;
    struct err err = {0};

    assert_non_null(f);
    for (size_t i = 0; i < N_WORKERS; i++)
        assert_int_equal(recorder_init(&f->recorders[i], N_TXNS, &err), RC_OK);
    assert_int_equal(crew_new(1, start_nobody, NULL, &f->crew, &err), RC_OK);
    assert_int_equal(crew_wait(f->crew, MONO_NEVER), RC_OK);
    series_listen(&f->listeners,
                  (struct series_listener){.interval = keep, .arg = f});
    args = args_of(f);
    assert_int_equal(series_new(&args, &f->series, &err), RC_OK);
    f->begun = clock_now();
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    series_free(f->series);
    crew_free(f->crew);
    for (size_t i = 0; i < N_WORKERS; i++)
        recorder_release(&f->recorders[i]);
    mem_free(f);
    return 0;
}

static struct mono at(const struct fixture *f, int64_t ms)
{
    return mono_add(f->begun, ms * NS_PER_MS);
}

static void record(struct fixture *f, size_t worker, bool measured,
                   int64_t response_ns)
{
    recorder_add(&f->recorders[worker], &(struct txn_event){
                                            .outcome = COUNT_COMMITTED,
                                            .measured = measured,
                                            .retries = 1,
                                            .statements = 3,
                                            .response_ns = response_ns,
                                            .wait_ns = response_ns / 2,
                                        });
}

static void an_interval_holds_what_came_in_it_alone(void **state)
{
    struct fixture *f = *state;
    const struct interval *it = &f->seen[1].it;

    series_begin(f->series, f->crew, f->begun, PHASE_MEASURE);
    for (int64_t i = 1; i <= 100; i++)
        record(f, 0, true, i * NS_PER_MS);
    series_cut(f->series, at(f, 1000), 4, PHASE_MEASURE);
    record(f, 0, true, 300);
    record(f, 1, true, 200);
    series_cut(f->series, at(f, 2100), 3, PHASE_MEASURE);
    series_cut(f->series, at(f, 3000), 3, PHASE_MEASURE);

    assert_int_equal(f->n_seen, 3);
    assert_int_equal(f->seen[0].it.txns[0].committed, 100);
    assert_int_equal(f->seen[0].it.txns[0].response.max_ns, 100 * NS_PER_MS);
    assert_int_equal(it->number, 1);
    assert_int_equal(it->phase, PHASE_MEASURE);
    assert_int_equal(it->begin_ns, NS_PER_S);
    assert_int_equal(it->length_ns, 1100 * NS_PER_MS);
    assert_int_equal(it->users_active, 3);
    assert_int_equal(it->n_txns, N_TXNS);
    assert_string_equal(it->txns[0].name, "one");
    assert_int_equal(it->txns[0].committed, 2);
    assert_int_equal(it->txns[0].retries, 2);
    assert_int_equal(it->txns[0].statements, 6);
    assert_int_equal(it->txns[0].wait_ns, 250);
    assert_int_equal(it->txns[0].response.n, 2);
    assert_int_equal(it->txns[0].response.p50_ns, 200);
    assert_true(it->txns[0].response.max_ns >= 300 &&
                it->txns[0].response.max_ns < 303);
    assert_int_equal(it->txns[0].service.p50_ns, 100);
    assert_int_equal(it->txns[0].wait.n, 2);
    assert_int_equal(it->txns[0].wait.p50_ns, 100);
    assert_int_equal(f->seen[1].max_ns, it->txns[0].response.max_ns);
    assert_int_equal(it->txns[1].response.n, 0);
    assert_int_equal(f->seen[2].it.txns[0].response.n, 0);
    assert_int_equal(f->seen[2].it.txns[0].committed, 0);
}

static void the_measurement_interval_is_counted_apart(void **state)
{
    struct fixture *f = *state;

    series_begin(f->series, f->crew, f->begun, PHASE_RAMP_UP);
    record(f, 0, false, 1);
    record(f, 1, false, 1);
    series_cut(f->series, at(f, 900), 4, PHASE_MEASURE);
    record(f, 0, true, 1);
    series_cut(f->series, at(f, 1900), 4, PHASE_MEASURE);
    /* One that ended too late, and one just in time, seen after the drain. */
    record(f, 0, false, 1);
    record(f, 1, true, 7);
    series_cut(f->series, at(f, 2500), 4, PHASE_DRAIN);
    series_cut(f->series, at(f, 2600), 0, PHASE_DRAIN);

    assert_int_equal(f->n_seen, 4);
    assert_int_equal(f->seen[0].it.phase, PHASE_RAMP_UP);
    assert_int_equal(f->seen[0].it.txns[0].committed, 2);
    assert_int_equal(f->seen[0].it.txns[0].response.n, 0);
    assert_int_equal(f->seen[1].it.phase, PHASE_MEASURE);
    assert_int_equal(f->seen[1].it.txns[0].committed, 1);
    assert_int_equal(f->seen[2].it.phase, PHASE_MEASURE);
    assert_int_equal(f->seen[2].it.txns[0].committed, 1);
    assert_int_equal(f->seen[2].it.txns[0].response.max_ns, 7);
    assert_int_equal(f->seen[3].it.phase, PHASE_DRAIN);
    assert_int_equal(f->seen[3].it.txns[0].committed, 1);
    assert_int_equal(f->seen[3].it.txns[0].response.n, 0);
}

static void intervals_are_due_at_even_distances(void **state)
{
    struct fixture *f = *state;

    series_begin(f->series, f->crew, f->begun, PHASE_RAMP_UP);
    assert_int_equal(series_next(f->series).ns, at(f, 1000).ns);
    series_cut(f->series, at(f, 1020), 1, PHASE_RAMP_UP);
    assert_int_equal(series_next(f->series).ns, at(f, 2000).ns);
    /* Late: what was missed is not made up for. */
    series_cut(f->series, at(f, 4500), 1, PHASE_RAMP_UP);
    assert_int_equal(series_next(f->series).ns, at(f, 5000).ns);
    /* The measurement interval begins with a full one. */
    series_cut(f->series, at(f, 4700), 1, PHASE_MEASURE);
    assert_int_equal(series_next(f->series).ns, at(f, 5700).ns);
}

/* ---- while a worker goes on ---- */

#define N_RECORDED 200000

static void *record_much(void *arg)
{
    struct fixture *f = arg;

    for (int64_t i = 0; i < N_RECORDED; i++)
        record(f, 1, i % 4 != 0, 1 + i % 5000);
    return NULL;
}

static void nothing_is_lost_or_counted_twice(void **state)
{
    struct fixture *f = *state;
    struct hist *sum = hist_new();
    uint64_t committed = 0, outside = 0;
    pthread_t writer;

    assert_non_null(sum);
    series_begin(f->series, f->crew, f->begun, PHASE_MEASURE);
    assert_int_equal(pthread_create(&writer, NULL, record_much, f), 0);
    for (size_t i = 0; i < LOG_MAX - 2; i++)
        series_cut(f->series, clock_now(), 1, PHASE_MEASURE);
    pthread_join(writer, NULL);
    series_cut(f->series, clock_now(), 1, PHASE_DRAIN);
    series_cut(f->series, clock_now(), 1, PHASE_DRAIN);
    for (size_t i = 0; i < f->n_seen; i++) {
        const struct interval_txn *t = &f->seen[i].it.txns[0];

        hist_record_zeros(sum, t->response.n);
        if (f->seen[i].it.phase == PHASE_MEASURE)
            committed += t->committed;
        else
            outside += t->committed;
    }
    assert_int_equal(committed, N_RECORDED / 4 * 3);
    assert_int_equal(hist_count(sum), N_RECORDED / 4 * 3);
    assert_int_equal(outside, N_RECORDED / 4);
    hist_free(sum);
}

/* ---- listeners ---- */

static void sample_a_lot(void *arg, struct interval *it)
{
    (void)arg;
    assert_int_equal(it->n_samples, 0);
    for (int64_t i = 0; i < INTERVAL_SAMPLES_MAX + 3; i++)
        interval_sample(it, "host.reads", i);
}

static void want_samples(void *arg, struct interval *it)
{
    unsigned *n_calls = arg;

    assert_int_equal(it->n_samples, INTERVAL_SAMPLES_MAX);
    assert_int_equal(it->samples_not_listed, 3);
    assert_string_equal(it->samples[7].name, "host.reads");
    assert_int_equal(it->samples[7].value, 7);
    (*n_calls)++;
}

static void samples_are_for_the_listeners_behind(void **state)
{
    struct fixture *f = *state;
    unsigned n_calls = 0;

    series_listen(&f->listeners,
                  (struct series_listener){.interval = sample_a_lot});
    series_listen(&f->listeners,
                  (struct series_listener){.interval = want_samples, &n_calls});
    series_begin(f->series, f->crew, f->begun, PHASE_MEASURE);
    series_cut(f->series, at(f, 1000), 1, PHASE_MEASURE);
    series_cut(f->series, at(f, 2000), 1, PHASE_MEASURE);
    assert_int_equal(n_calls, 2);
    /* The first listener saw none. */
    assert_int_equal(f->seen[1].it.n_samples, 0);
}

static void each_allocation_may_fail(void **state)
{
    struct fixture *f = *state;
    const struct series_args args = args_of(f);
    struct series *s = NULL;
    uint64_t nth = 0;
    enum rc rc;

    do {
        struct err err = {0};

        mem_fail_nth(++nth);
        rc = series_new(&args, &s, &err);
        mem_fail_nth(0);
        assert_true(rc == RC_OK || rc == RC_NOMEM);
    } while (rc);
    assert_int_equal(nth, 2 + 3 + (N_TXNS * 3 * N_TIMINGS) + 1);
    series_free(s);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_interval_holds_what_came_in_it_alone),
        TEST(the_measurement_interval_is_counted_apart),
        TEST(intervals_are_due_at_even_distances),
        TEST(nothing_is_lost_or_counted_twice),
        TEST(samples_are_for_the_listeners_behind),
        TEST(each_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
