/* SPDX-License-Identifier: MIT */
/*
 * How far a plan is and how long it will still take: lines of progress while
 * it runs.
 */
#ifndef LAB_MATRIX_PACE_H
#define LAB_MATRIX_PACE_H

#include "base/clock.h"
#include "lab/matrix_state.h"

struct matrix_pace {
    const struct matrix_plan *plan;
    const struct matrix_state *state;
    size_t k; /* the run that goes on */
    struct mono began;
};

void matrix_pace_init(struct matrix_pace *p, const struct matrix_plan *plan,
                      const struct matrix_state *state);
void matrix_pace_begin(struct matrix_pace *p, size_t k);
void matrix_pace_end(struct matrix_pace *p, const char *log);
/* A job_poll_fn. */
void matrix_pace_poll(void *arg);

/* What all runs that have not ended will take, by what those that have took
 * beside their intervals. */
int64_t matrix_pace_left_ns(const struct matrix_plan *plan,
                            const struct matrix_state *state);

#endif
