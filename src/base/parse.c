/* SPDX-License-Identifier: MIT */
#include "base/parse.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define FRAC_ONE UINT64_C(1000000000)

__extension__ typedef unsigned __int128 u128;

/* A number as written: whole and billionths. */
struct decimal {
    uint64_t whole, frac;
    bool overflow;
};

struct unit {
    const char *name;
    uint64_t size;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns what follows the digits, NULL when there are none. */
static const char *read_whole(const char *p, uint64_t *out, bool *overflow)
{
    if (!is_digit(*p))
        return NULL;
    *out = 0;
    *overflow = false;
    for (; is_digit(*p); p++)
        if (__builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, (uint64_t)(*p - '0'), out))
            *overflow = true;
    return p;
}

/* As read_whole(), with a fraction; digits past the ninth are dropped. */
static const char *read_decimal(const char *p, struct decimal *out)
{
    uint64_t place = FRAC_ONE / 10;

    *out = (struct decimal){0};
    p = read_whole(p, &out->whole, &out->overflow);
    if (!p || *p != '.')
        return p;
    p++;
    if (!is_digit(*p))
        return NULL;
    for (; is_digit(*p); p++) {
        out->frac += place * (uint64_t)(*p - '0');
        place /= 10;
    }
    return p;
}

static bool scale(const struct decimal *d, uint64_t unit, uint64_t *out)
{
    const u128 v = (u128)d->whole * unit + (u128)d->frac * unit / FRAC_ONE;

    *out = (uint64_t)v;
    return !d->overflow && v <= UINT64_MAX;
}

static enum rc not_whole(const char *text, struct err *err)
{
    return err_set(err, RC_USAGE, "'%s' is not a whole number", text);
}

static enum rc too_large(const char *text, struct err *err)
{
    return err_set(err, RC_USAGE, "'%s' is too large", text);
}

enum rc parse_u64(const char *text, uint64_t *out, struct err *err)
{
    bool overflow = false;
    uint64_t value = 0;
    const char *end = read_whole(text, &value, &overflow);

    if (!end && text[0] == '-' && is_digit(text[1]))
        return err_set(err, RC_USAGE, "'%s' is negative", text);
    if (!end || *end)
        return not_whole(text, err);
    if (overflow)
        return too_large(text, err);
    *out = value;
    return RC_OK;
}

enum rc parse_i64(const char *text, int64_t *out, struct err *err)
{
    const bool negative = text[0] == '-';
    const uint64_t limit = (uint64_t)INT64_MAX + negative;
    bool overflow = false;
    uint64_t value = 0;
    const char *end = read_whole(text + negative, &value, &overflow);

    if (!end || *end)
        return not_whole(text, err);
    if (overflow || value > limit)
        return too_large(text, err);
    *out = (int64_t)(negative ? 0 - value : value);
    return RC_OK;
}

static enum rc not_duration(const char *text, struct err *err)
{
    return err_set(err, RC_USAGE,
                   "'%s' is not a time such as 90, 1.5s, 200ms or 1h30m", text);
}

/* The unit at *p, which is moved past it; NULL when there is none. */
static const struct unit *duration_unit(const char **p)
{
    /* Longer names first: "ms" starts like "m". */
    static const struct unit units[] = {
        {"ns", 1},
        {"us", (uint64_t)NS_PER_US},
        {"ms", (uint64_t)NS_PER_MS},
        {"s", (uint64_t)NS_PER_S},
        {"m", (uint64_t)(60 * NS_PER_S)},
        {"h", (uint64_t)(3600 * NS_PER_S)},
        {"d", (uint64_t)(86400 * NS_PER_S)},
    };

    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        const size_t len = strlen(units[i].name);

        if (strncmp(*p, units[i].name, len) == 0) {
            *p += len;
            return &units[i];
        }
    }
    return NULL;
}

enum rc parse_duration(const char *text, int64_t *out_ns, struct err *err)
{
    uint64_t total = 0, unit_before = UINT64_MAX;
    const char *p = text;

    do {
        const struct unit *unit;
        uint64_t size = (uint64_t)NS_PER_S, part;
        struct decimal number;

        p = read_decimal(p, &number);
        if (!p)
            return not_duration(text, err);
        unit = duration_unit(&p);
        if (unit)
            size = unit->size;
        else if (*p || unit_before != UINT64_MAX)
            return not_duration(text, err);
        /* Falling units only: neither "30m1h" nor "1s1s". */
        if (size >= unit_before)
            return not_duration(text, err);
        unit_before = size;
        if (!scale(&number, size, &part) ||
            __builtin_add_overflow(total, part, &total) || total > INT64_MAX)
            return too_large(text, err);
    } while (*p);
    *out_ns = (int64_t)total;
    return RC_OK;
}

enum rc parse_bytes(const char *text, uint64_t *out, struct err *err)
{
    static const struct unit units[] = {
        {"", 1},
        {"B", 1},
        {"K", UINT64_C(1) << 10},
        {"KB", UINT64_C(1) << 10},
        {"KiB", UINT64_C(1) << 10},
        {"M", UINT64_C(1) << 20},
        {"MB", UINT64_C(1) << 20},
        {"MiB", UINT64_C(1) << 20},
        {"G", UINT64_C(1) << 30},
        {"GB", UINT64_C(1) << 30},
        {"GiB", UINT64_C(1) << 30},
        {"T", UINT64_C(1) << 40},
        {"TB", UINT64_C(1) << 40},
        {"TiB", UINT64_C(1) << 40},
    };
    struct decimal number;
    const char *end = read_decimal(text, &number);

    for (size_t i = 0; end && i < ARRAY_LEN(units); i++) {
        uint64_t value;

        if (strcasecmp(end, units[i].name) != 0)
            continue;
        if (units[i].size == 1 && number.frac != 0)
            break;
        if (!scale(&number, units[i].size, &value))
            return too_large(text, err);
        *out = value;
        return RC_OK;
    }
    return err_set(err, RC_USAGE,
                   "'%s' is not a size such as 64, 64KiB or 512MB", text);
}

enum rc parse_share(const char *text, double *out, struct err *err)
{
    struct decimal number;
    const char *end = read_decimal(text, &number);
    const bool in_pct = end && strcmp(end, "%") == 0;
    const uint64_t one = in_pct ? 100 : 1;

    if (!end || (*end && !in_pct))
        return err_set(err, RC_USAGE, "'%s' is not a share such as 0.5 or 50%%",
                       text);
    if (number.overflow || number.whole > one ||
        (number.whole == one && number.frac > 0))
        return err_set(err, RC_USAGE, "%s is not in 0..1 (0%%..100%%)", text);
    /* Both below 2^53, so that one rounding gives the nearest double. */
    *out = (double)(number.whole * FRAC_ONE + number.frac) /
           (double)(one * FRAC_ONE);
    return RC_OK;
}

enum rc parse_bool(const char *text, bool *out, struct err *err)
{
    static const struct {
        const char *name;
        bool value;
    } names[] = {
        {"on", true},   {"off", false},   {"yes", true}, {"no", false},
        {"true", true}, {"false", false}, {"1", true},   {"0", false},
    };

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcasecmp(text, names[i].name) == 0) {
            *out = names[i].value;
            return RC_OK;
        }
    return err_set(err, RC_USAGE, "'%s' is neither on nor off", text);
}
