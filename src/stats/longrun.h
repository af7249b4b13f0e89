/* SPDX-License-Identifier: MIT */
/*
 * The mean of a series whose values are like their neighbours, and how well it
 * is known.
 */
#ifndef STATS_LONGRUN_H
#define STATS_LONGRUN_H

#include "base/base.h"

struct longrun {
    double mean, variance; /* variance of the mean */
    double independent;    /* values that carry as much as these */
};

/* n >= 2. */
struct longrun longrun_of(const double *x, size_t n);

#endif
