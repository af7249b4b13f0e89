/* SPDX-License-Identifier: MIT */
/*
 * A thread that looks at something from when the measurement interval opens
 * until it closes, every so often, and can never hold up a run: it is told to
 * end, then cancelled, then abandoned.
 */
#ifndef TELEMETRY_WATCH_H
#define TELEMETRY_WATCH_H

#include "engine/loop.h"

#include <stdatomic.h>

struct watch {
    int64_t every_ns;
    atomic_int phase; /* enum watch_phase */
    struct mono next;
    struct crew *crew;
    const char *name; /* of the thread, at most 15 bytes */
    coro_fn *fn;
    void *arg;
};

/* fn runs in a coroutine on a thread of its own, beside the run; name is
 * borrowed. */
MUST_USE enum rc watch_start(struct watch *w, const char *name,
                             int64_t every_ns, coro_fn *fn, void *arg,
                             struct err *err);
/* From the controlling thread. */
void watch_open(struct watch *w);
void watch_close(struct watch *w);
void watch_cancel(struct watch *w);
/* Waits for its end, limit_ns from now; then for at most a second after
 * watch_cancel().  False: it hangs, and its memory must not be freed. */
bool watch_end(struct watch *w, int64_t limit_ns);

/* In the coroutine: waits until a sample is due.  RC_CANCELLED: end.  *out_last
 * when the interval has closed and no other will be due. */
MUST_USE CORO_FN enum rc watch_wait(struct watch *w, bool *out_last);
bool watch_closed(const struct watch *w);

#endif
