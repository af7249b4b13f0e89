/* SPDX-License-Identifier: MIT */
/*
 * A virtual user at work: connect, then one closed loop of transactions, each
 * drawn, tried and tried again with the same inputs, and recorded.
 */
#ifndef RUN_USER_H
#define RUN_USER_H

#include "base/rng.h"
#include "run/config.h"
#include "run/recorder.h"
#include "run/session.h"

#include <pthread.h>
#include <stdatomic.h>

/* What all users of a run look at; written by the controlling thread, so that
 * the users' cores share it unchanged. */
struct run_shared {
    const struct run_cfg *cfg;
    struct session *session;
    /* The measurement interval on the monotonic clock, [start, end).  Written
     * before `stop`, read relaxed: a transaction that ends right at a border
     * may see it a moment late, which moves it by that moment. */
    _Atomic int64_t window_start_ns, window_end_ns;
    _Atomic bool stop; /* begin nothing new */

    /* Counted by the users when they change state, never in the loop. */
    CACHE_ALIGNED _Atomic uint64_t n_active; /* connected now */
    _Atomic uint64_t n_ended;
    _Atomic uint64_t n_died;
    /* The first reason to end the whole run early; 0: none.  An enum rc. */
    _Atomic int abort_rc;
};

struct user {
    struct run_shared *shared;
    struct recorder *recorder; /* of the worker */
    struct vu *vu;
    struct loop *loop;
    struct conn *conn;
    /* Guards conn against conn_cancel() from the controlling thread; taken
     * when connecting and closing, not in the loop. */
    pthread_mutex_t lock;
    struct rng backoff;
    uint64_t iterations_left; /* UINT64_MAX: by time */
    uint64_t n_failures_in_row;
    _Atomic uint64_t n_measured; /* ended in the interval */
    struct err err;              /* why it died */
    bool died;
    bool cancelled; /* its last transaction was broken off at the end */
};

MUST_USE enum rc user_init(struct user *u, struct run_shared *shared,
                           uint64_t number, struct err *err);
void user_release(struct user *u);

/* The coroutine of a user; arg is the struct user. */
void user_main(void *arg);
/* From the controlling thread: makes what the user waits for end soon. */
void user_cancel(struct user *u);

#endif
