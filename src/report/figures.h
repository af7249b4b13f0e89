/* SPDX-License-Identifier: MIT */
/*
 * What one stored run measured, as figures that can be put beside those of
 * other runs.  A figure's name is its place in the summary (docs/summary.md):
 * "throughput.nopm", "transactions.payment.response_us.p99".  What was not
 * measured has no figure.
 *
 * Texts and figures live in the caller's arena.
 */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include "run/result.h"
#include "store/runs.h"

enum figure_kind {
    FIGURE_RATE, /* more is better: throughput */
    FIGURE_TIME, /* less is better: response times, us */
    FIGURE_COST, /* for each transaction */
    FIGURE_WAIT, /* sessions that waited for this event, mean */
};

struct figure {
    const char *name;
    enum figure_kind kind;
    double value;
    /* The same of parts of the run that follow each other: its intervals, or
     * blocks of them.  NULL when it was not asked for or is not known. */
    double *series;
    size_t n_series;
};

/* What a run can be grouped by, and may differ in from another. */
enum property_kind {
    PROPERTY_RUN, /* composition, scale, vus, server … as they were */
    PROPERTY_LABEL,
    PROPERTY_SETTING, /* of dyno, as given */
    PROPERTY_FACT,    /* the server's own settings */
};

struct property {
    enum property_kind kind;
    const char *name, *value; /* value is never NULL */
};

struct figures {
    struct stored_run run;
    bool valid, has_data;
    const char *reasons; /* against validity, "a, b"; "" when there are none */
    bool not_steady, client_bound;
    bool planned_rate; /* --rate or --pacing: throughput was given */
    struct figure *all;
    size_t n;
    struct property *properties;
    size_t n_properties;
};

/* with_series: also the parts of the run, which takes a look at each of its
 * intervals. */
MUST_USE enum rc figures_read(struct store *s, const struct stored_run *run,
                              bool with_series, struct arena *arena,
                              struct figures *out, struct err *err);

/* NULL when the run has none of that name. */
const struct figure *figures_find(const struct figures *f, const char *name);
/* A label wins over a setting, that over a fact; PROPERTY_RUN over all.  NULL
 * when there is none. */
const char *figures_property(const struct figures *f, const char *name);

#endif
