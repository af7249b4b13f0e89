/* SPDX-License-Identifier: MIT */
/*
 * Stored runs, a line each: for a terminal, as Markdown, CSV (RFC 4180) or
 * JSON (an array).
 */
#ifndef REPORT_RUN_LIST_H
#define REPORT_RUN_LIST_H

#include "store/runs.h"

#include <stdio.h>

void run_list_text(const struct stored_run *runs, size_t n, FILE *out);
void run_list_markdown(const struct stored_run *runs, size_t n, FILE *out);
void run_list_csv(const struct stored_run *runs, size_t n, FILE *out);
MUST_USE enum rc run_list_json(const struct stored_run *runs, size_t n,
                               FILE *out, struct err *err);

/* A text as a CSV field, quoted where it must be. */
void csv_field(const char *text, FILE *out);

#endif
