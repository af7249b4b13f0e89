/* SPDX-License-Identifier: MIT */
#include "driver/value_text.h"

#define US_PER_S INT64_C(1000000)
#define US_PER_DAY (86400 * US_PER_S)

/* Digits behind the point that a value of the type has. */
static unsigned scale_of(enum value_type type)
{
    if (type == VALUE_MONEY)
        return 2;
    return type == VALUE_RATE ? 4 : 0;
}

static int64_t power10(unsigned scale)
{
    static const int64_t powers[] = {1, 10, 100, 1000, 10000};

    return powers[scale];
}

int64_t value_unit(enum value_type type)
{
    return power10(scale_of(type));
}

/* ---- times: the Gregorian calendar, without a lock or a time zone ---- */

/* Years begin in March, so that a leap day is the last of its year. */
static int64_t days_of(int64_t year, unsigned month, unsigned day)
{
    const int64_t y = month > 2 ? year : year - 1;
    const int64_t era = (y >= 0 ? y : y - 399) / 400;
    const int64_t of_era = y - era * 400;
    const int64_t of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
           719468;
}

struct value_time value_time_of(int64_t us)
{
    const int64_t in_day = (us % US_PER_DAY + US_PER_DAY) % US_PER_DAY;
    const int64_t days = (us - in_day) / US_PER_DAY + 719468;
    const int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    const int64_t of_era = days - era * 146097;
    const int64_t y =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * y + y / 4 - y / 100);
    const int64_t m = (5 * of_year + 2) / 153;
    const unsigned s = (unsigned)(in_day / US_PER_S);

    return (struct value_time){
        .year = y + era * 400 + (m >= 10),
        .month = (unsigned)(m < 10 ? m + 3 : m - 9),
        .day = (unsigned)(of_year - (153 * m + 2) / 5 + 1),
        .hour = s / 3600,
        .minute = s / 60 % 60,
        .second = s % 60,
        .us = (unsigned)(in_day % US_PER_S),
    };
}

bool value_time_to_us(const struct value_time *t, int64_t *out)
{
    int64_t s;

    /* "0000-00-00" is no date. */
    if (t->month < 1 || t->month > 12 || t->day < 1 || t->day > 31 ||
        t->hour > 23 || t->minute > 59 || t->second > 59 || t->us > 999999)
        return false;
    s = days_of(t->year, t->month, t->day) * 86400 +
        (int64_t)(t->hour * 3600 + t->minute * 60 + t->second);
    *out = s * US_PER_S + t->us;
    return true;
}

/* ---- text ---- */

static char *put_digits(char *out, uint64_t n, size_t width)
{
    for (size_t i = width; i-- > 0; n /= 10)
        out[i] = (char)('0' + n % 10);
    return out + width;
}

static size_t count_digits(uint64_t n)
{
    size_t width = 1;

    while (n >= 10) {
        n /= 10;
        width++;
    }
    return width;
}

static char *put_number(char *out, int64_t i, unsigned scale)
{
    const uint64_t size = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
    const uint64_t unit = (uint64_t)power10(scale);

    if (i < 0)
        *out++ = '-';
    out = put_digits(out, size / unit, count_digits(size / unit));
    if (scale == 0)
        return out;
    *out++ = '.';
    return put_digits(out, size % unit, scale);
}

/* "2026-11-30 12:00:00.000000" */
static char *put_time(char *out, int64_t us)
{
    const struct value_time t = value_time_of(us);

    out = put_digits(out, (uint64_t)t.year, 4);
    *out++ = '-';
    out = put_digits(out, t.month, 2);
    *out++ = '-';
    out = put_digits(out, t.day, 2);
    *out++ = ' ';
    out = put_digits(out, t.hour, 2);
    *out++ = ':';
    out = put_digits(out, t.minute, 2);
    *out++ = ':';
    out = put_digits(out, t.second, 2);
    *out++ = '.';
    return put_digits(out, t.us, 6);
}

/* Item by item, padded with blanks. */
static char *put_padded(char *out, const struct value *v)
{
    for (uint32_t k = 0; k < v->len; k++) {
        char text[VALUE_PRINTED_MAX];
        const size_t len = (size_t)(put_number(text, v->ints[k], 0) - text);

        memset(out, ' ', VALUE_PADDED_BYTES - len);
        memcpy(out + VALUE_PADDED_BYTES - len, text, len);
        out += VALUE_PADDED_BYTES;
    }
    return out;
}

