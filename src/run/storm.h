/* SPDX-License-Identifier: MIT */
/*
 * Errors as they come, collapsed: one line in an interval of the series, with
 * counts.  Retries are no errors; the lines of progress count them.
 */
#ifndef RUN_STORM_H
#define RUN_STORM_H

#include "run/series.h"

struct storm {
    const struct recorder *recorders; /* borrowed */
    size_t n_recorders;
    uint64_t seen[RECORDER_CLASSES]; /* in lines before */
    int64_t told_ns;                 /* when the last line came */
};

void storm_init(struct storm *s, const struct recorder *recorders,
                size_t n_recorders);
struct series_listener storm_listener(struct storm *s);

#endif
