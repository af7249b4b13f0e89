/* SPDX-License-Identifier: MIT */
/*
 * Rows of statements for people and scripts: an aligned table, CSV (RFC 4180,
 * a line of names first), or JSON (an array of objects for each statement, on
 * a line of its own).
 */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "driver/driver.h"

#include <stdio.h>

enum rows_format { ROWS_TABLE, ROWS_CSV, ROWS_JSON };
extern const char *const rows_format_names[]; /* NULL-terminated */

struct rows;

MUST_USE enum rc rows_new(enum rows_format format, FILE *out,
                          struct rows **rows, struct err *err);
void rows_free(struct rows *rows); /* NULL is fine */
/* What a driver calls; valid until rows_free(). */
struct result_sink rows_sink(struct rows *rows);

#endif
