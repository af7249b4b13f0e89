/* SPDX-License-Identifier: MIT */
#include "run/phases.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/stop.h"

#include <stdio.h>

/* How long the controlling thread sleeps at a time. */
#define SLICE_NS (20 * NS_PER_MS)
#define PAUSE_NS (1 * NS_PER_S)
/* After the cancels: for calls that were told to end. */
#define CANCEL_GRACE_NS (2 * NS_PER_S)

/* ---- lines of progress ---- */

static uint64_t get(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

struct ticker {
    struct mono next;
    struct mono last;
    struct recorder_sum sum;
};

static struct recorder_sum sum_now(const struct phases *p)
{
    struct recorder_sum sum = {0};

    for (size_t i = 0; i < p->n_recorders; i++)
        recorder_sum_add(&sum, &p->recorders[i]);
    return sum;
}

static void show_line(const struct phases *p, struct ticker *t, struct mono now)
{
    const struct recorder_sum sum = sum_now(p);
    const double seconds = (double)mono_since(now, t->last) / NS_PER_S;
    uint64_t d[N_COUNTERS];
    char rate[32];

    for (size_t i = 0; i < N_COUNTERS; i++)
        d[i] = sum.life[i] - t->sum.life[i];
    format_count(
        (uint64_t)((double)(d[COUNT_COMMITTED] + d[COUNT_ROLLED_BACK]) /
                   seconds),
        rate, sizeof(rate));
    log_info("%6.1f s  %-8s %10s tx/s  %llu users  %llu retries  %llu failed",
             (double)mono_since(now, p->begun) / NS_PER_S,
             p->window_opened ? "measure" : "ramp-up", rate,
             (unsigned long long)get(&p->shared->n_active),
             (unsigned long long)d[COUNT_RETRIES],
             (unsigned long long)(d[COUNT_FAILED] + d[COUNT_UNKNOWN]));
    t->sum = sum;
    t->last = now;
}

static void tick(const struct phases *p, struct ticker *t, struct mono now)
{
    const int64_t every = p->shared->cfg->progress_ns;

    if (p->quiet || every <= 0 || now.ns < t->next.ns)
        return;
    show_line(p, t, now);
    while (t->next.ns <= now.ns)
        t->next = mono_add(t->next, every);
}

/* ---- the interval ---- */

/* Users that connected or gave up. */
static bool all_started(const struct phases *p)
{
    return get(&p->shared->n_active) + get(&p->shared->n_died) >= p->n_users;
}

static void read_memory(struct phases *p)
{
    struct self_usage now;

    self_usage_read(&now);
    p->at_open.rss_bytes = now.rss_bytes;
    p->allocations = mem_run_path_allocations();
}

static void open_window(struct phases *p, struct mono from)
{
    const struct run_cfg *cfg = p->shared->cfg;

    self_usage_read(&p->at_open);
    p->allocations = mem_run_path_allocations();
    p->opened = from;
    p->window_opened = true;
    if (!cfg->iterations)
        atomic_store_explicit(&p->shared->window_end_ns,
                              mono_add(from, cfg->duration_ns).ns,
                              memory_order_relaxed);
    atomic_store_explicit(&p->shared->window_start_ns, from.ns,
                          memory_order_relaxed);
}

static void close_window(struct phases *p, struct mono now)
{
    const int64_t planned =
        atomic_load_explicit(&p->shared->window_end_ns, memory_order_relaxed);

    p->n_active = get(&p->shared->n_active);
    p->closed = now.ns < planned ? now : (struct mono){planned};
    atomic_store_explicit(&p->shared->window_end_ns, p->closed.ns,
                          memory_order_relaxed);
    atomic_store_explicit(&p->shared->stop, true, memory_order_relaxed);
    if (!p->window_opened)
        return;
    self_usage_read(&p->at_close);
    p->allocations = mem_run_path_allocations() - p->allocations;
}

/* True when the run must end before its time. */
static bool must_abort(struct phases *p)
{
    p->abort_rc = (enum rc)atomic_load_explicit(&p->shared->abort_rc,
                                                memory_order_relaxed);
    p->stop_signal = stop_signal();
    return p->abort_rc || p->stop_signal;
}

static bool ramp_up_over(const struct phases *p, struct mono now)
{
    return all_started(p) &&
           mono_since(now, p->begun) >= p->shared->cfg->ramp_up_ns;
}

/* This thread does next to nothing; when it comes late by so much, the whole
 * process was stopped or the machine asleep, and the interval is no longer
 * what it says. */
static void note_pause(struct phases *p, int64_t late_ns)
{
    if (late_ns < PAUSE_NS || !p->window_opened)
        return;
    p->paused = true;
    log_warn("dyno itself stood still for %.1f s: stopped or asleep?",
             (double)late_ns / NS_PER_S);
}

/* From the first connection to the end of the interval. */
static void work_phase(struct phases *p, struct ticker *t)
{
    const bool by_count = p->shared->cfg->iterations > 0;
    bool connected = false, ended;

    if (by_count)
        open_window(p, p->begun);
    for (;;) {
        struct mono now = clock_now();
        struct mono wake = mono_add(now, SLICE_NS);

        /* A counted run is measured from the start, but what connecting takes
         * is not what running takes. */
        if (by_count && !connected && all_started(p)) {
            connected = true;
            read_memory(p);
        }
        if (!p->window_opened && ramp_up_over(p, now))
            open_window(p, now);
        if (p->window_opened && !by_count) {
            const struct mono end = {atomic_load_explicit(
                &p->shared->window_end_ns, memory_order_relaxed)};

            if (now.ns >= end.ns) {
                p->window_full = get(&p->shared->n_active) == p->n_users;
                break;
            }
            if (wake.ns > end.ns)
                wake = end;
        }
        if (must_abort(p))
            break;
        ended = crew_wait(p->crew, wake) == RC_OK;
        note_pause(p, mono_since(clock_now(), wake));
        if (ended) {
            p->window_full = by_count && get(&p->shared->n_died) == 0;
            break;
        }
        tick(p, t, clock_now());
    }
    if (p->paused)
        p->window_full = false;
    /* Over before connecting was seen to be over. */
    p->allocations_known = !by_count || connected;
    if (p->stop_signal)
        log_info("ending in order; once more stops at once");
    close_window(p, clock_now());
}

/* ---- the end ---- */

/* Sleeping users are woken at once; those in the database get --drain, then
 * are cancelled, then their loops are. */
static void drain_phase(struct phases *p)
{
    struct mono until = mono_add(clock_now(), p->shared->cfg->drain_ns);

    while (crew_running(p->crew) > 0 && clock_now().ns < until.ns) {
        if (crew_wait(p->crew, until) == RC_OK)
            return;
    }
    if (crew_running(p->crew) == 0)
        return;
    p->hung = true;
    log_warn("%zu workers still wait for the database after %lld s; "
             "cancelling their statements",
             crew_running(p->crew),
             (long long)(p->shared->cfg->drain_ns / NS_PER_S));
    for (size_t i = 0; i < p->n_users; i++)
        user_cancel(&p->users[i]);
    crew_cancel(p->crew);
    until = mono_add(clock_now(), CANCEL_GRACE_NS);
    while (clock_now().ns < until.ns) {
        if (crew_wait(p->crew, until) == RC_OK)
            return;
    }
}

void phases_run(struct phases *p)
{
    struct ticker t = {.last = p->begun};

    t.next = mono_add(p->begun, p->shared->cfg->progress_ns);
    work_phase(p, &t);
    drain_phase(p);
}
