/* SPDX-License-Identifier: MIT */
/*
 * Private to loop.c (coroutines, waits, the iteration) and loop_io.c
 * (descriptors, epoll, blocking until something happens).
 */
#ifndef ENGINE_LOOP_INT_H
#define ENGINE_LOOP_INT_H

#include "engine/loop.h"
#include "engine/timers.h"

#include <stdatomic.h>
#include <sys/epoll.h>

#define LOOP_EVENTS_MAX 128

/* A coroutine of the loop, in the ready list, in the list of spares, or held
 * by the waiter on its stack. */
struct task {
    struct coro *coro;
    struct task *next;
    bool has_waited; /* since it last gave way */
};

/* On the stack of the coroutine that waits. */
struct loop_waiter {
    struct timer timer;
    struct task *task;
    enum rc at_deadline; /* what the timer means to this wait */
    enum rc rc;          /* what the wait returns */
    int fd;              /* -1 when it is for none */
    bool rests;          /* ended by loop_dismiss() */
    struct loop_queue *queue;
    struct loop_waiter *prev, *next; /* in queue */
};

struct fd_slot {
    struct loop_waiter *waiter;
    unsigned armed; /* enum io_events that epoll reports */
    bool known;     /* to epoll */
};

struct loop {
    struct task *ready_first, *ready_last;
    struct task *running;
    size_t n_tasks; /* spawned and not ended */
    size_t n_io;    /* waiters for descriptors */
    struct timers timers;
    atomic_bool cancelled;
    bool cancel_done; /* waits that were there have been ended */
    atomic_bool dismissed;
    bool dismiss_done; /* the same for rests and waits in queues */

    struct fd_slot *fds;
    size_t fds_cap;
    int epoll_fd, wake_fd;
    int timer_fd; /* -1 where epoll_pwait2 works */
    struct mono timer_armed;

    struct hist *lag;
    struct task *spare;
    size_t n_spare;
    struct epoll_event events[LOOP_EVENTS_MAX];
};

/* Opens the epoll set and what wakes it; release also after a failure. */
MUST_USE enum rc loop_io_init(struct loop *loop, struct err *err);
void loop_io_release(struct loop *loop);
/* Waits for descriptors, for the first timer, for loop_cancel(), or not at all
 * when somebody is ready; wakes those whose descriptor is. */
void loop_io_poll(struct loop *loop);

/* From any thread: ends the poll that goes on now, or the next one. */
void loop_io_interrupt(struct loop *loop);

/* BUG unless called in a coroutine of this loop. */
void loop_check_inside(const struct loop *loop);
/* Switches away until loop_wake(), and returns its rc. */
CORO_FN enum rc loop_park(struct loop *loop, struct loop_waiter *waiter,
                          struct mono deadline);
void loop_wake(struct loop *loop, struct loop_waiter *waiter, enum rc rc);

#endif
