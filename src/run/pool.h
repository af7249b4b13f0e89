/* SPDX-License-Identifier: MIT */
/*
 * The connections of one worker, and who has which.  A user that holds a link
 * has the connection alone.  Pinned: each user keeps the one link that it was
 * given at the start.  Shared: a user takes a link for a transaction and gives
 * it back; who comes when none is free waits, first come, first served.
 *
 * All but pool_cancel() belongs to the worker's thread.
 */
#ifndef RUN_POOL_H
#define RUN_POOL_H

#include "driver/driver.h"

#include <pthread.h>

/* The place of a connection, which may be lost and opened again. */
struct link {
    struct conn *conn; /* NULL: not open */
    /* Guards conn against conn_cancel() from the controlling thread; taken
     * when connecting and closing, not in the loop. */
    pthread_mutex_t lock;
    struct link *next; /* free ones of the pool */
    bool was_open;     /* at any time before */
    bool given_up;
    struct err err; /* why the last attempt to open it failed */
};

struct pool {
    struct link *links; /* borrowed, n_links of them */
    size_t n_links;
    size_t n_given_up;
    struct link *first, *last; /* free, the one that rested longest first */
    size_t n_free;
    size_t n_promised; /* of those free: to users that were woken */
    struct loop_queue waiting;
};

void link_init(struct link *l);
void link_release(struct link *l); /* its connection has been closed */
void link_set(struct link *l, struct conn *c);
void link_close(struct link *l); /* closes the connection, if there is one */

/* All links are held by whoever is given them first. */
void pool_init(struct pool *pool, struct link *links, size_t n_links);
/* Waits for a free link.  RC_DB_GONE when all have been given up,
 * RC_CANCELLED. */
MUST_USE CORO_FN enum rc pool_take(struct pool *pool, struct loop *loop,
                                   struct link **out);
void pool_give(struct pool *pool, struct loop *loop, struct link *l);
/* Instead of pool_give(), for one that cannot be opened. */
void pool_give_up(struct pool *pool, struct loop *loop, struct link *l);
/* All have been given up. */
static inline bool pool_is_gone(const struct pool *pool)
{
    return pool->n_given_up == pool->n_links;
}
/* Closes the free ones: at the end of a worker. */
void pool_close_free(struct pool *pool);
/* From the controlling thread: what runs on a connection ends soon. */
void pool_cancel(struct pool *pool);

#endif
