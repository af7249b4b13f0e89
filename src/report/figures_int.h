/* SPDX-License-Identifier: MIT */
/*
 * Private to figures.c (what the summary says), figures_series.c (the parts of
 * a run) and figures_properties.c (what it was).
 */
#ifndef REPORT_FIGURES_INT_H
#define REPORT_FIGURES_INT_H

#include "report/figures.h"

/* Percentiles of a transaction that are compared, in the order of the summary.
 */
struct figure_time {
    const char *key; /* in response_us */
    double share;    /* 0: the mean */
};
extern const struct figure_time figure_times[];
extern const size_t n_figure_times;

/* Fills the series of the figures that have one. */
MUST_USE enum rc figures_add_series(struct store *s, struct arena *arena,
                                    struct figures *f, struct err *err);
MUST_USE enum rc figures_add_properties(struct store *s, struct arena *arena,
                                        struct figures *f, struct err *err);

#endif
