/* SPDX-License-Identifier: MIT */
/*
 * When a user's next transaction is meant to start.
 *
 * Closed loop: as soon as the user is free.  Paced: after the think time of
 * the transaction before, which begins when its answer is there, and the
 * keying time of this one; a slow answer never shortens them (clause 5.2.5).
 * Open loop: at the next start of the worker's schedule, also when that has
 * passed; one free user at a time waits for it, the others wait for their turn
 * to do so.
 */
#include "base/clock.h"
#include "run/user.h"

#include <math.h>

/* Until the interval has opened, and the schedule begins anew with it, it must
 * not be slept through. */
#define RAMP_UP_NAP_NS (10 * NS_PER_MS)
/* The same for users whose stage comes later. */
#define STAGE_NAP_NS (100 * NS_PER_MS)
/* Think times are cut at this many times their mean (clause 5.2.5.4). */
#define THINK_MOST 10

static int64_t window_start(const struct user *u)
{
    return atomic_load_explicit(&u->shared->window_start_ns,
                                memory_order_relaxed);
}

/* ---- stages of users ---- */

/* Sends the user to rest while there are to be fewer. */
CORO_FN enum rc user_wait_for_stage(struct user *u)
{
    const struct plan *plan = &u->shared->plan;

    if (!plan_stages_users(plan))
        return RC_OK;
    for (;;) {
        const struct mono now = clock_now();
        const int64_t begun = window_start(u);
        const bool open = begun != INT64_MAX;
        size_t stage = open ? plan_stage_at(plan, now.ns - begun) : 0;
        struct mono due = MONO_NEVER;
        enum rc rc;

        if (u->number < plan->stages[stage].n_users) {
            user_set_active(u, true);
            return RC_OK;
        }
        user_set_active(u, false);
        while (++stage < plan->n_stages &&
               u->number >= plan->stages[stage].n_users)
            continue;
        if (!open)
            due = mono_add(now, STAGE_NAP_NS);
        else if (stage < plan->n_stages)
            due = mono_add((struct mono){begun}, plan_stage_begin(plan, stage));
        rc = loop_rest_until(u->loop, due);
        if (rc)
            return rc;
    }
}

/* ---- paced ---- */

/* Negative exponential, cut. */
static int64_t think_ns(struct user *u, int64_t mean_ns)
{
    const double t = -log(rng_unit(&u->pacing));

    return llround((t < THINK_MOST ? t : THINK_MOST) * (double)mean_ns);
}

static CORO_FN enum rc paced_start(struct user *u, size_t txn, struct mono *out)
{
    const struct txn_pace *pace = &u->vu->ds->workload->paces[txn];
    const int64_t ns = u->think_ns + pace->keying_ns;

    *out = mono_add(u->free, llround(u->shared->plan.pacing * (double)ns));
    u->think_ns = think_ns(u, pace->think_ns);
    return loop_rest_until(u->loop, *out);
}

/* ---- open loop ---- */

/* The schedule begins anew with the interval: what the ramp-up left undone is
 * not carried into it. */
static void follow_window(struct worker *w, const struct user *u)
{
    const int64_t start = window_start(u);

    if (w->measuring || start == INT64_MAX)
        return;
    w->measuring = true;
    w->on_time = (struct mono){start};
    schedule_begin(&w->schedule, w->on_time, 1);
}

/* Rests until the next start is due.  This user is the only one of its worker
 * who waits for it. */
static CORO_FN enum rc rest_until_due(struct user *u)
{
    struct worker *w = u->worker;
    enum rc rc = RC_OK;

    while (!rc) {
        const struct mono now = clock_now();
        struct mono due;

        follow_window(w, u);
        due = w->schedule.next;
        if (due.ns >= atomic_load_explicit(&u->shared->window_end_ns,
                                           memory_order_relaxed))
            due = MONO_NEVER;
        if (due.ns <= now.ns)
            return RC_OK;
        if (!w->measuring && due.ns > now.ns + RAMP_UP_NAP_NS)
            due = mono_add(now, RAMP_UP_NAP_NS);
        rc = loop_rest_until(u->loop, due);
    }
    return rc;
}

static CORO_FN enum rc open_start(struct user *u, struct mono *out)
{
    struct worker *w = u->worker;
    enum rc rc = RC_OK;

    /* Whoever is woken from this queue has the turn: `taken` stays set. */
    if (w->turn_taken)
        rc = loop_queue_wait(u->loop, &w->idle, MONO_NEVER);
    if (rc)
        return rc;
    w->turn_taken = true;
    rc = rest_until_due(u);
    if (!rc) {
        *out = schedule_take(&w->schedule);
        /* Asked later, one of the ramp-up's would count: the interval may open
         * while it waits for a connection. */
        u->planned_in_window = w->measuring;
    }
    if (!loop_queue_wake(u->loop, &w->idle))
        w->turn_taken = false;
    return rc;
}

/* ---- all ---- */

enum rc user_next_start(struct user *u, size_t txn, struct mono *out)
{
    const struct plan *plan = &u->shared->plan;

    if (plan->open_loop)
        return open_start(u, out);
    if (plan->pacing > 0)
        return paced_start(u, txn, out);
    *out = clock_now();
    return RC_OK;
}
