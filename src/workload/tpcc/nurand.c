/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/nurand.h"

#include "base/mem.h"

#include <string.h>

size_t last_name(uint64_t number, char out[TPCC_LAST_MAX])
{
    static const char syllables[10][6] = {
        "BAR", "OUGHT", "ABLE",  "PRI",   "PRES",
        "ESE", "ANTI",  "CALLY", "ATION", "EING",
    };
    const uint64_t digits[3] = {number / 100 % 10, number / 10 % 10,
                                number % 10};
    size_t len = 0;

    for (size_t i = 0; i < ARRAY_LEN(digits); i++) {
        const char *syllable = syllables[digits[i]];
        const size_t n = strlen(syllable);

        memcpy(out + len, syllable, n);
        len += n;
    }
    out[len] = '\0';
    return len;
}

bool c_run_allowed(uint64_t c_run, uint64_t c_load)
{
    const uint64_t delta = c_run > c_load ? c_run - c_load : c_load - c_run;

    return delta >= 65 && delta <= 119 && delta != 96 && delta != 112;
}

uint64_t c_run_draw(struct rng *r, uint64_t c_load)
{
    uint64_t c_run;

    do {
        c_run = rng_below(r, NURAND_A_LAST + 1);
    } while (!c_run_allowed(c_run, c_load));
    return c_run;
}

/* f[i] becomes the sum of f over the subsets of i's bits. */
static void sum_subsets(uint64_t *f, uint64_t size)
{
    for (uint64_t bit = 1; bit < size; bit *= 2) {
        for (uint64_t i = 0; i < size; i++) {
            if (i & bit)
                f[i] += f[i ^ bit];
        }
    }
}

static void unsum_subsets(uint64_t *f, uint64_t size)
{
    for (uint64_t bit = 1; bit < size; bit *= 2) {
        for (uint64_t i = 0; i < size; i++) {
            if (i & bit)
                f[i] -= f[i ^ bit];
        }
    }
}

/* low | high is a subset of i exactly when both are: so the counts of the OR
 * are the product of both subset sums, taken back. */
bool nurand_counts(uint64_t a, uint64_t x, uint64_t y, uint64_t *counts)
{
    const uint64_t n = y - x + 1;
    uint64_t *low, *high, size = 1;
    bool done = false;

    while (size <= a || size <= y)
        size *= 2;
    low = MEM_ARRAY(uint64_t, size);
    high = MEM_ARRAY(uint64_t, size);
    if (!low || !high)
        goto out;
    for (uint64_t i = 0; i <= a; i++)
        low[i] = 1;
    for (uint64_t i = x; i <= y; i++)
        high[i] = 1;
    sum_subsets(low, size);
    sum_subsets(high, size);
    for (uint64_t i = 0; i < size; i++)
        low[i] *= high[i];
    unsum_subsets(low, size);
    memset(counts, 0, (size_t)n * sizeof(*counts));
    for (uint64_t i = 0; i < size; i++)
        counts[i % n] += low[i];
    done = true;
out:
    mem_free(low);
    mem_free(high);
    return done;
}
