/* SPDX-License-Identifier: MIT */
/*
 * Whether counts follow the shares that are expected of them: the chi-square
 * test of Pearson.  Neighbouring cells are put together until enough is
 * expected of each, since the test is only then what it says.
 */
#ifndef STATS_FIT_H
#define STATS_FIT_H

#include "base/base.h"

/* What must be expected of a cell, in draws. */
#define FIT_EXPECTED_MIN 20

struct fit {
    uint64_t n;       /* draws */
    size_t n_cells;   /* as put together; degrees of freedom and one */
    double chisq, p;  /* p: the chance of a chi-square of at least this */
    size_t worst;     /* the first cell of those that are furthest off */
    size_t worst_end; /* one behind the last of them */
    uint64_t worst_seen;
    double worst_expected;
};

/* seen[i] of the draws fell into cell i, whose share is weights[i] of all
 * weights (NULL: all the same).  A cell of weight 0 must stay empty.  False
 * when there are too few draws to fill two cells. */
bool fit_test(const uint64_t *seen, const uint64_t *weights, size_t n_cells,
              struct fit *out);

#endif
