/* SPDX-License-Identifier: MIT */
/*
 * Writers take turns, first come first served.  SQLite allows one at a time
 * and lets the others poll, which starves some of them for seconds; with this
 * queue, writers of one process never see SQLITE_BUSY from each other.
 */
#ifndef DRIVER_SQLITE_TURN_H
#define DRIVER_SQLITE_TURN_H

#include "base/err.h"

#include <pthread.h>

struct loop;

/* One connection's place.  All but cond and loop are guarded by the queue's
 * lock. */
struct turn {
    pthread_cond_t cond;
    struct loop *loop;
    struct turn *next;
    bool waiting, granted;
};

struct turn_queue {
    pthread_mutex_t lock;
    struct turn *holder; /* NULL: nobody writes */
    struct turn *first, *last;
};

void turn_queue_init(struct turn_queue *q);
void turn_queue_release(struct turn_queue *q);
void turn_init(struct turn *t, struct loop *loop);
void turn_release(struct turn *t);

/* Takes it only if nobody else has it or waits for it. */
MUST_USE bool turn_try(struct turn_queue *q, struct turn *t);
/*
 * Blocks the thread until it is this one's turn.  RC_CANCELLED when the loop
 * is cancelled or turn_cancel() is called.  RC_DB_RETRY when the holder is a
 * connection of the same loop: it would wait for itself for ever.
 */
MUST_USE enum rc turn_take(struct turn_queue *q, struct turn *t);
/* Hands it to the one that waits longest; nothing if it is not held. */
void turn_give(struct turn_queue *q, struct turn *t);
/* From any thread: a wait that goes on now ends. */
void turn_cancel(struct turn_queue *q, struct turn *t);

#endif
