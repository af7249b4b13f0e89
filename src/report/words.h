/* SPDX-License-Identifier: MIT */
/*
 * The closed lists of results, in the words of a report.
 */
#ifndef REPORT_WORDS_H
#define REPORT_WORDS_H

#include "run/result.h"

/* What is wrong and what to do, for each bit that has a name; NULL past the
 * last. */
const char *words_invalid(size_t bit);
const char *words_warning(size_t bit);
/* "off", "quick", "full" */
const char *words_audit_level(enum audit_level level);
/* The class of an error: "retryable", "connection_lost". */
const char *words_error_class(enum rc rc);
/* "statement", "flight", "begin", "commit". */
const char *words_call(enum conn_call call);
/* Whose machine the figures are of; NULL when there are none. */
const char *words_host_source(enum host_source source);
/* What people call a transaction of a workload by its name; the name itself
 * when this program does not know it. */
const char *words_transaction(const char *workload, const char *name);
/* That the numbers are no TPC results; NULL for other workloads. */
const char *words_disclaimer(const struct workload *workload);

#endif
