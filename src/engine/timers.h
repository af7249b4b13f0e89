/* SPDX-License-Identifier: MIT */
/*
 * Timers of one loop: a binary heap on (due, sequence), so that those due at
 * the same time fire in the order in which they were added.  Timers are
 * embedded in what waits; the heap holds pointers, and room for them is
 * reserved ahead, so that adding one cannot fail.
 */
#ifndef ENGINE_TIMERS_H
#define ENGINE_TIMERS_H

#include "base/clock.h"
#include "base/err.h"

/* Zero-initialise; belongs to the heap between add and remove or pop. */
struct timer {
    struct mono due;
    uint64_t sequence;
    size_t place; /* in the heap, from 1; 0 when in none */
};

/* Zero-initialise. */
struct timers {
    struct timer **heap;
    size_t n, cap;
    uint64_t n_added;
};

void timers_release(struct timers *timers);
/* Makes room for n timers in all. */
MUST_USE enum rc timers_reserve(struct timers *timers, size_t n);

/* One more than was reserved is a BUG, and so is one added already. */
void timers_add(struct timers *timers, struct timer *timer, struct mono due);
/* Does nothing with a timer that is in no heap. */
void timers_remove(struct timers *timers, struct timer *timer);

/* The earliest, borrowed; NULL when there is none. */
struct timer *timers_first(const struct timers *timers);
/* Removes and returns the earliest that is due, NULL when none is. */
struct timer *timers_pop(struct timers *timers, struct mono now);

#endif
