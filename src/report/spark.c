/* SPDX-License-Identifier: MIT */
#include "report/spark.h"

#include <math.h>
#include <string.h>

#define LEVELS 8

/* The values that one character stands for. */
static double together(const double *values, size_t from, size_t to,
                       bool maximum)
{
    double sum = 0, most = NAN;
    size_t n = 0;

    for (size_t i = from; i < to; i++) {
        if (!isfinite(values[i]))
            continue;
        sum += values[i];
        most = fmax(most, values[i]);
        n++;
    }
    if (n == 0)
        return NAN;
    return maximum ? most : sum / (double)n;
}

static const char *bar(double value, double highest)
{
    static const char *const bars[LEVELS] = {"▁", "▂", "▃", "▄",
                                             "▅", "▆", "▇", "█"};
    int level;

    if (!isfinite(value))
        return " ";
    if (!(highest > 0) || !(value > 0))
        return bars[0];
    level = (int)ceil(LEVELS * value / highest) - 1;
    return bars[level < 0 ? 0 : level >= LEVELS ? LEVELS - 1 : level];
}

void spark_line(const double *values, size_t n, bool maximum,
                char out[SPARK_BYTES])
{
    const size_t width = n < SPARK_WIDTH ? n : SPARK_WIDTH;
    double each[SPARK_WIDTH] = {0}, highest = 0;
    size_t at = 0;

    for (size_t i = 0; i < width; i++) {
        each[i] = together(values, i * n / width, (i + 1) * n / width, maximum);
        highest = fmax(highest, each[i]);
    }
    for (size_t i = 0; i < width; i++) {
        const char *text = bar(each[i], highest);
        const size_t len = strlen(text);

        memcpy(out + at, text, len);
        at += len;
    }
    out[at] = '\0';
}
