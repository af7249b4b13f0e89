/* SPDX-License-Identifier: MIT */
/*
 * Which runs are repeats of one another: what the runs of a report differ in
 * ("axes"), and the groups with equal values ("variants").
 */
#ifndef REPORT_HTML_VARIANTS_H
#define REPORT_HTML_VARIANTS_H

#include "report/figures.h"

#define AXES_MAX 12

struct axis {
    const char *name;
    const char **values; /* of each run; "-" where it has none */
};

/* As the reader gave them. */
struct axis_names {
    const char *const *names;
    size_t n;
};

struct variants {
    struct axis axes[AXES_MAX];
    size_t n_axes;
    size_t *of_run; /* the variant of each run, numbered by first appearance */
    size_t n;
};

/*
 * With names, exactly those are the axes; a name that no run has is RC_USAGE,
 * with the nearest that there is.  Without, every difference that splits the
 * runs further is one, but for those that say nothing of the measurement
 * (where results go) and those that tell repeats apart (the seed).
 */
MUST_USE enum rc variants_find(const struct figures *runs, size_t n,
                               const struct axis_names *names,
                               struct arena *arena, struct variants *out,
                               struct err *err);

#endif
