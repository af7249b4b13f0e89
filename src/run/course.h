/* SPDX-License-Identifier: MIT */
/*
 * The course of a run: throughput and response time over its measurement
 * interval, in constant memory.  When there are more intervals than points,
 * two neighbours become one.  For the spark lines of the report and the test
 * of steadiness; the whole series is in the store.
 */
#ifndef RUN_COURSE_H
#define RUN_COURSE_H

#include "stats/interval.h"
#include "stats/steady.h"

#define COURSE_POINTS_MAX 240 /* even, at most STEADY_POINTS_MAX */

struct course_point {
    int64_t length_ns;
    uint64_t completed;
    int64_t p99_ns; /* of the slowest of its intervals; 0: nothing completed */
};

struct run_course {
    struct course_point points[COURSE_POINTS_MAX];
    size_t n;       /* the last one may not be full */
    size_t each;    /* intervals in a full point; 0: there is none */
    size_t in_last; /* intervals in the last point */
    size_t txn;     /* whose p99 */
};

/* Zero is an empty one; txn is set before the first. */
void course_add(struct run_course *c, const struct interval *it);

/* Throughput of each full point, a second; returns how many. */
size_t course_throughput(const struct run_course *c,
                         double out[COURSE_POINTS_MAX]);

#endif
