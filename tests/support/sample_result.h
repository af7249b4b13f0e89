/* SPDX-License-Identifier: MIT */
/*
 * Results of runs that never were, for the tests of reports.
 */
#ifndef SUPPORT_SAMPLE_RESULT_H
#define SUPPORT_SAMPLE_RESULT_H

#include "run/result.h"

/* Transactions of the sample workload. */
enum { SAMPLE_NEW_ORDER, SAMPLE_PAYMENT, SAMPLE_LOOKUP, SAMPLE_N_TXNS };

/*
 * A valid run of one minute: 900 New-Orders committed and 100 rolled back, 29
 * statements and 31 round trips each, all of 950 ns; 1000 Payments, 5 retries,
 * 10 us each of which 8 us waiting; the look-up is not in the mix.  It was
 * audited.  Free with sample_result_free().
 */
struct run_result *sample_result(void);
/* The same where every number is as large as it can be and every text as
 * long, full of bytes that are not UTF-8. */
struct run_result *sample_result_extreme(void);
/* A run in which nothing ended. */
struct run_result *sample_result_empty(void);
void sample_result_free(struct run_result *r);

#endif