static char *put_items(char *out, const struct value *v, char begin, char end)
{
    *out++ = begin;
    for (uint32_t k = 0; k < v->len; k++) {
        if (k > 0)
            *out++ = ',';
        out = put_number(out, v->ints[k], 0);
    }
    *out++ = end;
    return out;
}

size_t value_print_list(const struct value *v, enum value_list form, char *out)
{
    switch (form) {
    case VALUE_LIST_PADDED:
        return (size_t)(put_padded(out, v) - out);
    case VALUE_LIST_BRACES:
        return (size_t)(put_items(out, v, '{', '}') - out);
    case VALUE_LIST_JSON:
        return (size_t)(put_items(out, v, '[', ']') - out);
    }
    return 0;
}

size_t value_print(const struct value *v, char *out)
{
    if (v->type == VALUE_TIME)
        return (size_t)(put_time(out, v->i) - out);
    return (size_t)(put_number(out, v->i, scale_of(v->type)) - out);
}

/* Digits up to the end or the first other character. */
static size_t take_digits(const char *s, size_t len, uint64_t *out, bool *ok)
{
    size_t n = 0;

    *out = 0;
    for (; n < len && s[n] >= '0' && s[n] <= '9'; n++) {
        if (__builtin_mul_overflow(*out, (uint64_t)10, out) ||
            __builtin_add_overflow(*out, (uint64_t)(s[n] - '0'), out))
            *ok = false;
    }
    return n;
}

/* "-12.34"; more digits behind the point than the type has must be zeros. */
static bool parse_number(const char *s, size_t len, unsigned scale,
                         int64_t *out)
{
    const bool negative = len > 0 && *s == '-';
    uint64_t whole = 0, fraction = 0, size;
    size_t n, n_fraction = 0;
    bool ok = true;

    s += negative;
    len -= negative;
    n = take_digits(s, len, &whole, &ok);
    if (n == 0)
        return false;
    if (n < len && s[n] == '.') {
        const char *behind = s + n + 1;
        const size_t rest = len - n - 1;

        n_fraction =
            take_digits(behind, rest < scale ? rest : scale, &fraction, &ok);
        for (n += 1 + n_fraction; n < len && s[n] == '0'; n++)
            ;
    }
    if (!ok || n != len)
        return false;
    fraction *= (uint64_t)power10(scale - (unsigned)n_fraction);
    if (__builtin_mul_overflow(whole, (uint64_t)power10(scale), &size) ||
        __builtin_add_overflow(size, fraction, &size) ||
        size > (uint64_t)INT64_MAX + negative)
        return false;
    *out = (int64_t)(negative ? 0 - size : size);
    return true;
}

/* "2026-11-30", "2026-11-30 12:00:00", "… 12:00:00.5" */
static bool parse_time(const char *s, size_t len, int64_t *out)
{
    struct value_time t = {0};
    uint64_t part[7] = {0};
    static const char marks[] = "-- ::.";
    bool ok = true;
    size_t at = 0, n = 0, width = 0;

    for (; n < ARRAY_LEN(part); n++) {
        width = take_digits(s + at, len - at, &part[n], &ok);
        at += width;
        if (width == 0)
            ok = false;
        if (at == len || n + 1 == ARRAY_LEN(part))
            break;
        if (s[at] != marks[n] && !(n == 2 && s[at] == 'T'))
            return false;
        at++;
    }
    if (!ok || at != len || (n != 2 && n != 5 && n != 6) || width > 6 ||
        part[0] > 9999)
        return false;
    for (; n == 6 && width < 6; width++)
        part[6] *= 10;
    t = (struct value_time){(int64_t)part[0],  (unsigned)part[1],
                            (unsigned)part[2], (unsigned)part[3],
                            (unsigned)part[4], (unsigned)part[5],
                            (unsigned)part[6]};
    return value_time_to_us(&t, out);
}

bool value_parse(enum value_type type, const char *s, size_t len,
                 struct value *out)
{
    out->type = type;
    out->len = 0;
    switch (type) {
    case VALUE_NULL:
    case VALUE_INTS:
        return false;
    case VALUE_TEXT:
        out->s = s;
        out->len = (uint32_t)len;
        return len <= UINT32_MAX;
    case VALUE_TIME:
        return parse_time(s, len, &out->i);
    case VALUE_INT:
    case VALUE_MONEY:
    case VALUE_RATE:
        return parse_number(s, len, scale_of(type), &out->i);
    }
    return false;
}
