/* SPDX-License-Identifier: MIT */
/*
 * The planned starts of one worker in an open loop.  All workers walk through
 * the same starts, numbered over the whole run, and each keeps every n-th: the
 * plan is the same on any number of threads, and nothing drifts, for the next
 * start is reckoned from the one planned before, never from "now".
 */
#ifndef RUN_SCHEDULE_H
#define RUN_SCHEDULE_H

#include "base/rng.h"
#include "run/plan.h"

struct schedule {
    const struct plan *plan;
    uint64_t seed;
    uint64_t worker, n_workers;
    struct mono next; /* own, not taken yet; MONO_NEVER: the plan is over */

    uint64_t index; /* of the start after `at`, over all workers */
    struct mono at; /* the last one walked to, of whichever worker */
    size_t stage;
    struct mono stage_begin;
    uint64_t in_stage; /* starts walked to in this stage */
    /* Of random gaps: the end of the block, and its starts still to come. */
    struct mono block_end;
    uint64_t block_left;
    struct mono interval_end; /* a block ends here too */
    struct rng rng;
};

/* Epochs have random gaps of their own: 0 is the ramp-up, 1 the interval. */
void schedule_init(struct schedule *s, const struct plan *plan, uint64_t seed,
                   uint64_t worker, uint64_t n_workers);
void schedule_begin(struct schedule *s, struct mono begin, uint64_t epoch);
/* Returns `next` and plans another. */
struct mono schedule_take(struct schedule *s);

#endif
