/* SPDX-License-Identifier: MIT */
/*
 * The lines of progress: what the series tells, on standard error.
 */
#ifndef RUN_PROGRESS_H
#define RUN_PROGRESS_H

#include "run/series.h"

/* What came since the last line. */
struct progress {
    int64_t every_ns;
    int64_t since_ns; /* the intervals taken together */
    uint64_t completed, retries, failed;
};

void progress_init(struct progress *p, int64_t every_ns);
/* A line each every_ns, or each interval where that is longer; nothing after
 * the measurement interval. */
struct series_listener progress_listener(struct progress *p);

#endif
