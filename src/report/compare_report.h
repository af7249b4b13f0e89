/* SPDX-License-Identifier: MIT */
/*
 * A comparison for people (a terminal, Markdown) and for programs (JSON:
 * docs/compare.schema.json; JUnit's XML for CI).  What is to know before any
 * number is in the first line of each.
 */
#ifndef REPORT_COMPARE_REPORT_H
#define REPORT_COMPARE_REPORT_H

#include "report/comparison.h"

#include <stdio.h>

#define COMPARE_SCHEMA_VERSION 1

/* At most 80 columns. */
void compare_report_text(const struct comparison *c, FILE *out);
void compare_report_markdown(const struct comparison *c, FILE *out);
/* Text with a newline at its end, returned; free with report_json_free(). */
MUST_USE enum rc compare_report_json(const struct comparison *c,
                                     char **out_text, struct err *err);
/* A test suite for each side, a test case for each verdict; "slower" is a
 * failure, not enough data is skipped. */
MUST_USE enum rc compare_report_junit(const struct comparison *c, FILE *out,
                                      struct err *err);

/* Names and values of figures for people. */

/* "NOPM", "New-Order p99", "server: rows inserted"; out is cut to out_len. */
void compare_label(const struct comparison *c, const char *figure, char *out,
                   size_t out_len);
/* In CELL_BYTES: "12.3ms", "4.1 KB", "-" when there is no data. */
void compare_value(const char *figure, enum figure_kind kind, double value,
                   char *out);

#endif
