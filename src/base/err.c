/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Defined here: see the analyzer's macros in the header. */
#undef err_set
#undef err_errno

/* Macros of these names may stand in for the static analyzer. */
#undef err_set
#undef err_errno

const char *rc_text(enum rc rc)
{
    switch (rc) {
#define X(name, value, text) \
    case RC_##name:          \
        return text;
        RC_MAP(X)
#undef X
    }
    return "unknown code";
}

const char *rc_name(enum rc rc)
{
    switch (rc) {
#define X(name, value, text) \
    case RC_##name:          \
        return #name;
        RC_MAP(X)
#undef X
    }
    return "UNKNOWN";
}

/* An argument may point into err->text, so the new text is built aside and
 * every field is written after that. */
static void fill(struct err *err, enum rc rc, int native, const char *text)
{
    err->rc = rc;
    err->native = native;
    err->sqlstate[0] = '\0';
    memcpy(err->text, text, strlen(text) + 1);
}

/* Adds ": tail", cut where the text is full. */
static void add_tail(char text[ERR_TEXT_MAX], const char *tail)
{
    const char *const parts[] = {": ", tail};
    size_t used = strlen(text);

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        const size_t len = strnlen(parts[i], ERR_TEXT_MAX - 1 - used);

        memcpy(text + used, parts[i], len);
        used += len;
    }
    text[used] = '\0';
}

enum rc err_set(struct err *err, enum rc rc, const char *fmt, ...)
{
    char text[ERR_TEXT_MAX];
    va_list ap;

    if (!err)
        return rc;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    fill(err, rc, 0, text);
    return rc;
}

enum rc err_errno(struct err *err, enum rc rc, int errnum, const char *fmt, ...)
{
    char text[ERR_TEXT_MAX], reason[128];
    va_list ap;

    if (!err)
        return rc;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    add_tail(text, strerror_r(errnum, reason, sizeof(reason)));
    fill(err, rc, errnum, text);
    return rc;
}

void err_prefix(struct err *err, const char *fmt, ...)
{
    char text[ERR_TEXT_MAX];
    va_list ap;

    if (!err)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    add_tail(text, err->text);
    memcpy(err->text, text, strlen(text) + 1);
}

void bug_at(const char *file, int line, const char *fmt, ...)
{
    char text[ERR_TEXT_MAX];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    fprintf(stderr, "dyno: bug: %s:%d: %s\n", file, line, text);
    abort();
}
