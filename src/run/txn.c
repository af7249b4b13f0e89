/* SPDX-License-Identifier: MIT */
/*
 * One transaction of a user: tried until it ends, then recorded.
 *
 *   start            begun            held                         end
 *     |--- late --------|-- connection --|--- service and turns -----|
 *     |------------------------- response ---------------------------|
 *
 * Late is what the user came after the planned start; a turn is a wait in a
 * queue of a driver's own.  Service is response less all of these.
 */
#include "base/clock.h"
#include "run/user.h"

/* Back-off before try n + 1 of a transaction: up to 1 ms << n, half of it by
 * chance so that rivals part.  At most 100 ms, and 100 ms more with each ten
 * tries: who loses to shorter transactions again and again has lost for as long
 * as all are at it at once (docs/design/retries.md). */
#define RETRY_FIRST_NS (1 * NS_PER_MS)
#define RETRY_MAX_NS (100 * NS_PER_MS)
#define RETRY_LONGEST_NS (1 * NS_PER_S)
#define RETRY_MAX_TRIES 10

static int64_t longest_back_off(uint64_t retries)
{
    const uint64_t tens = retries / RETRY_MAX_TRIES;

    if (tens >= RETRY_LONGEST_NS / RETRY_MAX_NS)
        return RETRY_LONGEST_NS;
    return RETRY_MAX_NS * (int64_t)(1 + tens);
}

static void error_text(const void *arg, struct err *err)
{
    conn_error(arg, err);
}

static void workload_text(const void *arg, struct err *err)
{
    const struct vu *vu = arg;

    (void)vu->ds->workload->error(vu, err);
}

/* A failure of the workload's own has nothing of the connection's, which may
 * still know of another one. */
static bool note_own_error(struct user *u, size_t txn, enum rc rc)
{
    const struct workload *wl = u->vu->ds->workload;
    const struct error_kind kind = {txn, rc, 0, ""};

    if (rc != RC_INVALID || !wl->error || !wl->error(u->vu, NULL))
        return false;
    recorder_error(u->worker->recorder, &kind, workload_text, u->vu);
    return true;
}

static void note_error(struct user *u, size_t txn, enum rc rc)
{
    const struct conn *c = u->link->conn;
    /* Our own verdict on the data has no text of the driver's. */
    const bool ours = rc == RC_INVALID && c->native == 0;
    const struct error_kind kind = {txn, rc, c->native, c->sqlstate};

    if (!note_own_error(u, txn, rc))
        recorder_error(u->worker->recorder, &kind, ours ? NULL : error_text, c);
}

static void first_try(struct txn_event *e, const struct conn_usage *now,
                      const struct conn_usage *before)
{
    e->statements = now->statements - before->statements;
    e->round_trips = now->round_trips - before->round_trips;
    e->bytes_sent = now->bytes_sent - before->bytes_sent;
    e->bytes_received = now->bytes_received - before->bytes_received;
}

static bool in_window(const struct run_shared *s, struct mono t)
{
    return t.ns >= atomic_load_explicit(&s->window_start_ns,
                                        memory_order_relaxed) &&
           t.ns < atomic_load_explicit(&s->window_end_ns, memory_order_relaxed);
}

/* A call of the transaction that goes on has ended. */
static void call_took(void *arg, enum conn_call call, const struct step *step,
                      int64_t ns)
{
    struct user *u = arg;

    if (in_window(u->shared, clock_now()))
        step_stats_add(u->worker->recorder->steps, u->txn, call, step, ns);
}

/* The connection may have been another user's before. */
static void watch_calls(struct user *u, size_t txn)
{
    u->watch = (struct conn_watch){.took = call_took, .arg = u};
    u->link->conn->watch = &u->watch;
    u->txn = txn;
}

