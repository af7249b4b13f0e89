/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include <string.h>

static bool is_continuation(unsigned char c)
{
    return (c & 0xc0) == 0x80;
}

/* Bytes that a first byte announces, and the range of the second byte, which
 * keeps out overlong forms, surrogates and what is above U+10FFFF. */
static size_t announced(unsigned char c, unsigned char *lo, unsigned char *hi)
{
    *lo = 0x80;
    *hi = 0xbf;
    if (c < 0x80)
        return 1;
    if (c < 0xc2 || c > 0xf4)
        return 0;
    if (c < 0xe0)
        return 2;
    if (c == 0xe0)
        *lo = 0xa0;
    else if (c == 0xed)
        *hi = 0x9f;
    else if (c == 0xf0)
        *lo = 0x90;
    else if (c == 0xf4)
        *hi = 0x8f;
    return c < 0xf0 ? 3 : 4;
}

size_t utf8_len(const char *s)
{
    const unsigned char *p = (const unsigned char *)s;
    unsigned char lo, hi;
    size_t len = announced(p[0], &lo, &hi);

    if (!p[0] || len < 2)
        return p[0] ? len : 0;
    if (p[1] < lo || p[1] > hi)
        return 0;
    for (size_t i = 2; i < len; i++) {
        if (!is_continuation(p[i]))
            return 0;
    }
    return len;
}

bool utf8_valid(const char *text)
{
    size_t len;

    while ((len = utf8_len(text)) > 0)
        text += len;
    return !*text;
}

void utf8_add(struct buf *out, const char *text)
{
    while (*text) {
        const size_t len = utf8_len(text);

        if (len)
            buf_add(out, text, len);
        else
            buf_putc(out, '?');
        text += len ? len : 1;
    }
}

/* Also the controls U+0080 to U+009F: some terminals obey them. */
static bool is_control(const char *s, size_t len)
{
    const unsigned char *p = (const unsigned char *)s;

    return (len == 1 && (p[0] < ' ' || p[0] == 0x7f)) ||
           (len == 2 && p[0] == 0xc2 && p[1] < 0xa0);
}

void utf8_line(const char *text, char *out, size_t out_len)
{
    size_t used = 0;

    while (*text) {
        const size_t len = utf8_len(text);

        if (used + (len ? len : 1) >= out_len)
            break;
        if (!len)
            out[used++] = '?';
        else if (is_control(text, len))
            out[used++] = ' ';
        else
            for (size_t i = 0; i < len; i++)
                out[used++] = text[i];
        text += len ? len : 1;
    }
    if (out_len > 0)
        out[used] = '\0';
}

size_t utf8_width(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += !is_continuation((unsigned char)*text);
    return n;
}
