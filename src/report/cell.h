/* SPDX-License-Identifier: MIT */
/*
 * Numbers as short texts for the cells of a table: three or four digits, the
 * unit by size.  Whatever the value, at most CELL_WIDTH_MAX characters.  out
 * holds CELL_BYTES.
 */
#ifndef REPORT_CELL_H
#define REPORT_CELL_H

#include "base/base.h"

#define CELL_BYTES 32
#define CELL_WIDTH_MAX 8

/* "12.3ms", "950ns"; in ns, of which means have parts. */
void cell_duration(double ns, char *out);
void cell_count(uint64_t n, char *out);    /* "999,999", "1.235M" */
void cell_number(double value, char *out); /* "29.0", "1.235M" */
/* A share of 1 in per cent: "43.1%", "0.03%". */
void cell_share(double share, char *out);

/* For sentences: "1,234,567", "12.3"; not bounded by CELL_WIDTH_MAX. */
void cell_rate(double value, char *out);

#endif
