/* SPDX-License-Identifier: MIT */
#include "run/phases.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/stop.h"

/* How long the controlling thread sleeps at a time. */
#define SLICE_NS (20 * NS_PER_MS)
#define PAUSE_NS (1 * NS_PER_S)
/* After the cancels: for calls that were told to end. */
#define CANCEL_GRACE_NS (2 * NS_PER_S)

static uint64_t get(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* ---- the interval ---- */

/* Users that are to be at work in the first stage, or the last. */
static uint64_t n_wanted(const struct phases *p, bool last)
{
    const struct plan *plan = &p->shared->plan;

    if (!plan_stages_users(plan))
        return p->shared->n_users;
    return plan->stages[last ? plan->n_stages - 1 : 0].n_users;
}

/* All connected or could not, and are at work or gave up. */
static bool all_started(const struct phases *p)
{
    return get(&p->shared->n_entered) == p->shared->n_users &&
           get(&p->shared->n_active) + get(&p->shared->n_died) >=
               n_wanted(p, false);
}

static bool all_active(const struct phases *p)
{
    return get(&p->shared->n_active) >= n_wanted(p, true) &&
           get(&p->shared->n_died) == 0 &&
           get(&p->shared->n_open) == p->shared->n_conns;
}

static void read_memory(struct phases *p)
{
    struct self_usage now;

    self_usage_read(&now);
    p->at_open.rss_bytes = now.rss_bytes;
    p->allocations = mem_run_path_allocations();
}

static struct outage_look look(const struct phases *p, struct mono now)
{
    struct outage_look l = {.now = now, .n_open = get(&p->shared->n_open)};

    for (size_t i = 0; i < p->n_workers; i++) {
        l.n_ended += get(&p->workers[i].recorder->n_ended);
        l.n_begun += get(&p->workers[i].recorder->n_begun);
    }
    return l;
}

static void open_window(struct phases *p, struct mono from)
{
    const struct outage_look at = look(p, from);

    const struct run_cfg *cfg = p->shared->cfg;

    if (!cfg->iterations)
        series_cut(p->series, from, get(&p->shared->n_active), PHASE_MEASURE);
    self_usage_read(&p->at_open);
    p->allocations = mem_run_path_allocations();
    p->opened = from;
    p->window_opened = true;
    outage_begin(&p->outage, &at);
    if (!cfg->iterations)
        atomic_store_explicit(&p->shared->window_end_ns,
                              mono_add(from, p->shared->plan.duration_ns).ns,
                              memory_order_relaxed);
    atomic_store_explicit(&p->shared->window_start_ns, from.ns,
                          memory_order_relaxed);
    if (p->telemetry)
        telemetry_open(p->telemetry, p->crew, p->n_workers);
}

static void close_window(struct phases *p, struct mono now)
{
    const int64_t planned =
        atomic_load_explicit(&p->shared->window_end_ns, memory_order_relaxed);

    p->n_active = get(&p->shared->n_active);
    p->n_open = get(&p->shared->n_open);
    p->closed = now.ns < planned ? now : (struct mono){planned};
    atomic_store_explicit(&p->shared->window_end_ns, p->closed.ns,
                          memory_order_relaxed);
    atomic_store_explicit(&p->shared->stop, true, memory_order_relaxed);
    crew_dismiss(p->crew);
    outage_end(&p->outage, p->closed);
    if (p->telemetry)
        telemetry_close(p->telemetry);
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
    if (!p->abort_rc && p->brake)
        p->abort_rc = *p->brake;
    p->stop_signal = stop_signal();
    return p->abort_rc || p->stop_signal;
}

static bool ramp_up_over(const struct phases *p, struct mono now)
{
    return all_started(p) &&
           mono_since(now, p->begun) >= p->shared->cfg->ramp_up_ns;
}

/* This thread does next to nothing; when it comes late by so much, and had not
 * to queue for a core so long, the whole process was stopped or the machine
 * asleep, and the interval is no longer what it says. */
static void note_pause(struct phases *p, int64_t late_ns, int64_t queued_ns)
{
    if (!p->window_opened)
        return;
    if (late_ns - queued_ns < PAUSE_NS) {
        log_warn("dyno waited %.1f s for a core: the machine is overloaded",
                 (double)queued_ns / NS_PER_S);
        return;
    }
    p->paused = true;
    log_warn("dyno itself stood still for %.1f s: stopped or asleep?",
             (double)late_ns / NS_PER_S);
}

/* True when all users have ended. */
static bool wait_for_end(struct phases *p, struct mono until)
{
    const int64_t queued_ns = self_queued_ns();
    const bool ended = crew_wait(p->crew, until) == RC_OK;
    const int64_t late_ns = mono_since(clock_now(), until);

    if (late_ns >= PAUSE_NS)
        note_pause(p, late_ns, self_queued_ns() - queued_ns);
    return ended;
}

/* When to look again, at the latest. */
static struct mono next_look(const struct phases *p, struct mono now)
{
    const struct mono slice = mono_add(now, SLICE_NS);
    const struct mono next = series_next(p->series);

    return next.ns < slice.ns ? next : slice;
}

static void cut_when_due(struct phases *p)
{
    const struct mono now = clock_now();
    const int64_t end =
        atomic_load_explicit(&p->shared->window_end_ns, memory_order_relaxed);

    /* The last one ends with the measurement interval, after the drain. */
    if (now.ns >= series_next(p->series).ns && now.ns < end)
        series_cut(p->series, now, get(&p->shared->n_active),
                   p->window_opened ? PHASE_MEASURE : PHASE_RAMP_UP);
}

/* Telemetry takes no connection before the users have theirs. */
static void tick_telemetry(struct phases *p, struct mono now)
{
    if (!p->telemetry)
        return;
    if (all_started(p))
        telemetry_connect(p->telemetry);
    telemetry_tick(p->telemetry, now);
}

/* From the first connection to the end of the interval. */
static void work_phase(struct phases *p)
{
    const bool by_count = p->shared->cfg->iterations > 0;
    bool connected = false;

    if (by_count)
        open_window(p, p->begun);
    for (;;) {
        struct mono now = clock_now();
        struct mono wake = next_look(p, now);
        const struct outage_look at = look(p, now);

        outage_see(&p->outage, &at);
        /* A counted run is measured from the start, but what connecting takes
         * is not what running takes. */
        if (by_count && !connected && all_started(p)) {
            connected = true;
            read_memory(p);
        }
        tick_telemetry(p, now);
        if (!p->window_opened && ramp_up_over(p, now))
            open_window(p, now);
        if (p->window_opened && !by_count) {
            const struct mono end = {atomic_load_explicit(
                &p->shared->window_end_ns, memory_order_relaxed)};

            if (now.ns >= end.ns) {
                p->window_full = all_active(p);
                break;
            }
            if (wake.ns > end.ns)
                wake = end;
        }
        if (must_abort(p))
            break;
        if (wait_for_end(p, wake)) {
            p->window_full = by_count && get(&p->shared->n_died) == 0;
            break;
        }
        cut_when_due(p);
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

/* Who rests has been sent home; those in the database get --drain, then
 * are cancelled, then their loops are. */
static void drain_phase(struct phases *p)
{
    struct mono until = mono_add(clock_now(), p->shared->cfg->drain_ns);
    char waited[32];

    while (crew_running(p->crew) > 0 && clock_now().ns < until.ns) {
        if (crew_wait(p->crew, until) == RC_OK)
            return;
    }
    if (crew_running(p->crew) == 0)
        return;
    p->hung = true;
    format_duration(p->shared->cfg->drain_ns, waited, sizeof(waited));
    log_warn("%zu workers still wait for the database after %s; cancelling "
             "their statements",
             crew_running(p->crew), waited);
    for (size_t i = 0; i < p->n_workers; i++)
        pool_cancel(&p->workers[i].pool);
    crew_cancel(p->crew);
    until = mono_add(clock_now(), CANCEL_GRACE_NS);
    while (clock_now().ns < until.ns) {
        if (crew_wait(p->crew, until) == RC_OK)
            return;
    }
}

void phases_run(struct phases *p)
{
    series_begin(p->series, p->crew, p->begun,
                 p->shared->cfg->iterations ? PHASE_MEASURE : PHASE_RAMP_UP);
    work_phase(p);
    drain_phase(p);
    /* Only now is all recorded that ended before the interval closed. */
    series_cut(p->series, p->closed, p->n_active, PHASE_DRAIN);
    series_cut(p->series, clock_now(), get(&p->shared->n_active), PHASE_DRAIN);
}
