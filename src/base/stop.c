/* SPDX-License-Identifier: MIT */
#include "base/stop.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* Lock-free, hence safe in a signal handler, and read by all threads. */
static atomic_int caught;

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "the handler must not lock");

static void on_signal(int signum)
{
    int none = 0;

    /* Partner: stop_signal().  Relaxed: the flag carries no other data. */
    if (atomic_compare_exchange_strong_explicit(
            &caught, &none, signum, memory_order_relaxed, memory_order_relaxed))
        return;
    /* The signal is blocked here and takes effect as the handler returns. */
    signal(signum, SIG_DFL);
    raise(signum);
}

void stop_install(void)
{
    /* Waits (epoll, nanosleep) return early in any case; SA_RESTART spares
     * plain reads and writes, here and in the client libraries. */
    struct sigaction action = {
        .sa_handler = on_signal,
        .sa_flags = SA_RESTART,
    };
    struct sigaction old;

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* A closed terminal ends the run in order; nohup's wish is respected. */
    if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
    /* A file-size limit is a full disk to the one who writes. */
    signal(SIGXFSZ, SIG_IGN);
}

bool stop_requested(void)
{
    return stop_signal() != 0;
}

int stop_signal(void)
{
    /* Partner: on_signal(). */
    return atomic_load_explicit(&caught, memory_order_relaxed);
}
