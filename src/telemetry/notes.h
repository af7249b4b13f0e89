/* SPDX-License-Identifier: MIT */
/*
 * What telemetry could not find out, and why: said once each.
 */
#ifndef TELEMETRY_NOTES_H
#define TELEMETRY_NOTES_H

#include "base/base.h"

#define NOTES_MAX 8
#define NOTE_BYTES 240

struct notes {
    char text[NOTES_MAX][NOTE_BYTES];
    size_t n;
};

/* The same text again, or one too many, is dropped. */
void notes_add(struct notes *n, const char *fmt, ...) PRINTF_LIKE(2, 3);
void notes_merge(struct notes *to, const struct notes *from);

#endif
