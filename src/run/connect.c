/* SPDX-License-Identifier: MIT */
/*
 * A user's connection: its own for ever, or one of the pool for a transaction.
 * Whoever takes one that is lost opens it again.
 */
#include "base/clock.h"
#include "run/user.h"

#define RETRY_FIRST_NS (10 * NS_PER_MS)
#define RETRY_MAX_NS (1 * NS_PER_S)
/* How long connecting is tried: at the start a wrong setting should show soon,
 * later a server that restarts and recovers is worth waiting for. */
#define CONNECT_FIRST_NS (5 * NS_PER_S)
#define CONNECT_AGAIN_NS (60 * NS_PER_S)

static void own_text(const void *arg, struct err *err)
{
    *err = *(const struct err *)arg;
}

static void note_failure(struct user *u, enum rc rc)
{
    struct recorder *r = u->worker->recorder;
    const struct error_kind kind = {r->n_txns, rc, u->link->err.native,
                                    u->link->err.sqlstate};

    recorder_error(r, &kind, own_text, &u->link->err);
}

static void close_link(struct user *u)
{
    if (!u->link->conn)
        return;
    link_close(u->link);
    atomic_fetch_sub_explicit(&u->shared->n_open, 1, memory_order_relaxed);
    if (u->shared->pinned)
        user_set_active(u, false);
}

static CORO_FN enum rc open_once(struct user *u)
{
    const struct workload *wl = u->vu->ds->workload;
    struct link *l = u->link;
    struct conn *c = NULL;
    enum rc rc;

    rc = conn_open(u->vu->ds->db, u->loop, &c, &l->err);
    if (rc)
        return rc;
    link_set(l, c);
    rc = wl->vu_prepare(u->vu, c, &l->err);
    if (!rc)
        rc = conn_limit_statements(c, &l->err);
    if (rc) {
        link_close(l);
        return rc;
    }
    l->was_open = true;
    atomic_fetch_add_explicit(&u->shared->n_open, 1, memory_order_relaxed);
    return RC_OK;
}

static bool worth_trying_again(enum rc rc)
{
    return rc == RC_DB_RETRY || rc == RC_DB_GONE || rc == RC_DB_LIMIT ||
           rc == RC_TIMEOUT;
}

static CORO_FN enum rc open_link(struct user *u)
{
    const struct mono until = mono_add(
        clock_now(), u->link->was_open ? CONNECT_AGAIN_NS : CONNECT_FIRST_NS);

    for (uint64_t i = 0;; i++) {
        const enum rc rc = open_once(u);

        if (!rc)
            return RC_OK;
        if (user_stopping(u) || rc == RC_CANCELLED)
            return RC_CANCELLED;
        note_failure(u, rc);
        if (!worth_trying_again(rc) || clock_now().ns >= until.ns)
            return rc;
        user_back_off(u, i, RETRY_FIRST_NS, RETRY_MAX_NS);
    }
}

/* Others may have more luck with what they hold. */
static CORO_FN enum rc without_link(struct user *u, enum rc why)
{
    struct pool *pool = &u->worker->pool;

    pool_give_up(pool, u->loop, u->link);
    u->link = NULL;
    return pool_is_gone(pool) ? why : RC_OK;
}

enum rc user_get_conn(struct user *u)
{
    enum rc rc;

    for (;;) {
        rc = u->link ? RC_OK : pool_take(&u->worker->pool, u->loop, &u->link);
        if (rc)
            return rc;
        if (u->link->conn && !u->link->conn->gone)
            return RC_OK;
        close_link(u);
        rc = open_link(u);
        if (!rc)
            return RC_OK;
        if (u->shared->pinned || rc == RC_CANCELLED)
            return rc;
        rc = without_link(u, rc);
        if (rc)
            return rc;
    }
}

void user_give_conn(struct user *u)
{
    if (u->shared->pinned || !u->link)
        return;
    pool_give(&u->worker->pool, u->loop, u->link);
    u->link = NULL;
}
