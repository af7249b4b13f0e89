/* SPDX-License-Identifier: MIT */
/*
 * Zipf's distribution over 1..n: k is as likely as k ^ -s, for any s > 0 but
 * 1.  By rejection-inversion (Hörmann, Derflinger 1996): no table, and n may
 * change at the cost of a few functions.
 */
#ifndef STATS_ZIPF_H
#define STATS_ZIPF_H

#include "base/rng.h"

struct zipf {
    uint64_t n;
    double s;
    double from, to, near; /* constants of the method */
};

void zipf_init(struct zipf *z, uint64_t n, double s);
uint64_t zipf_draw(const struct zipf *z, struct rng *r);

#endif
