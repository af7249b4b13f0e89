/* SPDX-License-Identifier: MIT */
/*
 * A stored run as a result that the reports can show: its intervals added up.
 * For runs that did not get as far as a report of their own.
 */
#ifndef REPORT_STORED_H
#define REPORT_STORED_H

#include "run/result.h"
#include "store/runs.h"

/* out is one that result_init() made; texts of run are borrowed.  What was not
 * kept while the run went on (the audit, the accounting, the inputs) is not
 * known. */
MUST_USE enum rc stored_result(struct store *s, const struct stored_run *run,
                               struct run_result *out, struct err *err);

/* The summary (docs/summary.md): as the run left it, or made of its intervals.
 * It lives in arena. */
MUST_USE enum rc stored_summary(struct store *s, const struct stored_run *run,
                                struct arena *arena, const char **out,
                                struct err *err);

#endif
