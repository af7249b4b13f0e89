/* SPDX-License-Identifier: MIT */
/*
 * One run of an experiment, as a process of its own (`dyno run …` of this
 * program): whatever becomes of it, the experiment goes on.  The database is
 * there already; its run is found in the results store afterwards.  Why a
 * process: docs/design/matrix.md.
 */
#ifndef LAB_VARIANT_H
#define LAB_VARIANT_H

#include "lab/job.h"
#include "store/results.h"

/* An option of `dyno run` ("ramp_up" or "ramp-up"), or a label. */
struct variant_text {
    const char *name, *value;
};

/* All texts are borrowed. */
struct variant {
    const char *workload;
    const char *url;     /* handed over where other users do not see it */
    const char *server;  /* stands in the run's name; NULL: the driver's */
    const char *results; /* folder */
    const struct variant_text *options, *labels;
    size_t n_options, n_labels;
    /* A label too, with a value that no other run of the folder has: the run
     * is found by it. */
    struct variant_text tag;
    const char *log;        /* file to which it says what it says */
    const char *around;     /* a command put before it, as in "perf record"; or
                             * NULL */
    const char *const *env; /* "NAME=VALUE", added; ends with NULL; or NULL */
    int keep_fd;            /* see job.h; -1: none */
    job_poll_fn *poll;      /* called about once a second; or NULL */
    void *arg;
};

#define VARIANT_OUTCOMES(X)          \
    X(VALID, "valid")                \
    X(THRESHOLD, "threshold failed") \
    X(NOT_VALID, "not valid")        \
    X(PARTIAL, "ended early")        \
    X(FAILED, "failed")              \
    X(INTERRUPTED, "interrupted")

enum variant_outcome {
#define X(name, text) VARIANT_##name,
    VARIANT_OUTCOMES(X)
#undef X
};
const char *variant_outcome_text(enum variant_outcome o);

struct variant_result {
    enum variant_outcome outcome;
    struct job_end end;
    int64_t run; /* id in the store; 0: there is none */
    char name[RESULTS_NAME_MAX + 1];
    char reason[512]; /* "" when valid */
};

/* A failure is one of the experiment (no process, no store); what goes wrong
 * in the run is its outcome. */
MUST_USE enum rc variant_run(const struct variant *v,
                             struct variant_result *out, struct err *err);

/* Work on the data of a run: a `dyno load …` or `dyno audit …` of its own; what
 * does not end well is a failure with the last that it said. */
struct variant_data {
    const char *command; /* "load", "audit"; both audit quickly */
    const char *workload, *url;
    const struct variant_text *options;
    size_t n_options;
    const char *log;
    int keep_fd;
    job_poll_fn *poll;
    void *arg;
};
MUST_USE enum rc variant_data(const struct variant_data *d, struct err *err);

/*
 * The result of a run that was made before, by its tag; RC_NOT_FOUND when
 * there is none.  A run that did not end is VARIANT_PARTIAL.
 */
MUST_USE enum rc variant_find(const char *results, const char *tag,
                              struct variant_result *out, struct err *err);
/* Removes the run and its summary. */
MUST_USE enum rc variant_forget(const char *results,
                                const struct variant_result *r,
                                struct err *err);

#endif
