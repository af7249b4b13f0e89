/* SPDX-License-Identifier: MIT */
/*
 * Integers by the distributions that load scripts ask for, and a permutation
 * of a range.  Distributions are those of pgbench's documentation; the stream
 * is the caller's.  lo <= hi, and hi - lo + 1 does not overflow.
 */
#ifndef STATS_DRAW_H
#define STATS_DRAW_H

#include "base/rng.h"

/* The parameters that make sense. */
#define DRAW_GAUSSIAN_MIN 2.0
#define DRAW_ZIPFIAN_MIN 1.001
#define DRAW_ZIPFIAN_MAX 1000.0

/* Near the middle; within 1 / param of the range lie 67 % of the draws. */
int64_t draw_gaussian(struct rng *r, int64_t lo, int64_t hi, double param);
/* Near lo, falling off with param > 0. */
int64_t draw_exponential(struct rng *r, int64_t lo, int64_t hi, double param);
/* lo + k - 1 is (k / (k + 1)) ^ -s times as likely as lo + k. */
int64_t draw_zipfian(struct rng *r, int64_t lo, int64_t hi, double s);

/* Where value goes in the permutation of 0..size-1 that seed chooses; size > 0.
 * The same as pgbench's. */
int64_t draw_permute(int64_t value, int64_t size, int64_t seed);

#endif
