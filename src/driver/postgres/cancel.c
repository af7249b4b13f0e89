/* SPDX-License-Identifier: MIT */
/*
 * Cancels.  libpq has only a call that blocks until the server has answered,
 * which a stopped one never does, so each is made on a thread of its own.
 */
#include "base/mem.h"
#include "driver/postgres/pg_int.h"

#include <pthread.h>

struct pg_cancel *pg_cancel_new(PGconn *pg)
{
    struct pg_cancel *cancel = MEM_NEW(struct pg_cancel);

    if (!cancel)
        return NULL;
    cancel->request = PQgetCancel(pg);
    atomic_init(&cancel->refs, 1);
    return cancel;
}

void pg_cancel_release(struct pg_cancel *cancel)
{
    /* Release: what this thread did with it comes before the end that the
     * last one makes; acquire: the last one sees it. */
    if (!cancel ||
        atomic_fetch_sub_explicit(&cancel->refs, 1, memory_order_acq_rel) > 1)
        return;
    PQfreeCancel(cancel->request);
    mem_free(cancel);
}

static void *send_cancel(void *arg)
{
    struct pg_cancel *cancel = arg;
    char text[256];

    /* A failure is of no use to anybody: the call goes on until it ends or
     * its deadline passes. */
    (void)PQcancel(cancel->request, text, sizeof(text));
    /* Partner: the exchange in pg_cancel(). */
    atomic_store_explicit(&cancel->in_flight, false, memory_order_release);
    pg_cancel_release(cancel);
    return NULL;
}

void pg_cancel(struct conn *c)
{
    struct pg_cancel *cancel = pg_conn_of(c)->cancel;
    pthread_attr_t attr;
    pthread_t thread;

    if (!cancel || !cancel->request ||
        atomic_exchange_explicit(&cancel->in_flight, true,
                                 memory_order_acquire))
        return;
    /* Partner: the exchange in pg_fail_result(). */
    atomic_store_explicit(&cancel->asked, true, memory_order_relaxed);
    atomic_fetch_add_explicit(&cancel->refs, 1, memory_order_relaxed);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &attr, send_cancel, cancel)) {
        atomic_store_explicit(&cancel->in_flight, false, memory_order_release);
        pg_cancel_release(cancel);
    }
    pthread_attr_destroy(&attr);
}
