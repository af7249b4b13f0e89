/* SPDX-License-Identifier: MIT */
/*
 * A plan, run: each of its runs in order, whatever becomes of the others.
 */
#ifndef LAB_MATRIX_LOOP_H
#define LAB_MATRIX_LOOP_H

#include "lab/matrix_state.h"
#include "lab/venue.h"

/* What can be known before anything runs: servers, hooks, room.  The error
 * names file and line. */
MUST_USE enum rc matrix_preflight(const struct matrix_plan *plan,
                                  struct err *err);

/*
 * Runs what has not ended.  A run that fails is recorded and the next one
 * made; RC_CANCELLED: a stop was requested, the rest waits for --resume.
 * Another failure is one of the plan itself (its journal cannot be written).
 */
MUST_USE enum rc matrix_loop(const struct matrix_plan *plan,
                             struct matrix_state *state, struct err *err);

/* The value that an option has in a cell: its axis, the server's, that of all
 * runs; NULL: the default of `dyno run`. */
const char *matrix_cell_option(const struct matrix *m,
                               const struct matrix_cell *cell,
                               const char *option);
/* Ramp-up and interval; what is done by a number of transactions is not
 * known and counts nothing. */
int64_t matrix_cell_ns(const struct matrix *m, const struct matrix_cell *cell);

#endif
