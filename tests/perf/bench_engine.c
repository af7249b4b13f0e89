/* SPDX-License-Identifier: MIT */
/*
 * Prints what the engine's smallest steps cost, in ns: a look at one machine by
 * hand, not a test, because wall time is noise on a shared one.  Takes the best
 * of several rounds.
 */
#include "base/clock.h"
#include "base/rng.h"
#include "engine/loop.h"
#include "stats/hist.h"

#include <stdio.h>

#define N_STEPS 2000000
#define N_ROUNDS 7
#define N_MANY 1000
#define N_VALUES 4096

static volatile bool ending;

static void yield_until_ending(void *arg)
{
    (void)arg;
    coro_assert_inside();
    while (!ending)
        coro_yield();
}

static int64_t bench_resume(void)
{
    struct coro *c = coro_new(yield_until_ending, NULL);
    struct mono start;
    int64_t ns;

    if (!c)
        BUG("no memory");
    ending = false;
    start = clock_now();
    for (int i = 0; i < N_STEPS; i++)
        coro_resume(c);
    ns = mono_since(clock_now(), start);
    ending = true;
    coro_resume(c);
    coro_free(c);
    return ns;
}

static void yield_in_loop(void *arg)
{
    const int *n = (const int *)arg;
    struct loop *loop = loop_current();

    coro_assert_inside();
    for (int i = 0; i < *n; i++)
        loop_yield(loop);
}

static int64_t bench_yield(int n_coros)
{
    int n = N_STEPS / n_coros;
    struct loop *loop;
    struct mono start;
    int64_t ns;

    if (loop_new(&loop, NULL))
        BUG("no loop");
    for (int i = 0; i < n_coros; i++)
        if (loop_spawn(loop, yield_in_loop, &n, NULL))
            BUG("no memory");
    start = clock_now();
    loop_run(loop);
    ns = mono_since(clock_now(), start);
    loop_free(loop);
    return ns;
}

static int64_t bench_yield_one(void)
{
    return bench_yield(1);
}

static int64_t bench_yield_many(void)
{
    return bench_yield(N_MANY);
}

static int64_t bench_record(void)
{
    static int64_t values[N_VALUES];
    struct hist *h = hist_new();
    struct rng rng;
    struct mono start;
    int64_t ns;

    if (!h)
        BUG("no memory");
    rng_init(&rng, 1, 1, RNG_CHOICE);
    for (size_t i = 0; i < N_VALUES; i++)
        values[i] = rng_range(&rng, 100 * NS_PER_US, 10 * NS_PER_MS);
    start = clock_now();
    for (size_t i = 0; i < N_STEPS; i++)
        hist_record(h, values[i % N_VALUES]);
    ns = mono_since(clock_now(), start);
    hist_free(h);
    return ns;
}

static int64_t bench_clock(void)
{
    struct mono start = clock_now(), last = start;

    for (int i = 0; i < N_STEPS; i++)
        last = clock_now();
    return mono_since(last, start);
}

int main(void)
{
    static const struct {
        const char *name;
        int64_t (*run)(void);
    } benches[] = {
        {"resume + yield", bench_resume},
        {"loop_yield, 1 coroutine", bench_yield_one},
        {"loop_yield, 1000 coroutines", bench_yield_many},
        {"hist_record", bench_record},
        {"clock_now", bench_clock},
    };

    for (size_t i = 0; i < ARRAY_LEN(benches); i++) {
        int64_t best_ns = INT64_MAX;

        for (int round = 0; round < N_ROUNDS; round++) {
            int64_t ns = benches[i].run();

            if (ns < best_ns)
                best_ns = ns;
        }
        printf("%-28s %6.1f ns\n", benches[i].name,
               (double)best_ns / (double)N_STEPS);
    }
    return 0;
}
