/* SPDX-License-Identifier: MIT */
/*
 * What could distort a measurement here, looked at before it: the machine, the
 * way to the server, its settings.  Findings are warnings at most, never
 * refusals.  `dyno check` looks at all of it, a run at what is cheap.
 *
 * The database's part is SQL in sql/check/DIALECT/, each file optional:
 *
 *   round_trip.sql      -> any row; the cheapest statement
 *   commit.sql          -> any row; a statement that commits a tiny change
 *   commit_prepare.sql  a script that makes what commit.sql needs,
 *   commit_remove.sql   and one that removes it
 *   settings.sql        -> (name, value, why, advice): those that distort
 *   limits.sql          -> (allowed, reserved, used): connections
 *   data_directory.sql  -> (path)
 */
#ifndef RUN_PREFLIGHT_H
#define RUN_PREFLIGHT_H

#include "base/err.h"

#define FINDINGS_MAX 48

struct session;

struct finding {
    char name[40];
    char value[120];
    bool warning;
    char why[200]; /* it matters; may be empty without a warning */
    char advice[200];
};

struct preflight {
    struct finding items[FINDINGS_MAX];
    size_t n;
    uint64_t not_listed;
};

struct preflight_args {
    struct session *session; /* NULL: the machine alone */
    const char *results;     /* folder; need not exist */
    uint64_t n_conns;        /* that a run would open */
    bool full;               /* what takes time, or writes */
};

/* The next finding, empty but for its name, or NULL when there is no room. */
struct finding *preflight_add(struct preflight *p, const char *name,
                              const char *fmt, ...) PRINTF_LIKE(3, 4);
/* NULL finding is fine. */
void preflight_warn(struct finding *f, const char *why, const char *advice);

/* An error: the database cannot be asked; the findings so far stay. */
MUST_USE enum rc preflight_look(const struct preflight_args *args,
                                struct preflight *out, struct err *err);

#endif
