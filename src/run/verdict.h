/* SPDX-License-Identifier: MIT */
/*
 * Whether a run counts: the closed list of reasons against it, and warnings.
 */
#ifndef RUN_VERDICT_H
#define RUN_VERDICT_H

#include "run/config.h"
#include "run/result.h"

/* Sets result->invalid and ->warnings from what else it holds.  window_full:
 * the whole interval passed with every user active. */
void verdict_reach(struct run_result *result, const struct run_cfg *cfg,
                   bool window_full);

#endif
