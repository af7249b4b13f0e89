/* SPDX-License-Identifier: MIT */
/*
 * Errors have two halves.  The code is what the program branches on; the text
 * is for people, owned by the caller and of fixed size, so that reporting a
 * failure cannot fail.  On the run path drivers return a code and format
 * nothing.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/base.h"

#define ERR_TEXT_MAX 1024

#define RC_MAP(X)                                          \
    X(OK, 0, "success")                                    \
    X(NOMEM, -1, "out of memory")                          \
    X(IO, -2, "input or output failed")                    \
    X(TIMEOUT, -3, "deadline passed")                      \
    X(CANCELLED, -4, "interrupted")                        \
    X(USAGE, -5, "wrong usage")                            \
    X(INVALID, -6, "a check or the script failed")         \
    X(UNSUPPORTED, -7, "not supported here")               \
    X(NOT_FOUND, -8, "not found")                          \
    X(BUSY, -9, "in use by somebody else")                 \
    X(DB_RETRY, -20, "transaction may be retried")         \
    X(DB_CONSTRAINT, -21, "integrity constraint violated") \
    X(DB_GONE, -22, "connection lost")                     \
    X(DB_UNKNOWN, -23, "connection lost during COMMIT")    \
    X(DB_LIMIT, -24, "a limit of the server is reached")   \
    X(DB_TIMEOUT, -25, "statement timed out")              \
    X(DB_PERMISSION, -26, "permission denied")             \
    X(DB_NO_SPACE, -27, "no space left")                   \
    X(DB_ERROR, -28, "database rejected the statement")

enum rc {
#define X(name, value, text) RC_##name = (value),
    RC_MAP(X)
#undef X
};

/* Zero-initialise with {0}; untouched by every function that succeeds. */
struct err {
    enum rc rc;
    int native; /* driver's own code, or errno; 0 if there is none */
    char sqlstate[6];
    char text[ERR_TEXT_MAX];
};

/* The text of a code, a constant; "unknown code" for a value not in RC_MAP. */
const char *rc_text(enum rc rc);

/* The constant's name without RC_, for example "DB_RETRY". */
const char *rc_name(enum rc rc);

/* Fills *err (which may be NULL) and returns rc, so it can end a function. */
enum rc err_set(struct err *err, enum rc rc, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* As err_set(), with errno's text appended as ": No such file or directory";
 * err->native becomes the errno given. */
enum rc err_errno(struct err *err, enum rc rc, int errnum, const char *fmt, ...)
    PRINTF_LIKE(4, 5);

/* The analyzer sees no other file: it is told here that rc comes back, or it
 * would take a failure reported by these for a success. */
#ifdef __clang_analyzer__
#define err_set(err, rc, ...) (err_set((err), (rc), __VA_ARGS__), (rc))
#define err_errno(err, rc, ...) (err_errno((err), (rc), __VA_ARGS__), (rc))
#endif

/* Puts "context: " before the text.  Does nothing when err is NULL. */
void err_prefix(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* A mistake of ours: prints file, line and message, then aborts.  Always on. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
NO_RETURN COLD void bug_at(const char *file, int line, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#endif