/* Tries until it ends; fills what is known of the event. */
static CORO_FN enum rc run_tries(struct user *u, struct txn_event *e)
{
    const struct workload *wl = u->vu->ds->workload;
    const uint64_t max_tries = u->shared->cfg->max_tries;
    struct conn *c = u->link->conn;
    const struct conn_usage before = c->usage;
    bool rolled_back;
    enum rc rc;

    if (UNLIKELY(u->worker->recorder->steps))
        watch_calls(u, e->txn);
    for (;;) {
        rolled_back = false;
        rc = wl->execute(u->vu, c, &rolled_back);
        if (e->retries == 0)
            first_try(e, &c->usage, &before);
        if (LIKELY(!rc))
            break;
        note_error(u, e->txn, rc);
        if (conn_rollback(c) || rc != RC_DB_RETRY ||
            e->retries + 1 >= max_tries)
            break;
        user_back_off(u, e->retries, RETRY_FIRST_NS,
                      longest_back_off(e->retries));
        e->retries++;
    }
    if (rc == RC_DB_UNKNOWN)
        e->outcome = COUNT_UNKNOWN;
    else if (rc)
        e->outcome = COUNT_FAILED;
    else
        e->outcome = rolled_back ? COUNT_ROLLED_BACK : COUNT_COMMITTED;
    return rc;
}

static void record(struct user *u, const struct txn_event *e)
{
    recorder_add(u->worker->recorder, e);
    if (e->measured)
        atomic_store_explicit(
            &u->n_measured,
            atomic_load_explicit(&u->n_measured, memory_order_relaxed) + 1,
            memory_order_relaxed);
}

/* Whether starts are begun in time, of those planned in the interval. */
static void note_start(const struct user *u, struct mono start, struct mono now,
                       bool sent_home)
{
    struct worker *w = u->worker;

    if (!u->planned_in_window)
        return;
    if (!sent_home) {
        w->n_begun++;
        if (mono_since(now, start) <= w->shared->late_limit_ns &&
            start.ns > w->on_time.ns)
            w->on_time = start;
        return;
    }
    if (w->n_sent_home++ == 0 || start.ns < w->oldest_sent_home.ns)
        w->oldest_sent_home = start;
}

/* What was waited for before the first try; no look at the clock where there
 * is nothing to wait for. */
static CORO_FN enum rc wait_for_conn(struct user *u, struct mono start,
                                     struct txn_event *e)
{
    struct mono begun, held;
    enum rc rc = RC_OK;

    if (u->shared->pinned && !u->shared->planned)
        return RC_OK;
    begun = clock_now();
    held = begun;
    if (u->shared->planned)
        e->late_ns = mono_since(begun, start);
    if (!u->shared->pinned) {
        rc = user_get_conn(u);
        if (!rc && user_stopping(u)) {
            user_give_conn(u);
            rc = RC_CANCELLED;
        }
        held = clock_now();
        e->conn_wait_ns = mono_since(held, begun);
    }
    note_start(u, start, held, rc != RC_OK);
    return rc;
}

enum rc user_transaction(struct user *u, size_t txn, struct mono start)
{
    struct txn_event e = {.txn = txn};
    struct mono end;
    int64_t turns_ns;
    enum rc rc = wait_for_conn(u, start, &e);

    if (rc)
        return rc;
    recorder_begin(u->worker->recorder);
    turns_ns = u->link->conn->wait_ns;
    rc = run_tries(u, &e);
    end = clock_now();
    u->free = end;
    if (u->vu->ds->workload->finished)
        u->vu->ds->workload->finished(u->vu, e.outcome == COUNT_COMMITTED);
    turns_ns = u->link->conn->wait_ns - turns_ns;
    e.response_ns = mono_since(end, start);
    e.wait_ns = e.late_ns + e.conn_wait_ns + turns_ns;
    e.measured = in_window(u->shared, end);
    user_give_conn(u);
    /* Broken off by our own stop: neither done nor the database's failure. */
    if (rc == RC_CANCELLED && user_stopping(u)) {
        u->cancelled = true;
        return rc;
    }
    record(u, &e);
    return rc;
}
