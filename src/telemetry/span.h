/* SPDX-License-Identifier: MIT */
/*
 * Points and stretches of a run.  Each source of figures is read at its own
 * moments, and what it counted is divided by the time and the transactions
 * between just those.
 */
#ifndef TELEMETRY_SPAN_H
#define TELEMETRY_SPAN_H

#include "base/clock.h"

struct moment {
    struct mono at;
    uint64_t txns; /* that had ended, of the whole run */
};

struct span {
    int64_t ns;
    uint64_t txns; /* that ended in it */
};

static inline void span_add(struct span *s, const struct moment *from,
                            const struct moment *to)
{
    s->ns += mono_since(to->at, from->at);
    s->txns += to->txns - from->txns;
}

/* Transactions that have ended so far, from any thread. */
typedef uint64_t ended_fn(const void *arg);

#endif
