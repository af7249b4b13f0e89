/* SPDX-License-Identifier: MIT */
/*
 * The phases of a run, on the controlling thread: connect, ramp-up, measure,
 * drain.  The interval opens when every user is active and the ramp-up has
 * passed, and ends at a hard deadline, whatever the server does.
 */
#ifndef RUN_PHASES_H
#define RUN_PHASES_H

#include "engine/crew.h"
#include "run/outage.h"
#include "run/series.h"
#include "run/user.h"
#include "telemetry/telemetry.h"

struct phases {
    struct run_shared *shared;
    struct crew *crew;
    struct worker *workers;
    size_t n_workers;
    struct series *series;
    struct telemetry *telemetry; /* NULL: off */
    const enum rc *brake;        /* not RC_OK: end early; NULL: none */

    struct outage outage;

    /* Results. */
    struct mono begun, opened, closed;
    struct self_usage at_open, at_close;
    uint64_t allocations; /* on the run path, in the interval */
    bool allocations_known;
    bool window_opened;
    bool paused;       /* the client stood still in the interval */
    bool hung;         /* users had to be cancelled at the end */
    bool window_full;  /* the whole interval passed, all users active */
    uint64_t n_active; /* users at work when it closed */
    uint64_t n_open;   /* connections then */
    enum rc abort_rc;  /* why it ended early, RC_OK if it did not */
    int stop_signal;   /* the signal that ended it, 0 if none did */
};

/* Returns when all users have ended or have been given up. */
void phases_run(struct phases *p);

#endif
