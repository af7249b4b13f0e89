/* SPDX-License-Identifier: MIT */
#include "run/user.h"

#include "base/clock.h"

/* Back-off before try n + 1 of a transaction: up to 1 ms << n, at most 100 ms,
 * half of it by chance so that rivals part. */
#define RETRY_FIRST_NS (1 * NS_PER_MS)
#define RETRY_MAX_NS (100 * NS_PER_MS)
/* The same between failed transactions and between attempts to connect, so
 * that a storm of errors stays a breeze. */
#define FAILURE_MAX_NS (1 * NS_PER_S)
/* How long connecting is tried: at the start a wrong setting should show soon,
 * later a server that restarts and recovers is worth waiting for. */
#define CONNECT_FIRST_NS (5 * NS_PER_S)
#define CONNECT_AGAIN_NS (60 * NS_PER_S)

enum rc user_init(struct user *u, struct run_shared *shared, uint64_t number,
                  struct err *err)
{
    struct dataset *ds = &shared->session->ds;

    *u = (struct user){.shared = shared};
    pthread_mutex_init(&u->lock, NULL);
    rng_init(&u->backoff, ds->seed, number, RNG_BACKOFF);
    return ds->workload->vu_new(ds, number, &u->vu, err);
}

void user_release(struct user *u)
{
    if (u->vu)
        u->vu->ds->workload->vu_free(u->vu);
    pthread_mutex_destroy(&u->lock);
}

static bool stopping(const struct user *u)
{
    return atomic_load_explicit(&u->shared->stop, memory_order_relaxed);
}

static CORO_FN void back_off(struct user *u, uint64_t n, int64_t first_ns,
                             int64_t max_ns)
{
    const int64_t full =
        n < 20 && first_ns << n < max_ns ? first_ns << n : max_ns;
    const int64_t ns = full / 2 + rng_range(&u->backoff, 0, full / 2);

    (void)loop_sleep_until(u->loop, mono_add(clock_now(), ns));
}

/* ---- connecting ---- */

static void set_conn(struct user *u, struct conn *c)
{
    pthread_mutex_lock(&u->lock);
    u->conn = c;
    pthread_mutex_unlock(&u->lock);
}

static void disconnect(struct user *u)
{
    struct conn *c = u->conn;

    set_conn(u, NULL);
    conn_close(c);
}

static CORO_FN enum rc connect_once(struct user *u)
{
    const struct workload *wl = u->vu->ds->workload;
    struct conn *c = NULL;
    enum rc rc;

    rc = conn_open(u->vu->ds->db, u->loop, &c, &u->err);
    if (rc)
        return rc;
    set_conn(u, c);
    rc = wl->vu_prepare(u->vu, c, &u->err);
    if (rc)
        disconnect(u);
    return rc;
}

static bool worth_trying_again(enum rc rc)
{
    return rc == RC_DB_RETRY || rc == RC_DB_GONE || rc == RC_DB_LIMIT ||
           rc == RC_TIMEOUT;
}

static void count_active(struct user *u, bool active)
{
    if (active)
        atomic_fetch_add_explicit(&u->shared->n_active, 1,
                                  memory_order_relaxed);
    else
        atomic_fetch_sub_explicit(&u->shared->n_active, 1,
                                  memory_order_relaxed);
}

static CORO_FN enum rc connect_user(struct user *u, int64_t patience_ns)
{
    const struct mono until = mono_add(clock_now(), patience_ns);
    enum rc rc;

    for (uint64_t i = 0;; i++) {
        rc = connect_once(u);
        if (!rc)
            count_active(u, true);
        if (!rc || !worth_trying_again(rc) || clock_now().ns >= until.ns)
            return rc;
        if (stopping(u))
            return RC_CANCELLED;
        back_off(u, i, 10 * NS_PER_MS, FAILURE_MAX_NS);
    }
}

/* ---- one transaction ---- */

static void error_text(const void *arg, struct err *err)
{
    conn_error(arg, err);
}

static void note_error(struct user *u, size_t txn, enum rc rc)
{
    /* Our own verdict on the data has no text of the driver's. */
    const bool ours = rc == RC_INVALID && u->conn->native == 0;
    const struct error_kind kind = {txn, rc, u->conn->native,
                                    u->conn->sqlstate};

    recorder_error(u->recorder, &kind, ours ? NULL : error_text, u->conn);
}

static void first_try(struct txn_event *e, const struct conn_usage *now,
                      const struct conn_usage *before)
{
    e->statements = now->statements - before->statements;
    e->round_trips = now->round_trips - before->round_trips;
    e->bytes_sent = now->bytes_sent - before->bytes_sent;
    e->bytes_received = now->bytes_received - before->bytes_received;
}

