/* SPDX-License-Identifier: MIT */
#include "driver/postgres/codec.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>

#define GROUP 10000 /* numeric is a row of groups of four decimal digits */
#define GROUPS_MAX 8
#define NUMERIC_HEAD_BYTES 8
#define NUMERIC_NEGATIVE 0x4000
/* 2000-01-01, from which PostgreSQL counts, since 1970-01-01. */
#define US_PER_S INT64_C(1000000)
#define EPOCH_US (INT64_C(946684800) * US_PER_S)

/* ---- types ---- */

enum pg_coding pg_coding_of(unsigned oid)
{
    /* OIDs of built-in types never change. */
    static const struct {
        unsigned oid;
        enum pg_coding coding;
    } known[] = {
        {23, PG_INT4},        /* int4 */
        {21, PG_INT2},        /* int2 */
        {20, PG_INT8},        /* int8 */
        {1700, PG_NUMERIC},   /* numeric */
        {1043, PG_TEXT},      /* varchar */
        {1042, PG_TEXT},      /* bpchar: char(n) */
        {25, PG_TEXT},        /* text */
        {1114, PG_TIMESTAMP}, /* timestamp */
        {1184, PG_TIMESTAMP}, /* timestamptz */
        {16, PG_BOOL},        /* bool */
        {19, PG_TEXT},        /* name */
        {114, PG_TEXT},       /* json */
        {142, PG_TEXT},       /* xml */
        {705, PG_TEXT},       /* unknown: a literal without a type */
        {1007, PG_INT4S},     /* int4[] */
        {1005, PG_INT2S},     /* int2[] */
        {1016, PG_INT8S},     /* int8[] */
    };

    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        if (known[i].oid == oid)
            return known[i].coding;
    }
    return PG_UNKNOWN;
}

static bool is_list(enum pg_coding coding)
{
    return coding == PG_INT2S || coding == PG_INT4S || coding == PG_INT8S;
}

static bool is_integer(enum pg_coding coding)
{
    return coding == PG_INT2 || coding == PG_INT4 || coding == PG_INT8;
}

bool pg_can_encode(enum pg_coding coding, enum value_type type)
{
    switch (type) {
    case VALUE_NULL:
        return false;
    case VALUE_INT:
        return is_integer(coding) || coding == PG_NUMERIC;
    case VALUE_MONEY:
    case VALUE_RATE:
        return coding == PG_NUMERIC;
    case VALUE_TIME:
        return coding == PG_TIMESTAMP;
    case VALUE_TEXT:
        return coding == PG_TEXT;
    case VALUE_INTS:
        return is_list(coding);
    }
    return false;
}

bool pg_can_decode(enum pg_coding coding, enum value_type type)
{
    switch (type) {
    case VALUE_NULL:
    case VALUE_INTS:
        return false;
    case VALUE_INT:
        return is_integer(coding) || coding == PG_NUMERIC || coding == PG_BOOL;
    case VALUE_MONEY:
    case VALUE_RATE:
        return is_integer(coding) || coding == PG_NUMERIC;
    case VALUE_TIME:
        return coding == PG_TIMESTAMP;
    case VALUE_TEXT:
        return coding == PG_TEXT;
    }
    return false;
}

/* Digits behind the point that a value of the type has. */
static unsigned scale_of(enum value_type type)
{
    if (type == VALUE_MONEY)
        return 2;
    return type == VALUE_RATE ? 4 : 0;
}

static uint64_t power10(unsigned scale)
{
    static const uint64_t powers[] = {1, 10, 100, 1000, 10000};

    return powers[scale];
}

/* ---- writing ---- */

/* ndigits, weight (of the first group, in powers of 10,000), sign, digits
 * behind the point; then the groups, without zero ones at either end. */
