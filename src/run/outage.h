/* SPDX-License-Identifier: MIT */
/*
 * Times in which the database did nothing: no connection could be had, or
 * nothing ended for a second although something had begun.  The controlling
 * thread looks every so often.
 */
#ifndef RUN_OUTAGE_H
#define RUN_OUTAGE_H

#include "base/clock.h"
#include "run/result.h"

/* What the run looks like at one moment. */
struct outage_look {
    struct mono now;
    uint64_t n_open;           /* connections */
    uint64_t n_begun, n_ended; /* transactions, since the start */
};

struct outage {
    bool on; /* in the interval */
    struct mono opened;
    struct mono looked;    /* last */
    struct mono connected; /* last look with a connection */
    struct mono moved;     /* last look that found progress, or nothing to do */
    uint64_t n_ended;
    bool arriving; /* the first users are still connecting */
    bool was_idle; /* nothing had begun that had not ended, at the last look */
    struct outage_result result;
};

/* The interval opens. */
void outage_begin(struct outage *o, const struct outage_look *look);
void outage_see(struct outage *o, const struct outage_look *look);
/* The interval closes: what still lasts ends here. */
void outage_end(struct outage *o, struct mono closed);

#endif
