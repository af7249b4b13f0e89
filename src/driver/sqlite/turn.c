/* SPDX-License-Identifier: MIT */
#include "driver/sqlite/turn.h"

#include "engine/loop.h"

#include <time.h>

/* A loop is cancelled by a flag that no condition variable knows of, so a
 * waiter looks at it from time to time. */
#define LOOK_NS (20 * NS_PER_MS)

void turn_queue_init(struct turn_queue *q)
{
    *q = (struct turn_queue){0};
    pthread_mutex_init(&q->lock, NULL);
}

void turn_queue_release(struct turn_queue *q)
{
    pthread_mutex_destroy(&q->lock);
}

void turn_init(struct turn *t, struct loop *loop)
{
    pthread_condattr_t attr;

    *t = (struct turn){.loop = loop};
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&t->cond, &attr);
    pthread_condattr_destroy(&attr);
}

void turn_release(struct turn *t)
{
    pthread_cond_destroy(&t->cond);
}

bool turn_try(struct turn_queue *q, struct turn *t)
{
    bool taken;

    pthread_mutex_lock(&q->lock);
    /* A turn is handed on directly, so nobody waits while there is no
     * holder. */
    taken = !q->holder;
    if (taken) {
        q->holder = t;
        t->granted = true;
    }
    pthread_mutex_unlock(&q->lock);
    return taken;
}

static void append(struct turn_queue *q, struct turn *t)
{
    t->next = NULL;
    t->waiting = true;
    if (q->last)
        q->last->next = t;
    else
        q->first = t;
    q->last = t;
}

static void leave(struct turn_queue *q, struct turn *t)
{
    struct turn **link = &q->first;
    struct turn *before = NULL;

    while (*link != t) {
        before = *link;
        link = &before->next;
    }
    *link = t->next;
    if (q->last == t)
        q->last = before;
    t->waiting = false;
}

static struct timespec look_time(void)
{
    struct mono due = mono_add(clock_now(), LOOK_NS);

    return (struct timespec){.tv_sec = due.ns / NS_PER_S,
                             .tv_nsec = due.ns % NS_PER_S};
}

/* With the lock held, in the queue. */
static enum rc wait_granted(struct turn_queue *q, struct turn *t)
{
    while (!t->granted) {
        struct timespec due = look_time();

        pthread_cond_timedwait(&t->cond, &q->lock, &due);
        if (t->granted)
            break;
        if (!t->waiting)
            return RC_CANCELLED; /* turn_cancel() took it out */
        if (t->loop && loop_cancelled(t->loop)) {
            leave(q, t);
            return RC_CANCELLED;
        }
    }
    return RC_OK;
}

enum rc turn_take(struct turn_queue *q, struct turn *t)
{
    enum rc rc = RC_OK;

    pthread_mutex_lock(&q->lock);
    if (!q->holder) {
        q->holder = t;
        t->granted = true;
    } else if (t->loop && q->holder->loop == t->loop) {
        rc = RC_DB_RETRY;
    } else {
        append(q, t);
        rc = wait_granted(q, t);
    }
    pthread_mutex_unlock(&q->lock);
    return rc;
}

void turn_give(struct turn_queue *q, struct turn *t)
{
    struct turn *next;

    pthread_mutex_lock(&q->lock);
    if (q->holder == t) {
        t->granted = false;
        next = q->first;
        q->holder = next;
        if (next) {
            leave(q, next);
            next->granted = true;
            pthread_cond_signal(&next->cond);
        }
    }
    pthread_mutex_unlock(&q->lock);
}

void turn_cancel(struct turn_queue *q, struct turn *t)
{
    pthread_mutex_lock(&q->lock);
    if (t->waiting) {
        leave(q, t);
        pthread_cond_signal(&t->cond);
    }
    pthread_mutex_unlock(&q->lock);
}
