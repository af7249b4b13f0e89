/* SPDX-License-Identifier: MIT */
/*
 * The plan of a matrix: its variants, each as often as the file says, in the
 * order in which they run.  The same file always gives the same plan.
 */
#ifndef LAB_MATRIX_PLAN_H
#define LAB_MATRIX_PLAN_H

#include "lab/matrix_file.h"

#define MATRIX_RUNS_MAX 10000

/* A point of the matrix. */
struct matrix_cell {
    const struct matrix_server *server;
    const char *const *values; /* by axis; NULL: the axis is not set */
};

struct matrix_run {
    const struct matrix_cell *cell;
    uint64_t repeat; /* from 1 */
};

struct matrix_plan {
    const struct matrix *m;
    struct arena arena;
    const struct matrix_cell *cells;
    size_t n_cells;
    const struct matrix_run *runs; /* in order */
    size_t n_runs;
};

/* Borrows m.  RC_USAGE: nothing is left to run, too much, or what cannot be
 * combined; an `exclude:` that excludes nothing is only warned of. */
MUST_USE enum rc matrix_plan_make(const struct matrix *m,
                                  struct matrix_plan *out, struct err *err);
void matrix_plan_release(struct matrix_plan *p);

/* "server=pg vus=4 connections=vus/2", without axes that have one value only
 * when short.  Borrows nothing; cut when it does not fit. */
void matrix_cell_text(const struct matrix *m, const struct matrix_cell *cell,
                      bool all, char *out, size_t out_len);
/* The same for equal plans: of all that decides what is run, and of nothing
 * secret. */
uint64_t matrix_plan_hash(const struct matrix_plan *p);

/* The cell that this one is relative to; NULL when there is none, or it is
 * its own. */
const struct matrix_cell *matrix_cell_base(const struct matrix_plan *p,
                                           const struct matrix_cell *cell);

#endif
