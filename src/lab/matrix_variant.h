/* SPDX-License-Identifier: MIT */
/*
 * What one run of a plan is given: options, labels, the data it needs.
 */
#ifndef LAB_MATRIX_VARIANT_H
#define LAB_MATRIX_VARIANT_H

#include "lab/matrix_state.h"
#include "lab/venue.h"

#define MATRIX_TEXTS_MAX 256

/* Texts live in the arena. */
struct matrix_variant {
    struct arena arena;
    struct variant_text options[MATRIX_TEXTS_MAX], labels[MATRIX_AXES_MAX + 4];
    struct variant_text load[MATRIX_TEXTS_MAX];
    struct variant_text settings[MATRIX_AXES_MAX];
    size_t n_options, n_labels, n_load, n_settings;
    const char *preset; /* NULL: the server's */
};

MUST_USE enum rc matrix_variant_make(const struct matrix_plan *plan,
                                     const struct matrix_run *run,
                                     struct matrix_variant *out,
                                     struct err *err);
void matrix_variant_release(struct matrix_variant *v);
/* Borrows v. */
struct venue_want matrix_variant_want(const struct matrix_plan *plan,
                                      const struct matrix_run *run,
                                      const struct matrix_variant *v);

#endif
