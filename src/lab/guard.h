/* SPDX-License-Identifier: MIT */
/*
 * The disk guard: a run that would not fit is refused before it starts, and
 * one that runs out of disk is ended in order before the server fails.
 *
 * What is watched is the file system of the data, whoever fills it: the
 * server's data, WAL and logs, dyno's results, others.  Where that cannot be
 * seen from here, nothing is.
 */
#ifndef LAB_GUARD_H
#define LAB_GUARD_H

#include "run/run.h"

/* What a run takes beside the data that is there. */
struct guard_needs {
    uint64_t n_txns;       /* that it may make */
    bool assumed;          /* by time alone: so many a core */
    uint64_t growth_bytes; /* of the data by them; 0: not known */
    uint64_t log_bytes;    /* that the server's logs may still take */
    uint64_t spare_bytes;  /* that must be left at the end */
};

/* log_bytes: see there; 0 when it is not known. */
void guard_estimate(const struct dataset *ds, const struct run_cfg *cfg,
                    uint64_t log_bytes, struct guard_needs *out);
static inline uint64_t guard_total(const struct guard_needs *n)
{
    return n->growth_bytes + n->log_bytes + n->spare_bytes;
}

struct guard {
    char where[256]; /* the disk, for people; empty: it cannot be seen */
    char path[256];  /* of something on it */
    struct run_brake brake;
    uint64_t free_bytes, spare_bytes;
    uint64_t lost[8]; /* in the latest intervals, a ring */
    size_t n_looks;
};

/* Looks where the data is.  RC_DB_NO_SPACE, with the numbers, when a run of
 * these needs does not fit. */
MUST_USE enum rc guard_begin(struct guard *g, struct session *s,
                             struct guard_needs *needs, struct err *err);
/* For run_args.listeners, with &g->brake as run_args.brake. */
struct series_listener guard_listener(struct guard *g);

#endif
