/* SPDX-License-Identifier: MIT */
/*
 * Student's t distribution: what confidence intervals of few runs need.
 */
#ifndef STATS_STUDENT_H
#define STATS_STUDENT_H

#include "base/base.h"

/* P(|T| > |t|) for df > 0 degrees of freedom, which need not be whole; 1 for
 * t = 0.  Abramowitz and Stegun 26.5.27: a regularised incomplete beta. */
double student_two_sided(double t, double df);

/* The t with P(|T| > t) = p, 0 < p < 1, to a relative 1e-9. */
double student_quantile(double p, double df);

#endif
