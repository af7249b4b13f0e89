/* SPDX-License-Identifier: MIT */
/*
 * What a plan will need, estimated from what loads were measured to need:
 * before anything runs.
 */
#ifndef LAB_MATRIX_NEEDS_H
#define LAB_MATRIX_NEEDS_H

#include "lab/matrix_plan.h"

struct matrix_needs {
    int64_t time_ns;
    uint64_t disk_bytes;  /* of the run that needs most */
    uint64_t least_bytes; /* of the one that needs least */
    uint64_t free_bytes;
    size_t n_unknown; /* runs whose data nobody has measured */
    char where[512]; /* folder whose disk it is; "": it is not seen from here */
};

MUST_USE enum rc matrix_needs_find(const struct matrix_plan *plan,
                                   struct matrix_needs *out, struct err *err);
/* RC_DB_NO_SPACE with the numbers when not even one run has room. */
MUST_USE enum rc matrix_needs_check(const struct matrix_plan *plan,
                                    struct err *err);

#endif
