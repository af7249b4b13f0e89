/* SPDX-License-Identifier: MIT */
/*
 * Worker threads that share nothing: each has its own loop and runs it until
 * its coroutines have ended.  The owner can wait for them with a deadline,
 * cancel their loops, and, when one is stuck inside a library, abandon it.
 */
#ifndef ENGINE_CREW_H
#define ENGINE_CREW_H

#include "engine/loop.h"

struct crew;

/* Called on the worker's thread before its loop runs, to spawn coroutines; a
 * failure ends this worker and is reported by crew_error().  While the loop
 * runs, the thread is on the run path in the sense of base/mem.h only if the
 * coroutines say so themselves. */
typedef enum rc crew_start_fn(void *arg, size_t worker, struct loop *loop,
                              struct err *err);

/* Starts n threads with all signals blocked and timer slack of 1 ns.  On
 * failure none is left running. */
MUST_USE enum rc crew_new(size_t n, crew_start_fn *start, void *arg,
                          struct crew **out, struct err *err);
/* How many workers have not ended yet. */
size_t crew_running(const struct crew *crew);
/* RC_OK when all have ended, RC_TIMEOUT at the deadline; a request to stop
 * (base/stop.h) ends the wait early with RC_CANCELLED, once: later calls wait
 * for the workers to come to an end in order. */
MUST_USE enum rc crew_wait(struct crew *crew, struct mono deadline);
/* loop_dismiss() on each. */
void crew_dismiss(struct crew *crew);
/* loop_cancel() on each. */
void crew_cancel(struct crew *crew);
/* The first failure of a start function, RC_OK when there was none. */
enum rc crew_error(const struct crew *crew, struct err *err);
/* CPU time of one worker's thread so far (also after its end), ns. */
int64_t crew_cpu_ns(const struct crew *crew, size_t worker);
/* Sum and worst of the loops' lag; only after all have ended. */
struct loop_lag crew_lag(const struct crew *crew);
/* Adds the lag of all loops so far to sum; at any time before crew_free(). */
void crew_lag_add(const struct crew *crew, struct hist *sum);
/* Joins those that ended.  Returns the number of those that had not: they are
 * abandoned, their memory is leaked on purpose, and the process should end
 * soon without freeing what they may use. */
size_t crew_free(struct crew *crew);

#endif
