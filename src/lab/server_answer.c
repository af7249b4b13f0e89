/* SPDX-License-Identifier: MIT */
/* Whether a server that was started takes connections. */
#include "base/clock.h"
#include "base/stop.h"
#include "lab/server_int.h"
#include "run/session.h"

/* Recovery after a crash takes its time; a server that has not answered by
 * then has not been heard of. */
#define START_LIMIT_NS (600 * NS_PER_S)
#define TRY_LIMIT_NS (5 * NS_PER_S)
#define TRY_AGAIN_NS (50 * NS_PER_MS)

static enum rc answer(struct session *s, struct conn *c, void *arg,
                      struct err *err)
{
    (void)s;
    (void)c;
    (void)arg;
    (void)err;
    coro_assert_inside();
    return RC_OK;
}

/* Connects, making the database first when there is none. */
static enum rc try_it(const struct server *s, struct err *err)
{
    const struct session_args args = {.url = s->url};
    struct session session;
    bool created;
    enum rc rc = session_open(&args, &session, err);

    if (rc)
        return rc;
    session.connect_limit_ns = TRY_LIMIT_NS;
    rc = db_create(session.db, &created, err);
    if (!rc)
        rc = session_call(&session, answer, NULL, err);
    session_close(&session);
    return rc;
}

enum rc server_await(struct server *s, struct err *err)
{
    const struct mono end = mono_add(clock_now(), START_LIMIT_NS);
    const struct process p = server_process(s);
    struct err last = {0};

    for (;;) {
        if (stop_requested())
            return err_set(err, RC_CANCELLED, "interrupted");
        if (!process_alive(p)) {
            err_set(err, RC_IO, "%s ended at once", s->kind->product);
            server_log_quote(s, err);
            return RC_IO;
        }
        if (!try_it(s, &last))
            return RC_OK;
        if (clock_now().ns > end.ns)
            return err_set(err, RC_TIMEOUT,
                           "server '%s' does not answer: %.300s", s->name,
                           last.text);
        clock_sleep_until(mono_add(clock_now(), TRY_AGAIN_NS));
    }
}
