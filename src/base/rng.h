/* SPDX-License-Identifier: MIT */
/*
 * Random streams: xoshiro256++ (Blackman, Vigna 2019), seeded through
 * splitmix64 from (seed, stream, purpose).  A stream belongs to a purpose of
 * one virtual user or one piece of data, never to a thread, so that the same
 * seed gives the same work on any number of threads.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include "base/base.h"

struct rng {
    uint64_t s[4];
};

/* What a stream is for; one option must not perturb another's draws. */
enum rng_purpose {
    RNG_CHOICE = 1, /* which transaction comes next */
    RNG_INPUT = 2,  /* the transaction's inputs */
    RNG_BACKOFF = 3,
    RNG_PACING = 4,
    RNG_DATA = 5, /* the loader; stream = table and chunk */
    RNG_RUN = 6,  /* constants of a run, such as C for NURand */
    RNG_AUDIT = 7,
};

void rng_init(struct rng *r, uint64_t seed, uint64_t stream,
              enum rng_purpose purpose);

static inline uint64_t rng_next(struct rng *r)
{
    uint64_t *s = r->s;
    const uint64_t sum = s[0] + s[3];
    const uint64_t result = ((sum << 23) | (sum >> 41)) + s[0];
    const uint64_t t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

/* Uniform over 0..n-1, n > 0, by the high half of a 128-bit product; the bias
 * is below n / 2^64. */
static inline uint64_t rng_below(struct rng *r, uint64_t n)
{
    __extension__ typedef unsigned __int128 u128;

    return (uint64_t)(((u128)rng_next(r) * n) >> 64);
}

/* Uniform over the closed range lo..hi. */
static inline int64_t rng_range(struct rng *r, int64_t lo, int64_t hi)
{
    return lo + (int64_t)rng_below(r, (uint64_t)(hi - lo) + 1);
}

/* Uniform in (0, 1]. */
static inline double rng_unit(struct rng *r)
{
    return (double)((rng_next(r) >> 11) + 1) * 0x1.0p-53;
}

#endif
