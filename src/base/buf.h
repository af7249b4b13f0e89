/* SPDX-License-Identifier: MIT */
/*
 * A growable text or byte buffer with a stated maximum.  Always
 * NUL-terminated.  The first failure sticks: further appends do nothing, and
 * buf_rc() says what happened, so a writer need check only once at its end.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/err.h"

#include <stdarg.h>

struct buf {
    char *data; /* NULL until the first append */
    size_t len, cap, max_bytes;
    enum rc rc;
};

#define BUF_INIT(max)      \
    {                      \
        .max_bytes = (max) \
    }

void buf_init(struct buf *b, size_t max_bytes);
void buf_release(struct buf *b);
void buf_reset(struct buf *b); /* empties, forgets the error, keeps memory */

void buf_add(struct buf *b, const char *data, size_t len);
void buf_puts(struct buf *b, const char *s);
void buf_putc(struct buf *b, char c);
void buf_printf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);

/* Room for n bytes more, to be written by the caller, who then says how many
 * there are; NULL after a failure. */
char *buf_room(struct buf *b, size_t n);
void buf_wrote(struct buf *b, size_t n);

/* Never NULL; borrowed until the next change. */
const char *buf_str(const struct buf *b);
static inline enum rc buf_rc(const struct buf *b)
{
    return b->rc;
}

/* Appends a whole file; the error names the path. */
MUST_USE enum rc buf_read_file(struct buf *b, const char *path,
                               struct err *err);

#endif
