/* SPDX-License-Identifier: MIT */
/*
 * What `dyno flip` found: a table ordered by effect, and what follows from it.
 * A switch "moved it" when the interval of its ratio leaves out 1; all of them
 * are read together, so intervals are Holm's (comparison.h).
 */
#ifndef REPORT_FLIP_REPORT_H
#define REPORT_FLIP_REPORT_H

#include "report/comparison.h"

#include <stdio.h>

#define FLIP_SCHEMA_VERSION 1

/* A variant that could not be run. */
struct flip_failure {
    const char *name, *reason;
};

/* comparison: the base against the base again (its first side), then each
 * variant that has runs. */
struct flip_findings {
    const struct comparison *comparison;
    const char *id; /* label "flip" of all runs */
    const struct flip_failure *failures;
    size_t n_failures;
    uint64_t rounds, rounds_planned;
    int64_t interval_ns, took_ns;
    bool interrupted;
};

/* At most 80 columns. */
void flip_report_text(const struct flip_findings *f, FILE *out);
void flip_report_markdown(const struct flip_findings *f, FILE *out);
/* docs/flip.schema.json; free with report_json_free(). */
MUST_USE enum rc flip_report_json(const struct flip_findings *f,
                                  char **out_text, struct err *err);

/* The sides in falling order of effect; order holds n_sides places. */
void flip_order(const struct comparison *c, size_t *order);
/* "composition=literal moved it most …": what a reader takes home. */
void flip_conclusion(const struct flip_findings *f, char *out, size_t out_len);
/* "moved it", "noise", "not enough data" */
const char *flip_word(const struct compared_side *side);

#endif
