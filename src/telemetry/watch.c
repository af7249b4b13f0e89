/* SPDX-License-Identifier: MIT */
#include "telemetry/watch.h"

#include "engine/crew.h"

#include <pthread.h>

/* How late the opening and the closing may be seen. */
#define POLL_NS (20 * NS_PER_MS)
#define CANCEL_GRACE_NS (1 * NS_PER_S)

enum watch_phase { WATCH_BEFORE, WATCH_OPEN, WATCH_CLOSED };

static enum rc start(void *arg, size_t worker, struct loop *loop,
                     struct err *err)
{
    struct watch *w = arg;

    (void)worker;
    /* In place of a worker's: there is one of each. */
    (void)pthread_setname_np(pthread_self(), w->name);
    return loop_spawn(loop, w->fn, w->arg, err);
}

enum rc watch_start(struct watch *w, const char *name, int64_t every_ns,
                    coro_fn *fn, void *arg, struct err *err)
{
    *w = (struct watch){
        .name = name, .every_ns = every_ns, .fn = fn, .arg = arg};
    atomic_init(&w->phase, WATCH_BEFORE);
    return crew_new(1, start, w, &w->crew, err);
}

static int phase_of(const struct watch *w)
{
    return atomic_load_explicit(&w->phase, memory_order_relaxed);
}

void watch_open(struct watch *w)
{
    atomic_store_explicit(&w->phase, WATCH_OPEN, memory_order_relaxed);
}

void watch_close(struct watch *w)
{
    atomic_store_explicit(&w->phase, WATCH_CLOSED, memory_order_relaxed);
}

bool watch_closed(const struct watch *w)
{
    return phase_of(w) == WATCH_CLOSED;
}

void watch_cancel(struct watch *w)
{
    crew_cancel(w->crew);
}

static void wait_until(struct watch *w, struct mono deadline)
{
    /* A request to stop is reported once, and is not meant for this thread. */
    while (crew_wait(w->crew, deadline) == RC_CANCELLED)
        ;
}

bool watch_end(struct watch *w, int64_t limit_ns)
{
    watch_close(w);
    wait_until(w, mono_add(clock_now(), limit_ns));
    if (crew_running(w->crew) > 0) {
        watch_cancel(w);
        wait_until(w, mono_add(clock_now(), CANCEL_GRACE_NS));
    }
    return crew_free(w->crew) == 0;
}

enum rc watch_wait(struct watch *w, bool *out_last)
{
    struct loop *loop = loop_current();

    for (;;) {
        const int phase = phase_of(w);
        struct mono now = clock_now(), wake = mono_add(now, POLL_NS);

        *out_last = phase == WATCH_CLOSED;
        if (*out_last || (phase == WATCH_OPEN && now.ns >= w->next.ns))
            break;
        if (phase == WATCH_OPEN && w->next.ns < wake.ns)
            wake = w->next;
        if (loop_sleep_until(loop, wake))
            return RC_CANCELLED;
    }
    /* In step with the interval, and without a burst after a delay. */
    if (w->next.ns == 0)
        w->next = clock_now();
    while (w->next.ns <= clock_now().ns)
        w->next = mono_add(w->next, w->every_ns);
    return RC_OK;
}
