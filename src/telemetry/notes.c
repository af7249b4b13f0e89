/* SPDX-License-Identifier: MIT */
#include "telemetry/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void notes_add(struct notes *n, const char *fmt, ...)
{
    char *text;
    va_list ap;

    if (n->n == NOTES_MAX)
        return;
    text = n->text[n->n];
    va_start(ap, fmt);
    vsnprintf(text, NOTE_BYTES, fmt, ap);
    va_end(ap);
    for (size_t i = 0; i < n->n; i++) {
        if (strcmp(n->text[i], text) == 0)
            return;
    }
    n->n++;
}

void notes_merge(struct notes *to, const struct notes *from)
{
    for (size_t i = 0; i < from->n; i++)
        notes_add(to, "%s", from->text[i]);
}
