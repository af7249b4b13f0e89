/* SPDX-License-Identifier: MIT */
/*
 * What came out of a plan: a row for each variant, absolute and relative to
 * the one that the file names as the base.
 */
#ifndef CLI_MATRIX_TABLE_H
#define CLI_MATRIX_TABLE_H

#include "lab/matrix_state.h"

#include <stdio.h>

enum matrix_format { MATRIX_TEXT, MATRIX_MARKDOWN, MATRIX_CSV };

MUST_USE enum rc matrix_table_print(const struct matrix_plan *plan,
                                    const struct matrix_state *state,
                                    enum matrix_format format, FILE *out,
                                    struct err *err);

/* The plan, before it is run: its runs in order. */
void matrix_plan_print(const struct matrix_plan *plan, FILE *out);

#endif
