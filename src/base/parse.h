/* SPDX-License-Identifier: MIT */
/*
 * Text to values, strictly: the whole text must be used, ranges are checked,
 * and an error (RC_USAGE, *out untouched) names the text and what would be
 * right.  Also the inverse, for people.
 */
#ifndef BASE_PARSE_H
#define BASE_PARSE_H

#include "base/err.h"

MUST_USE enum rc parse_u64(const char *text, uint64_t *out, struct err *err);
MUST_USE enum rc parse_i64(const char *text, int64_t *out, struct err *err);
/* "90", "1.5s", "200ms", "50us", "5m", "2h", "1h30m" (ns us ms s m h d); a
 * bare number is in seconds.  Never negative. */
MUST_USE enum rc parse_duration(const char *text, int64_t *out_ns,
                                struct err *err);
/* "64", "64KiB", "512MB" (powers of 1024 either way, k M G T). */
MUST_USE enum rc parse_bytes(const char *text, uint64_t *out, struct err *err);
/* "0.5", "50%"; in 0..1. */
MUST_USE enum rc parse_share(const char *text, double *out, struct err *err);
/* on off, yes no, true false, 1 0, in either case. */
MUST_USE enum rc parse_bool(const char *text, bool *out, struct err *err);

/* "250ms", "1.5s", "1m30s", "2h"; out holds at least 32 bytes. */
void format_duration(int64_t ns, char *out, size_t out_len);
/* "1,234,567"; out holds at least 32 bytes. */
void format_count(uint64_t n, char *out, size_t out_len);
/* "12.3 MB", powers of 1024; out holds at least 32 bytes. */
void format_bytes(uint64_t n, char *out, size_t out_len);

/* The name among names[0..n-1] that is nearest to text by edit distance, NULL
 * when none is near enough to be what was meant. */
const char *nearest_name(const char *text, const char *const *names, size_t n);

#endif
