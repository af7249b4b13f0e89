/* SPDX-License-Identifier: MIT */
/*
 * Numbers in the lines of /proc.
 */
#ifndef TELEMETRY_FIELDS_H
#define TELEMETRY_FIELDS_H

#include "base/base.h"

/* Reads at most n whole numbers that follow each other with blanks between; a
 * negative one is 0, one that is too large UINT64_MAX.  Returns how many there
 * were; *rest (may be NULL) is what follows. */
size_t fields_read(const char *text, uint64_t *out, size_t n,
                   const char **rest);

#endif
