/* SPDX-License-Identifier: MIT */
/*
 * How likely chance alone is to come out as far off as what was seen: the
 * smaller, the less the hypothesis is to be believed.  In 0..1; good to many
 * digits also far out in the tails, where the tests of the audit look.
 */
#ifndef STATS_PVALUE_H
#define STATS_PVALUE_H

#include "base/base.h"

/* A chi-square of at least x with this many degrees of freedom (> 0). */
double pvalue_chisq(double x, uint64_t degrees);

/* k of n where each comes up with probability p, or further off: twice the
 * smaller tail, at most 1.  k <= n, 0 < p < 1. */
double pvalue_binomial(uint64_t k, uint64_t n, double p);

/* Student's t of at least |t|, either way, with df > 0 degrees of freedom,
 * which need not be whole; 1 for t = 0. */
double pvalue_student(double t, double df);

/* The other way round: the t > 0 of which that chance is p, 0 < p < 1, to a
 * relative 1e-9. */
double quantile_student(double p, double df);

#endif
