/* SPDX-License-Identifier: MIT */
#include "engine/crew.h"

#include "base/mem.h"
#include "base/stop.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/prctl.h>

/* How long a request to stop may go unseen. */
#define WAIT_SLICE_NS (50 * NS_PER_MS)

enum gate { GATE_SHUT, GATE_OPEN, GATE_ABORT };

struct worker {
    struct crew *crew;
    size_t index;
    struct loop *loop;
    pthread_t thread;
    bool started;
    clockid_t cpu_clock;
    /* Written by the worker before it stores ended with release order; read
     * after ended was loaded with acquire order. */
    int64_t cpu_ns;
    enum rc rc;
    struct err err;
    atomic_bool ended;
} CACHE_ALIGNED;

struct crew {
    crew_start_fn *start;
    void *arg;
    struct worker *workers;
    size_t n;
    atomic_size_t n_running;
    bool stop_seen; /* crew_wait() has reported the request to stop */

    pthread_mutex_t lock; /* guards gate; with it, changed is signalled */
    pthread_cond_t changed;
    enum gate gate;
};

static bool has_ended(const struct worker *w)
{
    return atomic_load_explicit(&w->ended, memory_order_acquire);
}

static int64_t cpu_clock_ns(clockid_t clock)
{
    struct timespec ts;

    if (clock_gettime(clock, &ts))
        return -1;
    return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static bool pass_gate(struct crew *crew)
{
    enum gate gate;

    pthread_mutex_lock(&crew->lock);
    while (crew->gate == GATE_SHUT)
        pthread_cond_wait(&crew->changed, &crew->lock);
    gate = crew->gate;
    pthread_mutex_unlock(&crew->lock);
    return gate == GATE_OPEN;
}

static void set_gate(struct crew *crew, enum gate gate)
{
    pthread_mutex_lock(&crew->lock);
    crew->gate = gate;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
}

static void worker_end(struct worker *w)
{
    struct crew *crew = w->crew;

    w->cpu_ns = cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    pthread_mutex_lock(&crew->lock);
    /* Partner: has_ended(). */
    atomic_store_explicit(&w->ended, true, memory_order_release);
    /* Partner: crew_running(). */
    atomic_fetch_sub_explicit(&crew->n_running, 1, memory_order_release);
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
}

static void *worker_main(void *arg)
{
    struct worker *w = (struct worker *)arg;
    char name[16];

    snprintf(name, sizeof(name), "dyno-w%zu", w->index % 10000);
    (void)pthread_setname_np(pthread_self(), name);
    /* The default, 50 us, would make every planned start that much late. */
    (void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    if (pass_gate(w->crew)) {
        w->rc = w->crew->start(w->crew->arg, w->index, w->loop, &w->err);
        if (!w->rc)
            loop_run(w->loop);
    }
    worker_end(w);
    return NULL;
}

static enum rc start_worker(struct worker *w, struct err *err)
{
    int failed = pthread_create(&w->thread, NULL, worker_main, w);

    if (failed)
        return err_errno(err, RC_IO, failed, "cannot start worker %zu",
                         w->index);
    w->started = true;
    if (pthread_getcpuclockid(w->thread, &w->cpu_clock))
        BUG("a running thread has no CPU clock");
    return RC_OK;
}

/* Signals are for the thread that made the crew: threads inherit the mask. */
static enum rc start_workers(struct crew *crew, struct err *err)
{
    sigset_t all, before;
    enum rc rc = RC_OK;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (size_t i = 0; i < crew->n && !rc; i++)
        rc = start_worker(&crew->workers[i], err);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    set_gate(crew, rc ? GATE_ABORT : GATE_OPEN);
    return rc;
}

/* Frees a crew none of whose threads is left. */
static void crew_release(struct crew *crew)
{
    for (size_t i = 0; i < crew->n; i++)
        loop_free(crew->workers[i].loop);
    pthread_cond_destroy(&crew->changed);
    pthread_mutex_destroy(&crew->lock);
    mem_free(crew->workers);
    mem_free(crew);
}

static void join_started(struct crew *crew)
{
    for (size_t i = 0; i < crew->n; i++)
        if (crew->workers[i].started)
            pthread_join(crew->workers[i].thread, NULL);
}

static void init_locks(struct crew *crew)
{
    pthread_condattr_t attr;

    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&crew->changed, &attr);
    pthread_condattr_destroy(&attr);
    pthread_mutex_init(&crew->lock, NULL);
}

/* Without threads yet; NULL when out of memory. */
static struct crew *crew_alloc(size_t n, crew_start_fn *start, void *arg)
{
    struct crew *crew = MEM_NEW(struct crew);

    if (!crew)
        return NULL;
    crew->workers =
        (struct worker *)mem_calloc_aligned(n, sizeof(struct worker));
    if (!crew->workers) {
        mem_free(crew);
        return NULL;
    }
    crew->start = start;
    crew->arg = arg;
    crew->n = n;
    atomic_init(&crew->n_running, n);
    init_locks(crew);
    for (size_t i = 0; i < n; i++) {
        crew->workers[i].crew = crew;
        crew->workers[i].index = i;
        atomic_init(&crew->workers[i].ended, false);
    }
    return crew;
}

enum rc crew_new(size_t n, crew_start_fn *start, void *arg, struct crew **out,
                 struct err *err)
{
    struct crew *crew;
    enum rc rc = RC_OK;

    if (n == 0)
        BUG("crew of nobody");
    crew = crew_alloc(n, start, arg);
    if (!crew)
        return err_set(err, RC_NOMEM, "no memory for %zu workers", n);
    /* Made here, not by the workers, so that crew_cancel() always has them. */
    for (size_t i = 0; i < n && !rc; i++)
        rc = loop_new(&crew->workers[i].loop, err);
    if (!rc)
        rc = start_workers(crew, err);
    if (rc) {
        join_started(crew);
        crew_release(crew);
        return rc;
    }
    *out = crew;
    return RC_OK;
}

size_t crew_running(const struct crew *crew)
{
    return atomic_load_explicit(&crew->n_running, memory_order_acquire);
}

/* Waits for an end or until due; the lock is not held during a look at the
 * stop flag, which is why the wait goes in slices. */
static void wait_slice(struct crew *crew, struct mono due)
{
    const struct timespec until = {
        .tv_sec = due.ns / NS_PER_S,
        .tv_nsec = due.ns % NS_PER_S,
    };
    int failed = 0;

    pthread_mutex_lock(&crew->lock);
    while (crew_running(crew) > 0 && failed != ETIMEDOUT)
        failed = pthread_cond_timedwait(&crew->changed, &crew->lock, &until);
    pthread_mutex_unlock(&crew->lock);
}

enum rc crew_wait(struct crew *crew, struct mono deadline)
{
    struct mono now, due;

    while (crew_running(crew) > 0) {
        if (!crew->stop_seen && stop_requested()) {
            crew->stop_seen = true;
            return RC_CANCELLED;
        }
        now = clock_now();
        if (now.ns >= deadline.ns)
            return RC_TIMEOUT;
        due = mono_add(now, WAIT_SLICE_NS);
        wait_slice(crew, due.ns < deadline.ns ? due : deadline);
    }
    return RC_OK;
}

void crew_dismiss(struct crew *crew)
{
    for (size_t i = 0; i < crew->n; i++)
        loop_dismiss(crew->workers[i].loop);
}

void crew_cancel(struct crew *crew)
{
    for (size_t i = 0; i < crew->n; i++)
        loop_cancel(crew->workers[i].loop);
}

enum rc crew_error(const struct crew *crew, struct err *err)
{
    for (size_t i = 0; i < crew->n; i++) {
        const struct worker *w = &crew->workers[i];

        if (!has_ended(w) || !w->rc)
            continue;
        if (err)
            *err = w->err;
        return w->rc;
    }
    return RC_OK;
}

int64_t crew_cpu_ns(const struct crew *crew, size_t worker)
{
    const struct worker *w = &crew->workers[worker];
    int64_t ns = has_ended(w) ? -1 : cpu_clock_ns(w->cpu_clock);

    /* The clock fails when the thread is gone, and then it has left its sum. */
    if (ns < 0)
        return has_ended(w) ? w->cpu_ns : 0;
    return ns;
}

struct loop_lag crew_lag(const struct crew *crew)
{
    struct loop_lag all = {0};

    for (size_t i = 0; i < crew->n; i++) {
        struct loop_lag one = loop_lag(crew->workers[i].loop);

        if (one.max_ns > all.max_ns)
            all.max_ns = one.max_ns;
        all.sum_ns += one.sum_ns;
        all.n += one.n;
    }
    return all;
}

void crew_lag_add(const struct crew *crew, struct hist *sum)
{
    for (size_t i = 0; i < crew->n; i++)
        hist_add(sum, loop_lag_hist(crew->workers[i].loop));
}

size_t crew_free(struct crew *crew)
{
    size_t n_left = 0;

    if (!crew)
        return 0;
    for (size_t i = 0; i < crew->n; i++)
        if (!has_ended(&crew->workers[i]))
            n_left++;
    if (n_left == 0) {
        join_started(crew);
        crew_release(crew);
        return 0;
    }
    /* Whoever is stuck may come back and look at the crew: it stays. */
    for (size_t i = 0; i < crew->n; i++)
        if (has_ended(&crew->workers[i]))
            pthread_join(crew->workers[i].thread, NULL);
        else
            pthread_detach(crew->workers[i].thread);
    return n_left;
}
