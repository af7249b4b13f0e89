/* SPDX-License-Identifier: MIT */
/*
 * Several sides that were all run once in each of some rounds: which differ
 * from the first?  What a round had in common (the machine was busy) is taken
 * out, and the noise is estimated from all sides together, so that few rounds
 * of many sides say more than each pair alone.
 */
#ifndef STATS_ROUNDS_H
#define STATS_ROUNDS_H

#include "stats/compare.h"

#define ROUNDS_SIDES_MAX 64
#define ROUNDS_CELLS_MAX 4096

/*
 * values[side * n_rounds + round], all > 0; out[side], of which that of side 0
 * is not touched.  Needs two sides and two rounds; else, and beyond the
 * maxima, all are COMPARE_NO_DATA.
 */
void compare_rounds(const double *values, size_t n_sides, size_t n_rounds,
                    double level, struct compare_result *out);

#endif
