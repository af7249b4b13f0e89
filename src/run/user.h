/* SPDX-License-Identifier: MIT */
/*
 * A virtual user at work: one closed loop of transactions, each drawn, tried
 * and tried again with the same inputs, and recorded.  user.c is the loop,
 * start.c when the next one is meant to start, connect.c the connection, txn.c
 * one transaction.
 */
#ifndef RUN_USER_H
#define RUN_USER_H

#include "base/rng.h"
#include "run/config.h"
#include "run/plan.h"
#include "run/pool.h"
#include "run/recorder.h"
#include "run/schedule.h"
#include "run/session.h"

#include <stdatomic.h>

/* What all users of a run look at; written by the controlling thread, so that
 * the users' cores share it unchanged. */
struct run_shared {
    const struct run_cfg *cfg;
    struct session *session;
    size_t n_users, n_conns, n_workers;
    bool pinned;  /* each user keeps a connection of its own */
    bool planned; /* transactions have planned starts */
    struct plan plan;
    int64_t late_limit_ns; /* a planned start is on time up to here */
    struct mono begun;
    /* The measurement interval on the monotonic clock, [start, end).  Written
     * before `stop`, read relaxed: a transaction that ends right at a border
     * may see it a moment late, which moves it by that moment. */
    _Atomic int64_t window_start_ns, window_end_ns;
    _Atomic bool stop; /* begin nothing new */

    /* Counted by the users when they change state, never in the loop. */
    CACHE_ALIGNED _Atomic uint64_t n_active; /* at work now */
    _Atomic uint64_t n_open;                 /* connections */
    _Atomic uint64_t n_entered; /* users that connected, or could not */
    _Atomic uint64_t n_ended;
    _Atomic uint64_t n_died;
    /* The first reason to end the whole run early; 0: none.  An enum rc. */
    _Atomic int abort_rc;
};

/* What the users of one thread share. */
struct worker {
    struct run_shared *shared;
    struct recorder *recorder;
    struct pool pool;
    size_t n_users, n_ended;
    /* Of an open loop. */
    struct schedule schedule;
    struct loop_queue idle; /* users that are free */
    bool turn_taken;        /* somebody waits for the next start */
    bool measuring;         /* the schedule is that of the interval */
    uint64_t n_begun;       /* planned starts of the interval */
    uint64_t n_sent_home;   /* that still waited for a connection */
    struct mono on_time;    /* the last that began in time */
    struct mono oldest_sent_home;
};

struct user {
    struct run_shared *shared;
    struct worker *worker;
    struct vu *vu;
    struct loop *loop;
    struct link *link; /* held now, NULL: none */
    uint64_t number;
    struct rng backoff, pacing;
    struct mono free;         /* paced: since then */
    int64_t think_ns;         /* paced: before the next */
    uint64_t iterations_left; /* UINT64_MAX: by time */
    uint64_t n_failures_in_row;
    _Atomic uint64_t n_measured; /* ended in the interval */
    bool active;                 /* counted in n_active */
    bool planned_in_window;      /* open loop: its start is the interval's */

    /* With --statement-stats: the watch on its connection, and the transaction
     * that goes on. */
    struct conn_watch watch;
    size_t txn;
    bool died;
    bool cancelled; /* its last transaction was broken off at the end */
};

MUST_USE enum rc user_init(struct user *u, struct worker *worker,
                           uint64_t number, struct err *err);
void user_release(struct user *u);

/* The coroutine of a user; arg is the struct user. */
void user_main(void *arg);

/* ---- for the files that make up a user ---- */

static inline bool user_stopping(const struct user *u)
{
    return atomic_load_explicit(&u->shared->stop, memory_order_relaxed);
}

/* Pauses before try n + 1, longer each time, half of it by chance. */
CORO_FN void user_back_off(struct user *u, uint64_t n, int64_t first_ns,
                           int64_t max_ns);
void user_set_active(struct user *u, bool active);
/* start.c: RC_OK when it is the user's stage, RC_CANCELLED. */
MUST_USE CORO_FN enum rc user_wait_for_stage(struct user *u);
/* Rests until the next start is due; *out is when it was planned. */
MUST_USE CORO_FN enum rc user_next_start(struct user *u, size_t txn,
                                         struct mono *out);
/* connect.c: an open connection in u->link, waited for and opened as need be.
 * RC_CANCELLED, or why there will be none. */
MUST_USE CORO_FN enum rc user_get_conn(struct user *u);
/* Gives a shared one back, and nothing else. */
void user_give_conn(struct user *u);
/* txn.c: the transaction that was drawn, meant to start at `start`. */
MUST_USE CORO_FN enum rc user_transaction(struct user *u, size_t txn,
                                          struct mono start);

#endif
