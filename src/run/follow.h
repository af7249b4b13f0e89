/* SPDX-License-Identifier: MIT */
/*
 * Who follows a run while it goes on, through its series: those that the
 * caller brings (the store, telemetry), the lines of progress and of errors,
 * the judge of thresholds, the course for the report.
 */
#ifndef RUN_FOLLOW_H
#define RUN_FOLLOW_H

#include "run/config.h"
#include "run/course.h"
#include "run/progress.h"
#include "run/storm.h"
#include "run/threshold.h"

struct follow {
    struct series_listeners listeners;
    struct progress progress;
    struct storm storm;
    struct judge *judge;
    struct run_course course;
    struct series *series;
};

struct follow_args {
    const struct run_cfg *cfg;
    bool quiet;
    const struct series_listener *first;      /* telemetry, or NULL */
    const struct series_listeners *listeners; /* the caller's; may be NULL */
    const struct recorder *recorders;
    size_t n_recorders;
    const struct workload *workload;
};

/* The length of the series' intervals. */
int64_t follow_every_ns(const struct run_cfg *cfg);

/* Release also after a failure; f must stay where it is. */
MUST_USE enum rc follow_init(struct follow *f, const struct follow_args *args,
                             struct err *err);
void follow_release(struct follow *f); /* the zero state is fine */
/* What they found out, after the last interval. */
void follow_collect(struct follow *f, struct run_result *r);
/* Tells all of them that the run begins. */
MUST_USE enum rc follow_begin(const struct follow *f,
                              const struct run_result *result, struct err *err);

#endif
