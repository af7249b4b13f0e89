/* SPDX-License-Identifier: MIT */
/*
 * Checks of counts against the shares expected of them, each wrong by chance
 * in one of a million audits.  Too few draws to say so: not enough data.
 */
#ifndef WORKLOAD_AUDIT_FIT_H
#define WORKLOAD_AUDIT_FIT_H

#include "workload/audit.h"

/* Counts of several values, by chi-square. */
struct audit_counts {
    const char *what; /* "items, by groups from the most frequent on" */
    const uint64_t *seen;
    const uint64_t *weights; /* NULL: all equally often */
    size_t n;
    /* What cell i is: names[i], or the number first + i. */
    const char *const *names;
    int first;
};
void audit_expect_counts(struct audit_check *check,
                         const struct audit_counts *counts);

/* k of n, each with the probability p of q; exact. */
struct audit_rate {
    const char *what; /* "remote lines" */
    uint64_t k, n, p, q;
};
void audit_expect_rate(struct audit_check *check,
                       const struct audit_rate *rate);

#endif
