/* SPDX-License-Identifier: MIT */
/*
 * The non-uniform choices of TPC-C, clauses 2.1.6 and 4.3.2.3.
 */
#ifndef WORKLOAD_TPCC_NURAND_H
#define WORKLOAD_TPCC_NURAND_H

#include "base/err.h"
#include "base/rng.h"

enum {
    NURAND_A_LAST = 255,
    NURAND_A_CUSTOMER = 1023,
    NURAND_A_ITEM = 8191,
    TPCC_LAST_MAX = 16, /* C_LAST is at most 15 letters, and a NUL */
};

/* NURand(A, x, y) with the constant C, clause 2.1.6. */
static inline uint64_t nurand(struct rng *r, uint64_t a, uint64_t x, uint64_t y,
                              uint64_t c)
{
    const uint64_t low = rng_below(r, a + 1);
    const uint64_t high = x + rng_below(r, y - x + 1);

    return ((low | high) + c) % (y - x + 1) + x;
}

/* The last name of number 0..999, clause 4.3.2.3; returns its length.  out is
 * NUL-terminated. */
size_t last_name(uint64_t number, char out[TPCC_LAST_MAX]);

/* Clause 2.1.6.1: |C-Run - C-Load| in 65..119, not 96 or 112. */
bool c_run_allowed(uint64_t c_run, uint64_t c_load);
/* Draws a C-Run in 0..255 that is allowed for this C-Load. */
uint64_t c_run_draw(struct rng *r, uint64_t c_load);

/* How often each of the n = y - x + 1 values comes up, out of
 * (A + 1) * n, for C = 0; counts[i] belongs to x + i.  For tests and audit. */
MUST_USE bool nurand_counts(uint64_t a, uint64_t x, uint64_t y,
                            uint64_t *counts);

#endif
