/* SPDX-License-Identifier: MIT */
/*
 * How far a plan is, on the disk: a folder RESULTS/matrix/NAME (or NAME-2, …
 * when that plan was done before) with the journal and a log of each run.
 */
#ifndef LAB_MATRIX_STATE_H
#define LAB_MATRIX_STATE_H

#include "lab/journal.h"
#include "lab/matrix_plan.h"

#define MATRIX_ID_BYTES 20

enum matrix_step { STEP_WAITING, STEP_BEGUN, STEP_ENDED };

/* What is known of one run of the plan. */
struct matrix_record {
    enum matrix_step step;
    unsigned attempt; /* the latest, from 1; 0: none yet */
    enum variant_outcome outcome;
    int64_t seconds;                 /* that it took in all; 0: not known */
    char name[RESULTS_NAME_MAX + 1]; /* of the stored run; "": none */
    char reason[256];
};

struct matrix_state {
    struct journal *journal;
    char *dir, *results;
    char id[MATRIX_ID_BYTES];      /* of this plan; its runs' labels have it */
    struct matrix_record *records; /* by the plan's order */
    size_t n;
    bool resumed, done;
};

enum matrix_begin {
    MATRIX_NEW,    /* refused when there is one that is not done */
    MATRIX_RESUME, /* or new, when there is none */
    MATRIX_ANEW,   /* one that is not done is left as it is */
};

/* RC_BUSY: another process is at it; when resuming, that is waited for, since
 * it may be a run that ends.  RC_INVALID: the file's plan is not the one that
 * was begun. */
MUST_USE enum rc matrix_state_open(const char *results,
                                   const struct matrix_plan *plan,
                                   enum matrix_begin how,
                                   struct matrix_state **out, struct err *err);
void matrix_state_free(struct matrix_state *s); /* NULL is fine */

/* What was in the middle when the plan was interrupted: a run that is stored
 * complete has ended; what is there of another is removed, and it is to be
 * run again. */
MUST_USE enum rc matrix_state_settle(struct matrix_state *s, struct err *err);
/* Runs that failed or ended early are to be run again. */
void matrix_state_retry(struct matrix_state *s);

/* The label by which the latest attempt of run k is found: "ID/k/attempt". */
void matrix_state_tag(const struct matrix_state *s, size_t k, char *out,
                      size_t out_len);

MUST_USE enum rc matrix_state_begin(struct matrix_state *s, size_t k,
                                    struct err *err);
MUST_USE enum rc matrix_state_end(struct matrix_state *s, size_t k,
                                  const struct variant_result *result,
                                  int64_t seconds, struct err *err);
/* All are ended. */
MUST_USE enum rc matrix_state_done(struct matrix_state *s, struct err *err);

#endif
