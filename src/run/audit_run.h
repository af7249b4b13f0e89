/* SPDX-License-Identifier: MIT */
/*
 * The audit of a session's data, and of a run: what was drawn, what the client
 * and the database count, and the data.
 */
#ifndef RUN_AUDIT_RUN_H
#define RUN_AUDIT_RUN_H

#include "run/config.h"
#include "run/result.h"
#include "run/session.h"

/* The data alone (dyno audit, dyno load); audit is initialised and says what
 * is wanted. */
MUST_USE enum rc run_audit(struct session *s, struct audit *audit,
                           struct err *err);

/* What the audit of a run is made of. */
struct audit_args {
    const struct run_cfg *cfg;
    struct vu *const *vus; /* of its users, NULL when there is no memory */
    size_t n_vus;
    const struct err *why_not; /* known to be in its way, or NULL */
    bool quiet;
};

/* Fills result->audit, when one is wanted.  What cannot be checked has
 * failed. */
void audit_run(struct session *s, const struct audit_args *args,
               struct run_result *result);

#endif
