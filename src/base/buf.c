/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CAP_MIN ((size_t)64)

void buf_init(struct buf *b, size_t max_bytes)
{
    *b = (struct buf){.max_bytes = max_bytes};
}

void buf_release(struct buf *b)
{
    mem_free(b->data);
    buf_init(b, b->max_bytes);
}

void buf_reset(struct buf *b)
{
    b->len = 0;
    b->rc = RC_OK;
    if (b->data)
        b->data[0] = '\0';
}

/* Makes room for more bytes and the terminator.  cap never passes
 * max_bytes + 1, so what fits into cap is within the maximum. */
static bool reserve(struct buf *b, size_t more)
{
    size_t need, cap;
    char *data;

    if (b->rc)
        return false;
    if (more > b->max_bytes - b->len ||
        __builtin_add_overflow(b->len + more, 1, &need))
        goto full;
    if (need <= b->cap)
        return true;
    cap = b->cap > SIZE_MAX / 2 ? SIZE_MAX : b->cap * 2;
    if (cap < CAP_MIN)
        cap = CAP_MIN;
    if (cap - 1 > b->max_bytes)
        cap = b->max_bytes + 1;
    if (cap < need)
        cap = need;
    data = mem_realloc(b->data, cap);
    if (!data)
        goto full;
    data[b->len] = '\0';
    b->data = data;
    b->cap = cap;
    return true;
full:
    b->rc = RC_NOMEM;
    return false;
}

char *buf_room(struct buf *b, size_t n)
{
    return reserve(b, n) ? b->data + b->len : NULL;
}

void buf_wrote(struct buf *b, size_t n)
{
    b->len += n;
    b->data[b->len] = '\0';
}

void buf_add(struct buf *b, const char *data, size_t len)
{
    if (len == 0 || !reserve(b, len))
        return;
    memcpy(b->data + b->len, data, len);
    b->len += len;
    b->data[b->len] = '\0';
}

void buf_puts(struct buf *b, const char *s)
{
    buf_add(b, s, strlen(s));
}

void buf_putc(struct buf *b, char c)
{
    buf_add(b, &c, 1);
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    buf_vprintf(b, fmt, ap);
    va_end(ap);
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
    va_list again;
    int len;

    if (b->rc)
        return;
    va_copy(again, ap);
    len = vsnprintf(NULL, 0, fmt, ap);
    if (len < 0)
        b->rc = RC_INVALID;
    else if (len > 0 && reserve(b, (size_t)len)) {
        vsnprintf(b->data + b->len, (size_t)len + 1, fmt, again);
        b->len += (size_t)len;
    }
    va_end(again);
}

const char *buf_str(const struct buf *b)
{
    return b->data ? b->data : "";
}

static enum rc read_all(struct buf *b, int fd, const char *path,
                        struct err *err)
{
    char chunk[4096];

    for (;;) {
        const ssize_t n = read(fd, chunk, sizeof(chunk));

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_errno(err, RC_IO, errno, "cannot read '%s'", path);
        if (n == 0)
            return RC_OK;
        buf_add(b, chunk, (size_t)n);
        if (b->rc)
            return err_set(err, b->rc, "'%s' is larger than %zu bytes", path,
                           b->max_bytes);
    }
}

enum rc buf_read_file(struct buf *b, const char *path, struct err *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    enum rc rc;

    if (fd < 0)
        return err_errno(err, errno == ENOENT ? RC_NOT_FOUND : RC_IO, errno,
                         "cannot open '%s'", path);
    rc = read_all(b, fd, path, err);
    close(fd);
    return rc;
}
