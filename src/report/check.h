/* SPDX-License-Identifier: MIT */
/*
 * What was found before a measurement, for `dyno check`: as text, and as the
 * JSON of docs/summary.md.
 */
#ifndef REPORT_CHECK_H
#define REPORT_CHECK_H

#include "run/preflight.h"

#include <stdio.h>

/* target may be NULL. */
void report_check_text(const struct preflight *p, const char *target,
                       FILE *out);
/* Free with report_json_free(). */
MUST_USE enum rc report_check_json(const struct preflight *p,
                                   const char *target, char **out_text,
                                   struct err *err);

#endif
