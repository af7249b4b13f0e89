/* SPDX-License-Identifier: MIT */
#include "base/rng.h"

#define GOLDEN_GAMMA UINT64_C(0x9e3779b97f4a7c15)

/* The output function of splitmix64: a bijection that changes about half of
 * the bits for each bit of its input (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void rng_init(struct rng *r, uint64_t seed, uint64_t stream,
              enum rng_purpose purpose)
{
    /*
     * A full mix between the parts, so that neighbouring seeds, streams and
     * purposes (which are all small numbers) do not cancel out as they would
     * in a sum.  Each part alone acts as a bijection: two streams of one seed
     * and purpose never start alike.
     */
    uint64_t x = mix(seed + GOLDEN_GAMMA);

    x = mix(x + stream + GOLDEN_GAMMA);
    x = mix(x + (uint64_t)purpose + GOLDEN_GAMMA);

    /* Four different inputs of a bijection: at most one word is zero, and the
     * all-zero state, which xoshiro cannot leave, is out of reach. */
    for (int i = 0; i < 4; i++) {
        x += GOLDEN_GAMMA;
        r->s[i] = mix(x);
    }
}
