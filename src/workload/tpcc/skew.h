/* SPDX-License-Identifier: MIT */
/*
 * The values of a NURand field in a few groups that are about equally likely,
 * the most frequent values first: what is counted of the draws, and what the
 * audit compares with the theoretical distribution.
 */
#ifndef WORKLOAD_TPCC_SKEW_H
#define WORKLOAD_TPCC_SKEW_H

#include "base/err.h"

enum {
    SKEW_GROUPS = 64,
};

struct skew {
    const uint8_t *groups; /* of each value, the field's first on; borrowed */
    /* How often a group comes up, out of the sum of all. */
    uint64_t weights[SKEW_GROUPS];
    size_t n_hot; /* so many first groups are the fifth drawn most */
};

/* A field of clause 2.1.6: NURand(a, x, y). */
struct skew_field {
    uint64_t a, x, y;
};

/* With the constant c; fills groups, which has room for y - x + 1. */
MUST_USE enum rc skew_init(struct skew *s, uint8_t *groups,
                           const struct skew_field *field, uint64_t c,
                           struct err *err);

#endif
