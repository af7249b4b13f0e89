/* SPDX-License-Identifier: MIT */
/*
 * The series of a run: once in each --interval the controlling thread copies
 * what the workers recorded, subtracts the copy before, and gives the
 * difference to the listeners.  Workers notice nothing
 * (docs/design/recording.md); memory is constant and all of it touched at the
 * start.
 */
#ifndef RUN_SERIES_H
#define RUN_SERIES_H

#include "engine/crew.h"
#include "run/recorder.h"
#include "stats/interval.h"

#define SERIES_LISTENERS_MAX 8

/*
 * Who wants the intervals.  All calls are on the controlling thread, in the
 * order of registration, so who samples (telemetry) comes before who keeps
 * (store).  While a listener works the run is not controlled: what may take
 * more than some milliseconds belongs on a thread of its own.
 */
struct series_listener {
    /* When the run is described and before its first transaction; NULL: not
     * wanted.  A failure ends the run before it begins. */
    enum rc (*begin)(void *arg, const struct run_result *result,
                     struct err *err);
    void (*interval)(void *arg, struct interval *interval);
    void *arg;
};

struct series_listeners {
    struct series_listener items[SERIES_LISTENERS_MAX];
    size_t n;
};

/* More than SERIES_LISTENERS_MAX is a BUG. */
void series_listen(struct series_listeners *list,
                   struct series_listener listener);

struct series_args {
    const struct series_listeners *listeners;
    const struct recorder *recorders; /* one for each worker */
    size_t n_recorders;
    const struct txn_type *types; /* of the workload */
    size_t n_txns;
    int64_t every_ns;
};

struct series;

MUST_USE enum rc series_new(const struct series_args *args, struct series **out,
                            struct err *err);
void series_free(struct series *s); /* NULL is fine */

/* From now on; crew's lag is read, and must live until the last cut. */
void series_begin(struct series *s, const struct crew *crew, struct mono now,
                  enum interval_phase phase);
/* When the next interval is due. */
struct mono series_next(const struct series *s);
/*
 * Ends the interval at `end`, which is now or a moment ago, and tells the
 * listeners.  The next one is in `phase`.
 */
void series_cut(struct series *s, struct mono end, uint64_t users_active,
                enum interval_phase phase);
/* The lag of the loops, summed over the intervals in PHASE_MEASURE. */
const struct hist *series_lag(const struct series *s);

#endif
