/* SPDX-License-Identifier: MIT */
/* A workload that shows the intervals of a run in its own way, beside the
 * report. */
#ifndef RUN_SCRIPT_REPORT_H
#define RUN_SCRIPT_REPORT_H

#include "run/crowd.h"
#include "run/series.h"

struct script_report {
    struct dataset *ds;
    struct vu **vus;
    size_t n_vus;
    struct interval *sum; /* of what was measured */
    struct hist *response;
};

/* For workloads that have none it does nothing, and is no listener. */
MUST_USE enum rc script_report_init(struct script_report *r, struct dataset *ds,
                                    const struct crowd *crowd,
                                    struct series_listeners *listeners,
                                    struct err *err);
/* The whole; after the last interval. */
void script_report_end(struct script_report *r);
void script_report_release(struct script_report *r); /* zero is fine */

#endif
