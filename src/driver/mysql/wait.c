/* SPDX-License-Identifier: MIT */
/*
 * The library's waits.  It calls this hook instead of poll() whenever a socket
 * is not ready, on the stack of whoever called it, so an ordinary blocking
 * call inside a coroutine becomes one that yields.
 *
 * The hook has no argument of ours: whose wait it is stands in a thread-local
 * variable, set before each call and again behind each wait, when other
 * coroutines of the thread have been at it.  Its time-out has mixed units
 * (milliseconds, seconds, 0 for "none" under TLS) and is ignored: the deadline
 * is the connection's.
 */
#include "driver/mysql/maria_int.h"

#include <errno.h>

/* How long the server may be late with the error of a statement timeout. */
#define GRACE_NS (5 * NS_PER_S)

static _Thread_local struct maria_conn *calling;

void maria_start_until(struct maria_conn *mc, struct mono deadline)
{
    mc->deadline = deadline;
    mc->wait_rc = RC_OK;
    calling = mc;
}

void maria_start(struct maria_conn *mc)
{
    const int64_t limit = mc->base.statement_timeout_ns;

    maria_start_until(mc, limit > 0
                              ? mono_add(mono_add(clock_now(), limit), GRACE_NS)
                              : MONO_NEVER);
}

void maria_never_wait(void)
{
    calling = NULL;
}

static CORO_FN enum rc wait_for(struct maria_conn *mc, unsigned events)
{
    enum rc rc;

    /* Partner: the load in maria_cancel(), which only wants a hint. */
    atomic_store_explicit(&mc->waiting, true, memory_order_relaxed);
    rc = io_wait(mc->base.loop, mc->fd, events, mc->deadline);
    atomic_store_explicit(&mc->waiting, false, memory_order_relaxed);
    calling = mc;
    mc->wait_rc = rc;
    return rc;
}

enum rc maria_await_answer(struct maria_conn *mc)
{
    return wait_for(mc, IO_READ);
}

static int on_wait(my_socket fd, my_bool is_read, int timeout)
{
    struct maria_conn *mc = calling;

    (void)timeout;
    if (!mc || !coro_self() || mc->wait_rc)
        return 0;
    coro_assert_inside();
    mc->fd = fd;
    if (LIKELY(!wait_for(mc, is_read ? IO_READ : IO_WRITE)))
        return 1;
    errno = ETIMEDOUT;
    return 0;
}

void maria_hook(MYSQL *my)
{
    mysql_optionsv(my, MARIADB_OPT_IO_WAIT, on_wait);
}
