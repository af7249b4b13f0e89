/* SPDX-License-Identifier: MIT */
/*
 * Private to keep.c (the queue and its thread) and keep_rows.c (the rows).
 */
#ifndef STORE_KEEP_INT_H
#define STORE_KEEP_INT_H

#include "store/histograms.h"
#include "store/keep.h"
#include "store/store_int.h"

/* An interval as it waits to be written; of constant size. */
struct kept {
    struct interval it;
    uint16_t places[INTERVAL_SAMPLES_MAX]; /* of the samples' names */
    size_t n_names;                        /* that its samples need */
    uint8_t histograms[HISTOGRAMS_BYTES_MAX];
    size_t n_histograms;
};

/* Each in a transaction of its own. */
MUST_USE enum rc keep_head(struct store *s, const struct store_head *head,
                           int64_t *out_run, struct err *err);
/* names: of all samples so far; those from *n_named on are new to the store. */
MUST_USE enum rc keep_interval(struct store *s, int64_t run,
                               const struct kept *kept,
                               const char *const *names, size_t *n_named,
                               struct err *err);
MUST_USE enum rc keep_tail(struct store *s, int64_t run,
                           const struct store_tail *tail, struct err *err);

#endif
