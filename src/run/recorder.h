/* SPDX-License-Identifier: MIT */
/*
 * What one worker records.  Written by its worker only, with relaxed stores;
 * read by anybody at any time (docs/design/recording.md).  Size is constant.
 */
#ifndef RUN_RECORDER_H
#define RUN_RECORDER_H

#include "run/result.h"
#include "run/step_stats.h"

#define RECORDER_ERRORS_MAX 16
/* Errors by code: class -rc. */
#define RECORDER_CLASSES 40

/* The counters of enum below, as one array so that they are added and copied
 * by one loop. */
enum counter {
    COUNT_COMMITTED,
    COUNT_ROLLED_BACK,
    COUNT_FAILED,
    COUNT_UNKNOWN,
    COUNT_RETRIES,
    COUNT_STATEMENTS,
    COUNT_ROUND_TRIPS,
    COUNT_BYTES_SENT,
    COUNT_BYTES_RECEIVED,
    COUNT_WAIT_NS,      /* all waiting in dyno's own queues, of which: */
    COUNT_LATE_NS,      /* after the planned start */
    COUNT_CONN_WAIT_NS, /* for a connection of the pool */
    N_COUNTERS,
};

/* The durations that are recorded of each transaction, as one array for the
 * same reason. */
enum timing {
    TIME_RESPONSE, /* from the intended start to the final outcome */
    TIME_SERVICE,  /* response less waiting in dyno's own queues */
    TIME_WAIT,     /* that waiting; only of those that waited */
    N_TIMINGS,
};

struct txn_record {
    _Atomic uint64_t life[N_COUNTERS];     /* since the first transaction */
    _Atomic uint64_t measured[N_COUNTERS]; /* in the interval */
    struct hist *times[N_TIMINGS];         /* in the interval */
};

/* Made in one piece for each worker. */
struct recorder {
    struct txn_record txns[RESULT_TXNS_MAX];
    size_t n_txns;
    struct step_stats *steps;                     /* NULL: not asked for */
    struct run_error errors[RECORDER_ERRORS_MAX]; /* read after the end */
    size_t n_errors;
    uint64_t errors_not_listed;
    _Atomic uint64_t classes[RECORDER_CLASSES];
    _Atomic uint64_t n_begun, n_ended; /* transactions */
};

/* One transaction that ended. */
struct txn_event {
    size_t txn;
    enum counter outcome; /* COMMITTED, ROLLED_BACK, FAILED or UNKNOWN */
    bool measured;        /* ended in the interval */
    uint64_t retries;
    /* Of the first try. */
    uint64_t statements, round_trips, bytes_sent, bytes_received;
    int64_t response_ns, wait_ns;
    int64_t late_ns, conn_wait_ns; /* parts of wait_ns */
};

/* All memory is touched here, so that none appears during the run. */
MUST_USE enum rc recorder_init(struct recorder *r, size_t n_txns,
                               struct err *err);
void recorder_release(struct recorder *r); /* the zero state is fine */

/* A transaction begins; it ends with recorder_add(). */
void recorder_begin(struct recorder *r);
void recorder_add(struct recorder *r, const struct txn_event *e);
/* What makes two errors one kind. */
struct error_kind {
    size_t txn;
    enum rc rc;
    int native;
    const char *sqlstate;
};
/* Counts an error; text (may be NULL) is called for the first of its kind. */
typedef void error_text_fn(const void *arg, struct err *err);
void recorder_error(struct recorder *r, const struct error_kind *kind,
                    error_text_fn *text, const void *arg);

/* The counters of one transaction over workers at one moment. */
struct recorder_sum {
    uint64_t life[N_COUNTERS], measured[N_COUNTERS];
};
void recorder_sum_add(struct recorder_sum *sum, const struct recorder *r,
                      size_t txn);

/* Adds a worker's record to the result. */
void recorder_collect(const struct recorder *r, struct run_result *out);

#endif
