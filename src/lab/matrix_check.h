/* SPDX-License-Identifier: MIT */
/* The variants of a plan, as far as they can be looked at without a server. */
#ifndef LAB_MATRIX_CHECK_H
#define LAB_MATRIX_CHECK_H

#include "lab/matrix_plan.h"

/* RC_USAGE with the line and the key: an option of a variant has no such value,
 * goes not with the others, or not with the variant's kind of database. */
MUST_USE enum rc matrix_check(const struct matrix_plan *plan, struct err *err);

#endif
