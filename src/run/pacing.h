/* SPDX-License-Identifier: MIT */
/*
 * What keying and think times allow: the bound that no valid paced run can be
 * above, and what the response times leave of it (tpcc-facts 7).
 */
#ifndef RUN_PACING_H
#define RUN_PACING_H

#include "run/result.h"

/* Fills the rest of r->pacing from the factor and the measured transactions;
 * nothing when r->pacing.factor is 0. */
void pacing_judge(struct run_result *r);

#endif
