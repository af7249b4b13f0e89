/* SPDX-License-Identifier: MIT */
#include "driver/mysql/codec.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- types ---- */

enum maria_coding maria_coding_of(int type, bool is_unsigned)
{
    switch (type) {
    case 1: /* TINY */
        return is_unsigned ? MARIA_U1 : MARIA_I1;
    case 2:  /* SHORT */
    case 13: /* YEAR */
        return is_unsigned ? MARIA_U2 : MARIA_I2;
    case 3: /* LONG */
    case 9: /* INT24, in four bytes */
        return is_unsigned ? MARIA_U4 : MARIA_I4;
    case 8: /* LONGLONG */
        return is_unsigned ? MARIA_U8 : MARIA_I8;
    case 6: /* NULL */
        return MARIA_NOTHING;
    case 7:  /* TIMESTAMP */
    case 10: /* DATE */
    case 12: /* DATETIME */
        return MARIA_DATETIME;
    case 0:   /* DECIMAL */
    case 15:  /* VARCHAR */
    case 245: /* JSON */
    case 246: /* NEWDECIMAL */
    case 247: /* ENUM */
    case 248: /* SET */
    case 249: /* TINY_BLOB */
    case 250: /* MEDIUM_BLOB */
    case 251: /* LONG_BLOB */
    case 252: /* BLOB */
    case 253: /* VAR_STRING */
    case 254: /* STRING */
        return MARIA_TEXT;
    default:
        return MARIA_UNKNOWN;
    }
}

bool maria_can_decode(enum maria_coding coding, enum value_type type)
{
    switch (coding) {
    case MARIA_UNKNOWN:
        return false;
    case MARIA_I1:
    case MARIA_I2:
    case MARIA_I4:
    case MARIA_I8:
    case MARIA_U1:
    case MARIA_U2:
    case MARIA_U4:
    case MARIA_U8:
        return type == VALUE_INT || type == VALUE_MONEY || type == VALUE_RATE;
    case MARIA_DATETIME:
        return type == VALUE_TIME;
    case MARIA_TEXT:
    case MARIA_NOTHING:
        return true;
    }
    return false;
}

/* ---- rows of the binary protocol ---- */

/* What is left of a row. */
struct reader {
    const unsigned char *at;
    size_t left;
};

static bool take(struct reader *r, size_t n, const unsigned char **out)
{
    if (n > r->left)
        return false;
    *out = r->at;
    r->at += n;
    r->left -= n;
    return true;
}

/* Little-endian. */
static uint64_t unsigned_at(const unsigned char *p, size_t n)
{
    uint64_t v = 0;

    for (size_t i = n; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

/* A length, in one byte or behind a mark in two, three or eight. */
static bool take_length(struct reader *r, size_t *out)
{
    const unsigned char *p;
    uint64_t n;

    if (!take(r, 1, &p))
        return false;
    n = *p;
    if (n > 250) {
        const size_t width = n == 252 ? 2 : n == 253 ? 3 : 8;

        if (n == 251 || n == 255 || !take(r, width, &p))
            return false;
        n = unsigned_at(p, width);
    }
    *out = (size_t)n;
    return true;
}

static bool read_integer(struct reader *r, enum maria_coding coding,
                         struct value *out)
{
    const unsigned char *p;
    int64_t i = 0;
    bool ok = true;

    switch (coding) {
    case MARIA_I1:
    case MARIA_U1:
        ok = take(r, 1, &p);
        if (ok)
            i = coding == MARIA_I1 ? (int8_t)*p : *p;
        break;
    case MARIA_I2:
    case MARIA_U2:
        ok = take(r, 2, &p);
        if (ok)
            i = (int64_t)unsigned_at(p, 2);
        i = coding == MARIA_I2 ? (int16_t)i : i;
        break;
    case MARIA_I4:
    case MARIA_U4:
        ok = take(r, 4, &p);
        if (ok)
            i = (int64_t)unsigned_at(p, 4);
        i = coding == MARIA_I4 ? (int32_t)i : i;
        break;
    case MARIA_I8:
    case MARIA_U8:
        ok = take(r, 8, &p);
        if (ok)
            i = (int64_t)unsigned_at(p, 8);
        ok = ok && (coding == MARIA_I8 || i >= 0);
        break;
    case MARIA_UNKNOWN:
    case MARIA_DATETIME:
    case MARIA_TEXT:
    case MARIA_NOTHING:
        return false;
    }
    return ok && !__builtin_mul_overflow(i, value_unit(out->type), &out->i);
}

/* Length; year in two bytes, month, day; hour, minute, second; µs in four:
 * what is zero at the end is left out. */
static bool read_datetime(struct reader *r, struct value *out)
{
    const unsigned char *p;
    struct value_time t = {0};
    size_t len;

    if (!take_length(r, &len) || !take(r, len, &p) || len < 4)
        return false;
    t.year = (int64_t)unsigned_at(p, 2);
    t.month = p[2];
    t.day = p[3];
    if (len >= 7) {
        t.hour = p[4];
        t.minute = p[5];
        t.second = p[6];
    }
    if (len >= 11)
        t.us = (unsigned)unsigned_at(p + 7, 4);
    return value_time_to_us(&t, &out->i);
}

static bool read_text(struct reader *r, struct value *out)
{
    const unsigned char *p;
    size_t len;

    return take_length(r, &len) && take(r, len, &p) &&
           value_parse(out->type, (const char *)p, len, out);
}

static bool read_cell(struct reader *r, enum maria_coding coding,
                      struct value *out)
{
    switch (coding) {
    case MARIA_I1:
    case MARIA_I2:
    case MARIA_I4:
    case MARIA_I8:
    case MARIA_U1:
    case MARIA_U2:
    case MARIA_U4:
    case MARIA_U8:
        return read_integer(r, coding, out);
    case MARIA_DATETIME:
        return read_datetime(r, out);
    case MARIA_TEXT:
        return read_text(r, out);
    case MARIA_UNKNOWN:
    case MARIA_NOTHING:
        return false;
    }
    return false;
}

bool maria_read_row(const unsigned char *row, size_t len,
                    const enum maria_coding *codings, const struct column *cols,
                    size_t n, struct value *cells)
{
    const size_t mask_len = (n + 9) / 8; /* two bits are not used */
    const unsigned char *mask = row + 1;
    struct reader r;

    if (len < 1 + mask_len)
        return false;
    r = (struct reader){row + 1 + mask_len, len - 1 - mask_len};
    for (size_t i = 0; i < n; i++) {
        if (mask[(i + 2) / 8] >> (i + 2) % 8 & 1) {
            cells[i] = v_null();
            continue;
        }
        cells[i] = (struct value){.type = cols[i].type};
        if (!read_cell(&r, codings[i], &cells[i]))
            return false;
    }
    return r.left == 0;
}
