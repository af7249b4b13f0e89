/* SPDX-License-Identifier: MIT */
/*
 * The summary of a run for programs: docs/summary.schema.json, explained in
 * docs/summary.md.
 */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "run/result.h"

#define REPORT_SCHEMA_VERSION 1

/* Text with a newline at its end, returned; free with report_json_free(). */
MUST_USE enum rc report_json(const struct run_result *r, char **out_text,
                             struct err *err);
/* Of an audit without a run: {schema_version, audit}. */
MUST_USE enum rc report_audit_json(const struct audit *audit, char **out_text,
                                   struct err *err);
void report_json_free(char *text); /* NULL is fine */

#endif
