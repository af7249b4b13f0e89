/* SPDX-License-Identifier: MIT */
/*
 * The runs in a store: which there are, what is kept of one, removing and
 * copying them.  Texts live in the caller's arena.
 */
#ifndef STORE_RUNS_H
#define STORE_RUNS_H

#include "base/arena.h"
#include "stats/interval.h"
#include "store/store.h"

/* Numbers that are not known are negative. */
struct stored_run {
    int64_t id;
    const char *uuid, *name;
    int64_t number;
    const char *status; /* "running", "complete", "partial" */
    const char *reason; /* NULL: none */
    int valid;          /* 1, 0, or -1: no verdict */
    const char *workload, *composition, *note, *driver, *target;
    const char *seed, *data_seed, *counted, *version, *host;
    bool in_process, no_database;
    int64_t scale, vus, connections, threads;
    int64_t started_us, ended_us, ramp_up_us, interval_us;
    double tps, nopm;
};

/* What is NULL or 0 filters nothing. */
struct store_filter {
    const char *name; /* with * and ? */
    const char *workload;
    const char *const *labels; /* "key=value", all of them */
    size_t n_labels;
    uint64_t latest; /* that many, the latest */
};

/* In the order of their start. */
MUST_USE enum rc store_list(struct store *s, const struct store_filter *filter,
                            struct arena *arena, struct stored_run **out,
                            size_t *out_n, struct err *err);
/* By name, by number, or "latest"; what is not there is RC_NOT_FOUND with the
 * nearest name. */
MUST_USE enum rc store_find(struct store *s, const char *word,
                            struct arena *arena, struct stored_run *out,
                            struct err *err);
/* Of the names NNN_…; 0 when there is none. */
MUST_USE enum rc store_highest_number(struct store *s, uint64_t *out,
                                      struct err *err);
MUST_USE enum rc store_has_name(struct store *s, const char *name, bool *out,
                                struct err *err);

enum stored_body { STORED_SUMMARY, STORED_TEXT, STORED_MARKDOWN };

/* *out is NULL when the run did not get that far. */
MUST_USE enum rc store_body(struct store *s, int64_t run,
                            enum stored_body which, struct arena *arena,
                            const char **out, struct err *err);

enum stored_list {
    STORED_SETTINGS,
    STORED_FACTS,
    STORED_LABELS,
    STORED_TXNS,    /* value is NULL */
    STORED_SAMPLES, /* the names of telemetry */
};

/* value and source may be NULL; valid until the call returns. */
typedef enum rc stored_text_fn(void *arg, const char *name, const char *value,
                               const char *source, struct err *err);
MUST_USE enum rc store_each_text(struct store *s, int64_t run,
                                 enum stored_list which, stored_text_fn *fn,
                                 void *arg, struct err *err);

/* One value of the summary (docs/summary.md),
 * "$.server.cpu_us_per_transaction"; not there: NULL, or a negative number. */
MUST_USE enum rc store_summary_text(struct store *s, int64_t run,
                                    const char *path, struct arena *arena,
                                    const char **out, struct err *err);
MUST_USE enum rc store_summary_number(struct store *s, int64_t run,
                                      const char *path, double *out,
                                      struct err *err);

/* The intervals in order, as the listeners of the run saw them; of the wait
 * times only the sum is kept.  drop_bits says what the histograms lack
 * (store/histograms.h); the figures are exact all the same. */
typedef enum rc stored_interval_fn(void *arg, const struct interval *it,
                                   unsigned drop_bits, struct err *err);
MUST_USE enum rc store_each_interval(struct store *s, int64_t run,
                                     stored_interval_fn *fn, void *arg,
                                     struct err *err);

/* How many there are, or those of the measurement; does not read them. */
MUST_USE enum rc store_count_intervals(struct store *s, int64_t run,
                                       bool measured, size_t *out,
                                       struct err *err);

/* Adds the histogram of the whole run; RC_NOT_FOUND, without a text, when
 * there is none. */
MUST_USE enum rc store_hist(struct store *s, int64_t run, const char *name,
                            const char *kind, struct hist *h, struct err *err);

/* A run that goes on is refused (RC_BUSY). */
MUST_USE enum rc store_remove(struct store *s, const struct stored_run *run,
                              struct err *err);

/* Copies a run to another store.  One that is there already (the same uuid) is
 * left alone and *out_name is NULL; a name that another run has is changed, and
 * *out_name is the one it got. */
MUST_USE enum rc store_copy(struct store *from, const struct stored_run *run,
                            struct store *to, struct arena *arena,
                            const char **out_name, struct err *err);

#endif
