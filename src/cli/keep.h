/* SPDX-License-Identifier: MIT */
/*
 * A run on its way into the results store: what run/ found out, as the rows of
 * store/keep.h.
 */
#ifndef CLI_KEEP_H
#define CLI_KEEP_H

#include "run/run.h"
#include "store/keep.h"
#include "store/results.h"
#include "store/runs.h"

struct run_keeper {
    const char *dir;
    struct store *store; /* NULL: not there yet */
    struct keeper *keeper;
    const struct opt_strs *labels;
    const char *chosen_name; /* by the user; NULL: made of what ran */
    const char *server_name; /* in the name that is made; or NULL */
    char name[RESULTS_NAME_MAX + 1];
};

/* Opens the store in the folder, if there is one; the rest is borrowed.  A
 * name that a stored run has is RC_BUSY. */
MUST_USE enum rc run_keeper_open(struct run_keeper *k, const char *dir,
                                 const char *name,
                                 const struct opt_strs *labels,
                                 struct err *err);
/* A run that began and was not finished stays as "partial". */
void run_keeper_close(struct run_keeper *k);

/* Of the numbered runs in the store. */
MUST_USE enum rc run_keeper_highest(const struct run_keeper *k, uint64_t *out,
                                    struct err *err);
/* Its begin gives the run its name. */
struct series_listener run_keeper_listener(struct run_keeper *k);
/* All intervals are in the store; else the result is partial from now on. */
void run_keeper_settle(struct run_keeper *k, struct run_result *result);
/* json: the summary. */
MUST_USE enum rc run_keeper_finish(struct run_keeper *k,
                                   const struct run_result *result,
                                   const char *json, struct err *err);
/* The run could not be made: nothing of it is kept. */
void run_keeper_drop(struct run_keeper *k);

#endif
