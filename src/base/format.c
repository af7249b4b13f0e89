/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "base/parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Below a minute: one unit, at most three decimals, none that is zero. */
static void format_short(uint64_t ns, const char *sign, char *out,
                         size_t out_len)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {
        {"ns", 1},
        {"us", (uint64_t)NS_PER_US},
        {"ms", (uint64_t)NS_PER_MS},
        {"s", (uint64_t)NS_PER_S},
    };
    char tail[sizeof(".999")];
    uint64_t milli = 0;
    size_t i, len;

    /* Rounding decides the unit: 999,999.7 us are 1s, never 1000ms. */
    for (i = 0;; i++) {
        milli = (ns * 1000 + units[i].ns / 2) / units[i].ns;
        if (milli < 1000 * 1000 || i + 1 == ARRAY_LEN(units))
            break;
    }
    snprintf(tail, sizeof(tail), ".%03u", (unsigned)(milli % 1000));
    len = strlen(tail);
    while (len > 1 && tail[len - 1] == '0')
        len--;
    tail[len > 1 ? len : 0] = '\0';
    snprintf(out, out_len, "%s%" PRIu64 "%s%s", sign, milli / 1000, tail,
             units[i].name);
}

void format_duration(int64_t ns, char *out, size_t out_len)
{
    const char *sign = ns < 0 ? "-" : "";
    const uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    const uint64_t half = (uint64_t)NS_PER_S / 2;
    uint64_t s;

    if (size == 0) {
        snprintf(out, out_len, "0s");
        return;
    }
    if (size < (uint64_t)(60 * NS_PER_S)) {
        format_short(size, sign, out, out_len);
        return;
    }
    s = (size + half) / (uint64_t)NS_PER_S;
    if (s % 3600 == 0)
        snprintf(out, out_len, "%s%" PRIu64 "h", sign, s / 3600);
    else if (s < 3600 && s % 60 == 0)
        snprintf(out, out_len, "%s%" PRIu64 "m", sign, s / 60);
    else if (s < 3600)
        snprintf(out, out_len, "%s%" PRIu64 "m%" PRIu64 "s", sign, s / 60,
                 s % 60);
    else if (s % 60 == 0)
        snprintf(out, out_len, "%s%" PRIu64 "h%" PRIu64 "m", sign, s / 3600,
                 s / 60 % 60);
    else
        snprintf(out, out_len, "%s%" PRIu64 "h%" PRIu64 "m%" PRIu64 "s", sign,
                 s / 3600, s / 60 % 60, s % 60);
}

void format_count(uint64_t n, char *out, size_t out_len)
{
    char digits[24];
    const int len = snprintf(digits, sizeof(digits), "%" PRIu64, n);
    size_t used = 0;

    for (int i = 0; i < len && used + 2 < out_len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            out[used++] = ',';
        out[used++] = digits[i];
    }
    if (out_len > 0)
        out[used] = '\0';
}

void format_bytes(uint64_t n, char *out, size_t out_len)
{
    static const char *const names[] = {"KB", "MB", "GB", "TB"};
    uint64_t unit = 1, tenths = 0;
    size_t i = 0;

    if (n < 1024) {
        snprintf(out, out_len, "%" PRIu64 " B", n);
        return;
    }
    for (;; i++) {
        unit <<= 10;
        tenths = n / unit * 10 + (n % unit * 10 + unit / 2) / unit;
        if (tenths < 10240 || i + 1 == ARRAY_LEN(names))
            break;
    }
    snprintf(out, out_len, "%" PRIu64 ".%" PRIu64 " %s", tenths / 10,
             tenths % 10, names[i]);
}