static int put_numeric(int64_t value, unsigned scale, char *out)
{
    const uint64_t unit = power10(scale);
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    uint16_t groups[GROUPS_MAX]; /* least significant first */
    size_t n = 1, first = 0;
    char *p = out;

    groups[0] = (uint16_t)(left % unit * (GROUP / unit));
    for (left /= unit; left > 0; left /= GROUP)
        groups[n++] = (uint16_t)(left % GROUP);
    while (first < n && groups[first] == 0)
        first++;
    p = pg_put16(p, (uint16_t)(n - first));
    /* groups[0] is that of the weight -1. */
    p = pg_put16(p, first < n ? (uint16_t)(n - 2) : 0);
    p = pg_put16(p, value < 0 ? NUMERIC_NEGATIVE : 0);
    p = pg_put16(p, (uint16_t)scale);
    while (n-- > first)
        p = pg_put16(p, groups[n]);
    return (int)(p - out);
}

static int put_integer(enum pg_coding coding, int64_t value, char *out)
{
    if (coding == PG_INT4 && value == (int32_t)value)
        return (int)(pg_put32(out, (uint32_t)value) - out);
    if (coding == PG_INT2 && value == (int16_t)value)
        return (int)(pg_put16(out, (uint16_t)value) - out);
    if (coding == PG_INT8)
        return (int)(pg_put64(out, (uint64_t)value) - out);
    return -1;
}

/* Dimensions, whether there are NULLs, the items' type; then the length and the
 * lower bound of the one dimension, and the items, each behind its length. */
static int put_list(enum pg_coding coding, const struct value *v, char *out)
{
    static const struct {
        enum pg_coding item;
        uint32_t oid;
    } items[] = {
        [PG_INT2S] = {PG_INT2, 21},
        [PG_INT4S] = {PG_INT4, 23},
        [PG_INT8S] = {PG_INT8, 20},
    };
    char *p = pg_put32(out, v->len > 0);

    p = pg_put32(p, 0);
    p = pg_put32(p, items[coding].oid);
    if (v->len > 0) {
        p = pg_put32(p, v->len);
        p = pg_put32(p, 1);
    }
    for (uint32_t i = 0; i < v->len; i++) {
        int len = put_integer(items[coding].item, v->ints[i], p + 4);

        if (len < 0)
            return -1;
        p = pg_put32(p, (uint32_t)len) + len;
    }
    return (int)(p - out);
}

int pg_encode(enum pg_coding coding, const struct value *v, char *out)
{
    int64_t us;

    switch (coding) {
    case PG_INT2:
    case PG_INT4:
    case PG_INT8:
        return v->type == VALUE_INT ? put_integer(coding, v->i, out) : -1;
    case PG_NUMERIC:
        return put_numeric(v->i, scale_of(v->type), out);
    case PG_TIMESTAMP:
        if (v->type != VALUE_TIME ||
            __builtin_sub_overflow(v->i, EPOCH_US, &us))
            return -1;
        return (int)(pg_put64(out, (uint64_t)us) - out);
    case PG_INT2S:
    case PG_INT4S:
    case PG_INT8S:
        return v->type == VALUE_INTS ? put_list(coding, v, out) : -1;
    case PG_UNKNOWN:
    case PG_BOOL:
    case PG_TEXT:
        return -1;
    }
    return -1;
}

static size_t print_time(int64_t t, char *out)
{
    int64_t us = t % US_PER_S;
    size_t len;

    us += us < 0 ? US_PER_S : 0;
    clock_format_utc(t - us, out, PG_PRINTED_MAX);
    len = strlen(out) - 1; /* without the Z */
    return len + (size_t)snprintf(out + len, PG_PRINTED_MAX - len,
                                  ".%06" PRId64 "Z", us);
}

/* "{1,2,3}" */
static size_t print_list(const struct value *v, char *out)
{
    char *p = out;

    *p++ = '{';
    for (uint32_t i = 0; i < v->len; i++)
        p += snprintf(p, PG_ITEM_MAX, "%s%" PRId64, i > 0 ? "," : "",
                      v->ints[i]);
    *p++ = '}';
    *p = '\0';
    return (size_t)(p - out);
}

