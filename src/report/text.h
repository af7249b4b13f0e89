/* SPDX-License-Identifier: MIT */
/*
 * The report of a run for people.
 */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "run/result.h"

#include <stdio.h>

/* For a terminal, at most 80 columns. */
void report_text(const struct run_result *r, FILE *out);
/* The same content as Markdown. */
void report_markdown(const struct run_result *r, FILE *out);

#endif
