/* SPDX-License-Identifier: MIT */
/*
 * A row of small bars, ▁ to █, that shows how a figure went: one character for
 * each value, or for several neighbours, whose mean (or maximum) it is.
 */
#ifndef REPORT_SPARK_H
#define REPORT_SPARK_H

#include "base/base.h"

#define SPARK_WIDTH 32
#define SPARK_BYTES (3 * SPARK_WIDTH + 1)

/* Bars from zero to the highest value, so that noise looks as small as it is.
 * What is not a number is a blank; empty when there is nothing. */
void spark_line(const double *values, size_t n, bool maximum,
                char out[SPARK_BYTES]);

#endif
