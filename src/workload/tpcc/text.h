/* SPDX-License-Identifier: MIT */
/*
 * Random strings of the population, clause 4.3.2.  Characters are drawn ten at
 * a time from one 64-bit number, two by two; each is uniform within 2^-50.
 *
 * The functions write whole draws: up to TEXT_SLACK bytes behind the string
 * are overwritten, so strings are made from left to right in an area that has
 * that much room at its end.  They return the end of the string, where the
 * next begins; nothing is NUL-terminated.
 */
#ifndef WORKLOAD_TPCC_TEXT_H
#define WORKLOAD_TPCC_TEXT_H

#include "base/rng.h"

#define TEXT_SLACK 16

/* a-string: letters and digits, exactly len characters. */
char *text_alnum(struct rng *r, char *out, size_t len);
/* The same, with a length uniform in min..max. */
char *text_alnum_range(struct rng *r, char *out, size_t min, size_t max);
/* n-string: len digits, at most 16. */
char *text_digits(struct rng *r, char *out, size_t len);
/* Two capital letters. */
char *text_state(struct rng *r, char *out);
/* Four digits and 11111, clause 4.3.2.7. */
char *text_zip(struct rng *r, char *out);
/* a-string in which one string of ten holds ORIGINAL at a random place,
 * clause 4.3.3.1. */
char *text_data(struct rng *r, char *out, size_t min, size_t max);

#endif
