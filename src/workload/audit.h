/* SPDX-License-Identifier: MIT */
/*
 * The findings of an audit: one line for each check, in the order made.  Owned
 * by the caller, any workload fills it.
 */
#ifndef WORKLOAD_AUDIT_H
#define WORKLOAD_AUDIT_H

#include "base/opt.h"

enum audit_level { AUDIT_OFF, AUDIT_QUICK, AUDIT_FULL };

enum audit_verdict {
    AUDIT_PASSED,
    AUDIT_FAILED,
    AUDIT_NOT_ENOUGH_DATA, /* does not fail the audit */
    AUDIT_NOT_APPLICABLE,  /* for example load-only checks after a run */
};

struct audit_check {
    const char *name;  /* "condition_1", "population_customer" */
    const char *title; /* "W_YTD = sum of D_YTD" */
    enum audit_verdict verdict;
    bool lost; /* failed only because the database could not be asked */
    uint64_t n_checked, n_failed;
    /* Of the first failure: the key and both values; of a check whose query
     * failed: the error.  Empty when passed. */
    char detail[256];
};

#define AUDIT_CHECKS_MAX 128

/* A check that there is, a row in the table of its workload. */
struct audit_def {
    const char *name; /* "condition_1": its group is "condition" */
    const char *title;
    unsigned needs, when; /* the workload's own business */
};

struct audit {
    enum audit_level level;
    /* Names of checks and groups, several in a text apart by commas; NULL or
     * none: every check.  Borrowed. */
    const struct opt_strs *only;
    struct audit_check checks[AUDIT_CHECKS_MAX];
    size_t n_checks;
};

/* The check that run/ makes itself, for workloads whose commits are counted by
 * the database too. */
#define AUDIT_ACCOUNTING "accounting"
#define AUDIT_ACCOUNTING_TITLE \
    "the database counts the commits that the client saw"

/* RC_USAGE when one of the names is neither a check nor a group. */
MUST_USE enum rc audit_check_names(const struct opt_strs *only,
                                   const struct audit_def *defs, size_t n_defs,
                                   struct err *err);

void audit_init(struct audit *a, enum audit_level level); /* of all checks */
/* name and title must be constants.  A check starts as passed, 0 checked.
 * NULL when it is not one of those asked for; the functions below then do
 * nothing. */
struct audit_check *audit_add(struct audit *a, const char *name,
                              const char *title);
/* Counts one thing checked; when !ok, counts it as failed and keeps the text
 * of the first. */
void audit_expect(struct audit_check *check, bool ok, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
/* There is too little to say anything; what was checked before stands. */
void audit_lacks(struct audit_check *check, const char *fmt, ...)
    PRINTF_LIKE(2, 3);
/* It does not apply here, and why. */
void audit_skip(struct audit_check *check, const char *why);
/* The check could not be made: it failed. */
void audit_error(struct audit_check *check, const struct err *err);
/* When the database was gone before the audit was made, and no check failed
 * for another reason: what was in the way.  Else NULL. */
const char *audit_lost(const struct audit *a);
/* No check failed and at least one could be made. */
bool audit_passed(const struct audit *a);
const char *audit_verdict_name(enum audit_verdict v);

#endif
