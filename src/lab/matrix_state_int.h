/* SPDX-License-Identifier: MIT */
/*
 * Private to matrix_state.c and matrix_state_load.c: the journal's lines.
 *
 *     plan 1 ID HASH RUNS
 *     begin RUN ATTEMPT
 *     end RUN ATTEMPT OUTCOME SECONDS NAME REASON
 *     done
 */
#ifndef LAB_MATRIX_STATE_INT_H
#define LAB_MATRIX_STATE_INT_H

#include "lab/matrix_state.h"

#define JOURNAL_FILE "journal"

/* By enum variant_outcome. */
extern const char *const matrix_outcome_words[];

/* *out_empty: nothing was begun. */
MUST_USE enum rc matrix_state_load(struct matrix_state *s, uint64_t hash,
                                   bool *out_empty, struct err *err);

#endif
