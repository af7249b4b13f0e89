/* SPDX-License-Identifier: MIT */
/*
 * The series of a stored run for other programs: CSV (RFC 4180), and the
 * interval log of HdrHistogram.
 */
#ifndef REPORT_SERIES_CSV_H
#define REPORT_SERIES_CSV_H

#include "store/runs.h"

#include <stdio.h>

/* A line for each interval and transaction. */
MUST_USE enum rc series_csv(struct store *s, const struct stored_run *run,
                            FILE *out, struct err *err);
/* A line for each interval and sampled figure. */
MUST_USE enum rc telemetry_csv(struct store *s, const struct stored_run *run,
                               FILE *out, struct err *err);
/* Log format 1.3, histograms in V2, in ns, tagged "new_order.response";
 * measurement interval only. */
MUST_USE enum rc series_hlog(struct store *s, const struct stored_run *run,
                             FILE *out, struct err *err);

#endif