/* Tries until it ends; fills what is known of the event. */
static CORO_FN enum rc run_tries(struct user *u, struct txn_event *e)
{
    const struct workload *wl = u->vu->ds->workload;
    const uint64_t max_tries = u->shared->cfg->max_tries;
    const struct conn_usage before = u->conn->usage;
    bool rolled_back;
    enum rc rc;

    for (;;) {
        rolled_back = false;
        rc = wl->execute(u->vu, u->conn, &rolled_back);
        if (e->retries == 0)
            first_try(e, &u->conn->usage, &before);
        if (LIKELY(!rc))
            break;
        note_error(u, e->txn, rc);
        if (conn_rollback(u->conn) || rc != RC_DB_RETRY ||
            e->retries + 1 >= max_tries)
            break;
        back_off(u, e->retries, RETRY_FIRST_NS, RETRY_MAX_NS);
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

static bool in_window(const struct run_shared *s, struct mono t)
{
    return t.ns >= atomic_load_explicit(&s->window_start_ns,
                                        memory_order_relaxed) &&
           t.ns < atomic_load_explicit(&s->window_end_ns, memory_order_relaxed);
}

static CORO_FN enum rc run_transaction(struct user *u)
{
    struct txn_event e = {.txn = u->vu->ds->workload->draw(u->vu)};
    const int64_t waited = u->conn->wait_ns;
    const struct mono start = clock_now();
    const enum rc rc = run_tries(u, &e);
    const struct mono end = clock_now();

    e.response_ns = mono_since(end, start);
    e.wait_ns = u->conn->wait_ns - waited;
    e.measured = in_window(u->shared, end);
    /* Broken off by our own stop: neither done nor the database's failure. */
    if (rc == RC_CANCELLED && stopping(u)) {
        u->cancelled = true;
        return rc;
    }
    recorder_add(u->recorder, &e);
    if (e.measured)
        atomic_store_explicit(
            &u->n_measured,
            atomic_load_explicit(&u->n_measured, memory_order_relaxed) + 1,
            memory_order_relaxed);
    return rc;
}

/* ---- the loop ---- */

static void abort_run(struct user *u, enum rc rc)
{
    int none = 0;

    atomic_compare_exchange_strong_explicit(&u->shared->abort_rc, &none,
                                            (int)rc, memory_order_relaxed,
                                            memory_order_relaxed);
}

/* After a failed transaction: RC_OK to go on. */
static CORO_FN enum rc recover(struct user *u, enum rc rc)
{
    if (rc == RC_CANCELLED && stopping(u))
        return rc;
    /* A full disk does not empty itself: end in order, keep the result. */
    if (rc == RC_DB_NO_SPACE || u->shared->cfg->on_error == ON_ERROR_ABORT)
        abort_run(u, rc);
    if (u->conn->gone) {
        count_active(u, false);
        disconnect(u);
        rc = connect_user(u, CONNECT_AGAIN_NS);
        if (rc)
            return rc;
    }
    back_off(u, u->n_failures_in_row++, RETRY_FIRST_NS, FAILURE_MAX_NS);
    return RC_OK;
}

static CORO_FN void work(struct user *u)
{
    while (!stopping(u) && u->iterations_left > 0) {
        enum rc rc = run_transaction(u);

        if (LIKELY(!rc))
            u->n_failures_in_row = 0;
        else
            rc = recover(u, rc);
        if (rc) {
            u->died = rc != RC_CANCELLED;
            return;
        }
        if (u->iterations_left != UINT64_MAX)
            u->iterations_left--;
        loop_give_way(u->loop);
    }
}

static void own_text(const void *arg, struct err *err)
{
    *err = *(const struct err *)arg;
}

static void user_died(struct user *u, enum rc rc)
{
    const struct error_kind kind = {u->recorder->n_txns, rc, u->err.native,
                                    u->err.sqlstate};

    recorder_error(u->recorder, &kind, own_text, &u->err);
    atomic_fetch_add_explicit(&u->shared->n_died, 1, memory_order_relaxed);
}

void user_main(void *arg)
{
    struct user *u = arg;
    enum rc rc;

    coro_assert_inside();
    u->loop = loop_current();
    rc = connect_user(u, CONNECT_FIRST_NS);
    if (!rc) {
        work(u);
        disconnect(u);
    }
    if (u->died || (rc && rc != RC_CANCELLED)) {
        u->died = true;
        user_died(u, rc ? rc : u->err.rc);
    }
    atomic_fetch_add_explicit(&u->shared->n_ended, 1, memory_order_release);
}

void user_cancel(struct user *u)
{
    pthread_mutex_lock(&u->lock);
    if (u->conn)
        conn_cancel(u->conn);
    pthread_mutex_unlock(&u->lock);
}
