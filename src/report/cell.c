/* SPDX-License-Identifier: MIT */
#include "report/cell.h"

#include "base/parse.h"

#include <math.h>
#include <stdio.h>

/* Three digits; the bounds are those where rounding adds one. */
static void three_digits(double value, const char *unit, char *out)
{
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

    snprintf(out, CELL_BYTES, "%.*f%s", decimals, value, unit);
}

void cell_duration(double ns, char *out)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {
        {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"h", 3600e9},
    };
    size_t i = 0;

    if (!(ns > 0))
        ns = 0;
    if (ns < 999.5) {
        snprintf(out, CELL_BYTES, "%.0fns", ns);
        return;
    }
    while (i + 1 < ARRAY_LEN(units) && ns / units[i].ns >= 999.5)
        i++;
    three_digits(ns / units[i].ns, units[i].name, out);
}

/* From a million on. */
static void scaled(double value, char *out)
{
    static const char units[] = "MGTPEZY";
    size_t i = 0;
    int decimals;

    value /= 1e6;
    while (value >= 999.95 && units[i + 1]) {
        value /= 1e3;
        i++;
    }
    if (value >= 9999) {
        snprintf(out, CELL_BYTES, "huge");
        return;
    }
    decimals = value < 9.9995 ? 3 : value < 99.995 ? 2 : 1;
    snprintf(out, CELL_BYTES, "%.*f%c", decimals, value, units[i]);
}

void cell_count(uint64_t n, char *out)
{
    if (n < 1000000)
        format_count(n, out, CELL_BYTES);
    else
        scaled((double)n, out);
}

void cell_number(double value, char *out)
{
    if (!isfinite(value) || value < 0)
        snprintf(out, CELL_BYTES, "-");
    else if (value < 999.95)
        snprintf(out, CELL_BYTES, "%.1f", value);
    else if (value < 999999.5)
        format_count((uint64_t)(value + 0.5), out, CELL_BYTES);
    else
        scaled(value, out);
}

void cell_share(double share, char *out)
{
    const double pct = 100 * share;

    if (!isfinite(pct) || pct < 0)
        snprintf(out, CELL_BYTES, "-");
    else if (pct > 0 && pct < 9.995)
        snprintf(out, CELL_BYTES, "%.2f%%", pct);
    else if (pct < 9999)
        snprintf(out, CELL_BYTES, "%.1f%%", pct);
    else
        snprintf(out, CELL_BYTES, "huge");
}

void cell_rate(double value, char *out)
{
    if (!isfinite(value) || value < 0)
        snprintf(out, CELL_BYTES, "-");
    else if (value < 99.95)
        snprintf(out, CELL_BYTES, "%.1f", value);
    else if (value < 1e18)
        format_count((uint64_t)(value + 0.5), out, CELL_BYTES);
    else
        scaled(value, out);
}
