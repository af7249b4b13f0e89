/* SPDX-License-Identifier: MIT */
/*
 * Private to comparison.c (the verdicts) and comparability.c (what else is
 * different, and what is to know first).
 */
#ifndef REPORT_COMPARISON_INT_H
#define REPORT_COMPARISON_INT_H

#include "report/comparison.h"

/* RC_INVALID when the runs cannot be compared. */
MUST_USE enum rc comparability_check(const struct side *sides, size_t n,
                                     struct err *err);
/* Fills differences and warnings. */
MUST_USE enum rc comparability_find(const struct side *sides, size_t n,
                                    struct arena *arena, struct comparison *out,
                                    struct err *err);

#endif
