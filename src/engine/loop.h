/* SPDX-License-Identifier: MIT */
/*
 * One event loop for each thread: coroutines that are ready, timers in a heap
 * ordered by (due, sequence), descriptors in epoll.  An iteration detaches the
 * ready list before running it; what becomes ready meanwhile runs in the next
 * one, so nobody can starve the rest.  epoll is not asked while nobody waits
 * for a descriptor or a timer and nothing was posted from outside.
 *
 * Everything but loop_cancel() and loop_dismiss() belongs to the loop's own
 * thread.
 */
#ifndef ENGINE_LOOP_H
#define ENGINE_LOOP_H

#include "base/clock.h"
#include "engine/coro.h"
#include "stats/hist.h"

struct loop;

enum io_events {
    IO_READ = 1,
    IO_WRITE = 2,
};

MUST_USE enum rc loop_new(struct loop **out, struct err *err);
/* Only when no coroutine is left that has started; those that have not are
 * dropped.  NULL is fine. */
void loop_free(struct loop *loop);

/* Adds a coroutine, ready to run; the loop frees it when it has ended. */
MUST_USE enum rc loop_spawn(struct loop *loop, coro_fn *fn, void *arg,
                            struct err *err);
/* Runs until no coroutine is left. */
void loop_run(struct loop *loop);
/* loop_new, spawn, run, free: fn runs in a coroutine on the calling thread,
 * and the call returns when it has ended.  What commands use for work that
 * waits for a database outside a run. */
MUST_USE enum rc loop_call(coro_fn *fn, void *arg, struct err *err);

/* The loop of the calling thread while loop_run() is active, else NULL. */
struct loop *loop_current(void);

/* Lets the others of this loop run; ready again in the next iteration. */
CORO_FN void loop_yield(struct loop *loop);
/* The same, unless the caller has waited for something since the last time:
 * then the others had their turn, and a yield would only ask the kernel once
 * more. */
CORO_FN void loop_give_way(struct loop *loop);
/* RC_OK when due, RC_CANCELLED when the loop is cancelled before.  A due time
 * that has passed is a loop_yield(). */
CORO_FN enum rc loop_sleep_until(struct loop *loop, struct mono due);
/* The same for who has nothing in hand: ended by loop_dismiss() too. */
CORO_FN enum rc loop_rest_until(struct loop *loop, struct mono due);
/*
 * Waits until fd is ready for one of the events, RC_TIMEOUT at the deadline
 * (MONO_NEVER for none), RC_CANCELLED when the loop is cancelled, RC_IO or
 * RC_NOMEM when the descriptor cannot be watched.  What is ready wins over a
 * deadline that has passed; an error or a hang-up counts as ready.  One waiter
 * for each descriptor at a time.  Level-triggered: interest is kept between
 * waits with the same events, so a steady wait for reads costs no epoll_ctl.
 * The descriptor must be given to loop_forget() before it is closed.
 */
CORO_FN enum rc io_wait(struct loop *loop, int fd, unsigned events,
                        struct mono deadline);
void loop_forget(struct loop *loop, int fd);

/*
 * Coroutines of one loop that wait for another of them, first come, first
 * served: for a connection of a pool, for a turn.  Zero-initialise; it must
 * outlive its waiters.
 */
struct loop_queue {
    struct loop_waiter *first, *last;
};

/* RC_OK when woken, RC_TIMEOUT, RC_CANCELLED, also by loop_dismiss(). */
CORO_FN enum rc loop_queue_wait(struct loop *loop, struct loop_queue *queue,
                                struct mono deadline);
/* Wakes the one that has waited longest; false when nobody waits. */
bool loop_queue_wake(struct loop *loop, struct loop_queue *queue);

/* From any thread: rests and waits in queues, now and later, end with
 * RC_CANCELLED; who sleeps or waits for a descriptor goes on. */
void loop_dismiss(struct loop *loop);
/* From any thread: every wait of the loop, now and later, ends with
 * RC_CANCELLED. */
void loop_cancel(struct loop *loop);
bool loop_cancelled(const struct loop *loop);

/* From the due time of a sleep until its coroutine ran again, worst and sum,
 * ns: the timer's lateness and the wait for coroutines that ran before.  Sleeps
 * that were late when they began do not count.  Owner's thread or after its
 * end. */
struct loop_lag {
    int64_t max_ns, sum_ns;
    uint64_t n; /* sleeps that ended when due */
};
struct loop_lag loop_lag(const struct loop *loop);
/* The same as a histogram, which any thread may read at any time; it lives as
 * long as the loop. */
const struct hist *loop_lag_hist(const struct loop *loop);

#endif
