/* SPDX-License-Identifier: MIT */
/*
 * What an open loop has left undone at the end of the interval: the starts
 * that were planned in it and never begun, and since when it is behind.
 */
#ifndef RUN_ARREARS_H
#define RUN_ARREARS_H

#include "run/user.h"

/* A start this late counts as begun in time: a thousandth of the interval,
 * at least 50 ms. */
int64_t arrears_limit_ns(const struct plan *plan);

/* After the workers have ended. */
void arrears_collect(const struct worker *workers, size_t n, struct mono opened,
                     struct mono closed, struct rate_result *out);

#endif
