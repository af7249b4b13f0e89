/* SPDX-License-Identifier: MIT */
#include "run/user.h"

#include "base/clock.h"

/* Between failed transactions, so that a storm of errors stays a breeze. */
#define FAILURE_FIRST_NS (1 * NS_PER_MS)
#define FAILURE_MAX_NS (1 * NS_PER_S)

enum rc user_init(struct user *u, struct worker *worker, uint64_t number,
                  struct err *err)
{
    struct dataset *ds = &worker->shared->session->ds;

    *u = (struct user){
        .shared = worker->shared,
        .worker = worker,
        .number = number,
    };
    rng_init(&u->backoff, ds->seed, number, RNG_BACKOFF);
    rng_init(&u->pacing, ds->seed, number, RNG_PACING);
    return ds->workload->vu_new(ds, number, &u->vu, err);
}

void user_release(struct user *u)
{
    if (u->vu)
        u->vu->ds->workload->vu_free(u->vu);
}

void user_back_off(struct user *u, uint64_t n, int64_t first_ns, int64_t max_ns)
{
    const int64_t full =
        n < 20 && first_ns << n < max_ns ? first_ns << n : max_ns;
    const int64_t ns = full / 2 + rng_range(&u->backoff, 0, full / 2);

    (void)loop_sleep_until(u->loop, mono_add(clock_now(), ns));
}

void user_set_active(struct user *u, bool active)
{
    if (u->active == active)
        return;
    u->active = active;
    if (active)
        atomic_fetch_add_explicit(&u->shared->n_active, 1,
                                  memory_order_relaxed);
    else
        atomic_fetch_sub_explicit(&u->shared->n_active, 1,
                                  memory_order_relaxed);
}

/* ---- the loop ---- */

static void abort_run(struct user *u, enum rc rc)
{
    int none = 0;

    atomic_compare_exchange_strong_explicit(&u->shared->abort_rc, &none,
                                            (int)rc, memory_order_relaxed,
                                            memory_order_relaxed);
}

/* An own connection is opened again before the next start: a user that has
 * none is not active, and plans nothing. */
static CORO_FN enum rc reconnect(struct user *u)
{
    enum rc rc;

    if (!u->shared->pinned || !u->link->conn->gone)
        return RC_OK;
    rc = user_get_conn(u);
    if (!rc)
        user_set_active(u, true);
    return rc;
}

/* After a failed transaction: RC_OK to go on. */
static CORO_FN enum rc recover(struct user *u, enum rc rc)
{
    if (rc == RC_CANCELLED && user_stopping(u))
        return rc;
    if (pool_is_gone(&u->worker->pool))
        return rc;
    /* A full disk does not empty itself: end in order, keep the result. */
    if (rc == RC_DB_NO_SPACE || u->shared->cfg->on_error == ON_ERROR_ABORT)
        abort_run(u, rc);
    rc = reconnect(u);
    if (rc)
        return rc;
    user_back_off(u, u->n_failures_in_row++, FAILURE_FIRST_NS, FAILURE_MAX_NS);
    return RC_OK;
}

/* What is typed in is drawn before it is typed; of an open loop, only once
 * somebody has come. */
static CORO_FN enum rc next(struct user *u, size_t *txn, struct mono *start)
{
    const struct workload *wl = u->vu->ds->workload;
    enum rc rc = user_wait_for_stage(u);

    if (rc)
        return rc;
    if (!u->shared->plan.open_loop)
        *txn = wl->draw(u->vu);
    rc = user_next_start(u, *txn, start);
    if (!rc && u->shared->plan.open_loop)
        *txn = wl->draw(u->vu);
    return rc;
}

/* Whether the workload says so; with *rc RC_OK, or why it is a failure. */
static bool has_ended(const struct user *u, enum rc *rc)
{
    const struct workload *wl = u->vu->ds->workload;
    bool lost;

    if (LIKELY(!wl->ends || !wl->ends(u->vu, &lost)))
        return false;
    *rc = lost && !*rc ? RC_INVALID : *rc;
    if (!lost)
        *rc = RC_OK;
    return true;
}

/* Returns why it ends; RC_OK when it has done its part. */
static CORO_FN enum rc work(struct user *u)
{
    while (!user_stopping(u) && u->iterations_left > 0) {
        size_t txn = 0;
        struct mono start;
        enum rc rc = next(u, &txn, &start);

        if (rc)
            return rc;
        rc = user_transaction(u, txn, start);
        if (UNLIKELY(has_ended(u, &rc)))
            return rc;
        if (LIKELY(!rc))
            u->n_failures_in_row = 0;
        else
            rc = recover(u, rc);
        if (rc)
            return rc;
        if (u->iterations_left != UINT64_MAX)
            u->iterations_left--;
        loop_give_way(u->loop);
    }
    return RC_OK;
}

/* ---- from the first connection to the last ---- */

/* The connections that this user opens for all of its worker: every n-th of
 * the pool, beginning with its own number. */
static CORO_FN enum rc open_share(struct user *u)
{
    struct pool *pool = &u->worker->pool;
    size_t i = (size_t)(u->number / u->shared->n_workers);
    enum rc rc = RC_OK;

    for (; !rc && i < pool->n_links; i += u->worker->n_users) {
        u->link = &pool->links[i];
        rc = user_get_conn(u);
        if (!u->shared->pinned)
            user_give_conn(u);
    }
    return rc;
}

/* Users come one after the other, over the time of the ramp-up. */
static CORO_FN enum rc enter(struct user *u)
{
    const struct run_shared *s = u->shared;
    const double part = (double)u->number / (double)s->n_users;
    const struct mono due =
        mono_add(s->begun, (int64_t)(part * (double)s->cfg->ramp_up_ns));
    enum rc rc = RC_OK;

    if (!s->cfg->iterations && due.ns > s->begun.ns)
        rc = loop_rest_until(u->loop, due);
    if (!rc)
        rc = open_share(u);
    if (!rc && !plan_stages_users(&s->plan))
        user_set_active(u, true);
    u->free = due.ns > s->begun.ns ? due : clock_now();
    return rc;
}

/* RC_OK, or why the workload could not end in order. */
static CORO_FN enum rc leave(struct user *u)
{
    const struct workload *wl = u->vu->ds->workload;
    struct worker *w = u->worker;
    enum rc rc = RC_OK;

    if (wl->vu_leave && u->link && u->link->conn)
        rc = wl->vu_leave(u->vu, u->link->conn);
    if (u->link) {
        if (u->shared->pinned)
            link_close(u->link);
        else
            user_give_conn(u);
    }
    if (++w->n_ended == w->n_users)
        pool_close_free(&w->pool);
    return rc;
}

void user_main(void *arg)
{
    struct user *u = arg;
    enum rc rc, left;

    coro_assert_inside();
    u->loop = loop_current();
    rc = enter(u);
    atomic_fetch_add_explicit(&u->shared->n_entered, 1, memory_order_relaxed);
    if (!rc)
        rc = work(u);
    left = leave(u);
    if (!rc || rc == RC_CANCELLED)
        rc = left;
    if (rc && rc != RC_CANCELLED) {
        u->died = true;
        user_set_active(u, false);
        atomic_fetch_add_explicit(&u->shared->n_died, 1, memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&u->shared->n_ended, 1, memory_order_release);
}
