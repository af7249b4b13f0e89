/* SPDX-License-Identifier: MIT */
#include "run/pool.h"

/* ---- links ---- */

void link_init(struct link *l)
{
    *l = (struct link){0};
    pthread_mutex_init(&l->lock, NULL);
}

void link_release(struct link *l)
{
    pthread_mutex_destroy(&l->lock);
}

void link_set(struct link *l, struct conn *c)
{
    pthread_mutex_lock(&l->lock);
    l->conn = c;
    pthread_mutex_unlock(&l->lock);
}

void link_close(struct link *l)
{
    struct conn *c = l->conn;

    if (!c)
        return;
    link_set(l, NULL);
    conn_close(c);
}

/* ---- the pool ---- */

void pool_init(struct pool *pool, struct link *links, size_t n_links)
{
    *pool = (struct pool){.links = links, .n_links = n_links};
}

static struct link *pop_free(struct pool *pool)
{
    struct link *l = pool->first;

    pool->first = l->next;
    if (!pool->first)
        pool->last = NULL;
    pool->n_free--;
    l->next = NULL;
    return l;
}

enum rc pool_take(struct pool *pool, struct loop *loop, struct link **out)
{
    enum rc rc;

    if (pool->n_free <= pool->n_promised) {
        if (pool_is_gone(pool))
            return RC_DB_GONE;
        rc = loop_queue_wait(loop, &pool->waiting, MONO_NEVER);
        if (rc)
            return rc;
        /* Woken by the last that was given up, not by one that is free. */
        if (pool->n_promised == 0)
            return RC_DB_GONE;
        pool->n_promised--;
    }
    *out = pop_free(pool);
    return RC_OK;
}

void pool_give(struct pool *pool, struct loop *loop, struct link *l)
{
    l->next = NULL;
    if (pool->last)
        pool->last->next = l;
    else
        pool->first = l;
    pool->last = l;
    pool->n_free++;
    /* Nobody who comes before the woken user runs takes it away. */
    if (loop_queue_wake(loop, &pool->waiting))
        pool->n_promised++;
}

void pool_give_up(struct pool *pool, struct loop *loop, struct link *l)
{
    l->given_up = true;
    pool->n_given_up++;
    if (!pool_is_gone(pool))
        return;
    while (loop_queue_wake(loop, &pool->waiting))
        continue;
}

void pool_close_free(struct pool *pool)
{
    while (pool->first)
        link_close(pop_free(pool));
}

void pool_cancel(struct pool *pool)
{
    for (size_t i = 0; i < pool->n_links; i++) {
        struct link *l = &pool->links[i];

        pthread_mutex_lock(&l->lock);
        if (l->conn)
            conn_cancel(l->conn);
        pthread_mutex_unlock(&l->lock);
    }
}
