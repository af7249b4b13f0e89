/* SPDX-License-Identifier: MIT */
/*
 * Keeping a run while it goes on.  Each interval is a transaction of its own,
 * made by a thread of the keeper: a slow or full disk never holds up the run.
 * What waits to be written is in a queue of constant size; a write that fails
 * is tried again with the next interval, and only when the queue is full is
 * the oldest given up, and counted.
 *
 * Calls come from one thread.  From keeper_begin() to keeper_free() the store
 * belongs to the keeper.
 */
#ifndef STORE_KEEP_H
#define STORE_KEEP_H

#include "stats/interval.h"
#include "store/store.h"

struct store_text {
    const char *name, *value, *source; /* value may be NULL */
};

/* What is known before the first transaction; borrowed for the call. */
struct store_head {
    const char *name;
    uint64_t number; /* 0: the user chose the name */
    const char *workload, *composition, *note, *driver, *target, *version;
    const char *counted; /* the transaction of NOPM, or NULL */
    bool in_process, no_database;
    uint64_t scale, vus, connections, threads, seed, data_seed;
    int64_t started_us;
    const char *const *txns;
    size_t n_txns;
    const struct store_text *settings, *labels, *facts;
    size_t n_settings, n_labels, n_facts;
};

struct store_error {
    const char *name, *class, *sqlstate, *text;
    int native;
    uint64_t count;
};

struct store_check {
    const char *name, *title, *verdict, *detail;
    uint64_t n_checked, n_failed;
};

struct store_hist {
    const char *name, *kind;
    const struct hist *hist;
};

struct store_statement {
    const char *txn, *call, *name; /* name may be NULL */
    const struct hist *hist;
};

/* What is known at the end; borrowed for the call. */
struct store_tail {
    bool complete, valid;
    const char *reason; /* NULL when complete */
    int64_t ended_us, ramp_up_us, interval_us;
    double tps, nopm; /* negative: there is none */
    const char *summary, *text, *markdown;
    const struct store_error *errors;
    const struct store_check *checks;
    const struct store_hist *hists;
    const struct store_statement *statements;
    size_t n_errors, n_checks, n_hists, n_statements;
};

struct keeper;

/* RC_BUSY when a run of that name is there. */
MUST_USE enum rc keeper_begin(struct store *s, const struct store_head *head,
                              struct keeper **out, struct err *err);
void keeper_interval(struct keeper *k, const struct interval *it);
/* Waits until all intervals are written; where they cannot be, tries once more
 * with the room that was set aside.  A failure says how many are lost. */
MUST_USE enum rc keeper_settle(struct keeper *k, struct err *err);
/* After keeper_settle(). */
MUST_USE enum rc keeper_finish(struct keeper *k, const struct store_tail *tail,
                               struct err *err);
/* Removes the run again: it could not be made. */
void keeper_drop(struct keeper *k);
/* A run that was neither finished nor dropped is "partial" from now on.  NULL
 * is fine. */
void keeper_free(struct keeper *k);

#endif
