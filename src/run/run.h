/* SPDX-License-Identifier: MIT */
/*
 * One run on loaded data: users connect, ramp up, are measured, drain; then
 * the accounting, the audit and the verdict.
 */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "run/config.h"
#include "run/result.h"
#include "run/series.h"
#include "run/session.h"

/* With it a listener of the series ends the run in order: on the controlling
 * thread, by setting rc and a text for people. */
struct run_brake {
    enum rc rc; /* RC_OK: go on */
    char text[200];
};

struct run_args {
    const struct run_cfg *cfg;
    uint64_t threads;    /* 0: the number of cores */
    bool quiet;          /* no lines of progress */
    const char *results; /* folder, whose disk is looked at; NULL: none */
    /* Who wants the series; NULL: nobody does. */
    const struct series_listeners *listeners;
    const struct run_brake *brake; /* NULL: there is none */
};

/* Tells the driver what the options wish of it; what the database cannot do is
 * an error here, before anything is loaded. */
MUST_USE enum rc run_configure(struct session *s, const struct run_cfg *cfg,
                               struct err *err);
/* As run_configure(), as far as it goes without the server. */
MUST_USE enum rc run_check(struct session *s, const struct run_cfg *cfg,
                           struct err *err);

/*
 * Fills a result that result_init() made.  RC_OK when a result exists, valid
 * or not, complete or not; an error when the run could not be made at all.
 * When threads had to be abandoned (result_abandoned()), the session's
 * connections may still be in use: report, then end the process without
 * closing the session.
 */
MUST_USE enum rc run_workload(struct session *s, const struct run_args *args,
                              struct run_result *result, struct err *err);

#endif