size_t pg_print(const struct value *v, char *out)
{
    const unsigned scale = scale_of(v->type);
    const uint64_t unit = power10(scale);
    uint64_t size;
    int len;

    if (v->type == VALUE_TIME)
        return print_time(v->i, out);
    if (v->type == VALUE_INTS)
        return print_list(v, out);
    size = v->i < 0 ? 0 - (uint64_t)v->i : (uint64_t)v->i;
    len = snprintf(out, PG_PRINTED_MAX, "%s%" PRIu64, v->i < 0 ? "-" : "",
                   size / unit);
    if (scale > 0)
        len += snprintf(out + len, PG_PRINTED_MAX - (size_t)len, ".%0*" PRIu64,
                        (int)scale, size % unit);
    return (size_t)len;
}

/* ---- reading ---- */

/* Adds a group; false when the sum no longer fits. */
static bool add_group(uint64_t *sum, uint64_t base, uint64_t group)
{
    return !__builtin_mul_overflow(*sum, base, sum) &&
           !__builtin_add_overflow(*sum, group, sum);
}

static bool with_sign(uint64_t size, bool negative, int64_t *out)
{
    if (size > (uint64_t)INT64_MAX + (negative ? 1 : 0))
        return false;
    *out = (int64_t)(negative ? 0 - size : size);
    return true;
}

static bool get_numeric(const char *in, size_t len, unsigned scale,
                        int64_t *out)
{
    const uint64_t unit = power10(scale);
    uint64_t sum = 0, fraction = 0;
    size_t n;
    int weight;
    unsigned sign;

    if (len < NUMERIC_HEAD_BYTES)
        return false;
    n = pg_get16(in);
    weight = (int16_t)pg_get16(in + 2);
    sign = pg_get16(in + 4);
    if (len != NUMERIC_HEAD_BYTES + 2 * n ||
        (sign != 0 && sign != NUMERIC_NEGATIVE))
        return false; /* NaN and the infinities have a sign of their own */
    if (n == 0)
        weight = -1;
    for (size_t i = 0; weight >= 0 || i < n; i++, weight--) {
        const uint64_t group =
            i < n ? pg_get16(in + NUMERIC_HEAD_BYTES + 2 * i) : 0;

        if (weight >= 0) {
            if (!add_group(&sum, GROUP, group))
                return false;
        } else if (weight == -1 && group % (GROUP / unit) == 0) {
            fraction = group / (GROUP / unit);
        } else if (group != 0) {
            return false; /* more digits than the type has */
        }
    }
    return add_group(&sum, unit, fraction) &&
           with_sign(sum, sign == NUMERIC_NEGATIVE, out);
}

static bool get_integer(const char *in, size_t len, int64_t *out)
{
    switch (len) {
    case 1: /* bool */
        *out = *in != 0;
        return true;
    case 2:
        *out = (int16_t)pg_get16(in);
        return true;
    case 4:
        *out = (int32_t)pg_get32(in);
        return true;
    case 8:
        *out = (int64_t)pg_get64(in);
        return true;
    default:
        return false;
    }
}

static bool get_timestamp(const char *in, size_t len, int64_t *out)
{
    return get_integer(in, len, out) && len == 8 && *out != INT64_MAX &&
           *out != INT64_MIN && /* infinity, -infinity */
           !__builtin_add_overflow(*out, EPOCH_US, out);
}

bool pg_decode(enum pg_coding coding, enum value_type type, const char *bytes,
               size_t len, struct value *out)
{
    out->type = type;
    out->len = 0;
    switch (coding) {
    case PG_TEXT:
        out->s = bytes;
        out->len = (uint32_t)len;
        return type == VALUE_TEXT;
    case PG_INT4:
    case PG_INT2:
    case PG_INT8:
    case PG_BOOL:
        return get_integer(bytes, len, &out->i) &&
               !__builtin_mul_overflow(out->i, (int64_t)power10(scale_of(type)),
                                       &out->i);
    case PG_NUMERIC:
        return get_numeric(bytes, len, scale_of(type), &out->i);
    case PG_TIMESTAMP:
        return get_timestamp(bytes, len, &out->i);
    case PG_UNKNOWN:
    case PG_INT2S:
    case PG_INT4S:
    case PG_INT8S:
        return false;
    }
    return false;
}
