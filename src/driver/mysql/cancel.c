/* SPDX-License-Identifier: MIT */
/*
 * Cancels: KILL QUERY, over a connection of its own.  That connection may hang
 * as the first one does, so it has a thread of its own too.
 */
#include "base/mem.h"
#include "driver/mysql/maria_int.h"

#include <pthread.h>
#include <stdio.h>

struct killer {
    struct maria_login *login;
    unsigned long thread_id;
};

static void *kill_main(void *arg)
{
    struct killer *k = arg;
    MYSQL *my = mysql_init(NULL);
    char sql[48];

    maria_never_wait();
    if (my) {
        maria_login_options(k->login, my);
        snprintf(sql, sizeof(sql), "KILL QUERY %lu", k->thread_id);
        /* A failure is of no use to anybody: the call goes on until it ends or
         * its deadline passes. */
        if (maria_login_connect(k->login, my, NULL, 0))
            (void)mysql_query(my, sql);
        mysql_close(my);
    }
    maria_login_release(k->login);
    mem_free(k);
    mysql_thread_end();
    return NULL;
}

void maria_cancel(struct conn *c)
{
    struct maria_conn *mc = maria_conn_of(c);
    struct killer *k;
    pthread_attr_t attr;
    pthread_t thread;

    /* Partner: the stores in on_wait().  One that is idle would be killed in
     * its next statement. */
    if (!atomic_load_explicit(&mc->waiting, memory_order_relaxed))
        return;
    k = MEM_NEW(struct killer);
    if (!k)
        return;
    k->login = maria_login_share(mc->login);
    k->thread_id = mc->thread_id;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &attr, kill_main, k)) {
        maria_login_release(k->login);
        mem_free(k);
    }
    pthread_attr_destroy(&attr);
}
