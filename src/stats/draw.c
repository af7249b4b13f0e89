/* SPDX-License-Identifier: MIT */
#include "stats/draw.h"

#include <math.h>

#define TWO_PI 6.28318530717958647692

/* The place of a share of the range, 0 <= share < 1. */
static int64_t place(int64_t lo, int64_t hi, double share)
{
    return lo + (int64_t)((double)(hi - lo + 1) * share);
}

/* Uniform in [0, 1). */
static double below_one(struct rng *r)
{
    return 1.0 - rng_unit(r);
}

/* Box and Muller's; what lies further out than param is drawn again. */
int64_t draw_gaussian(struct rng *r, int64_t lo, int64_t hi, double param)
{
    double x;

    do {
        x = sqrt(-2.0 * log(rng_unit(r))) * sin(TWO_PI * rng_unit(r));
    } while (x < -param || x >= param);
    return place(lo, hi, (x + param) / (2.0 * param));
}

int64_t draw_exponential(struct rng *r, int64_t lo, int64_t hi, double param)
{
    const double cut = exp(-param);

    /* The logarithm of (cut, 1], so that the share is in [0, 1). */
    return place(lo, hi, -log(cut + (1.0 - cut) * rng_unit(r)) / param);
}

/* By rejection (Devroye 1986, X.6.1): no table, whatever the range. */
int64_t draw_zipfian(struct rng *r, int64_t lo, int64_t hi, double s)
{
    const double n = (double)(hi - lo + 1);
    const double b = pow(2.0, s - 1.0);
    double x, t, u, v;

    if (hi == lo)
        return lo;
    do {
        u = rng_unit(r);
        v = below_one(r);
        x = floor(pow(u, -1.0 / (s - 1.0)));
        t = pow(1.0 + 1.0 / x, s - 1.0);
    } while (v * x * (t - 1.0) / (b - 1.0) > t / b || x > n);
    return lo + (int64_t)x - 1;
}

/* ---- the permutation ---- */

/* Values depend on this generator, xoroshiro128** behind splitmix64. */
struct rounds {
    uint64_t s0, s1;
};

static uint64_t rotate(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t rounds_next(struct rounds *g)
{
    const uint64_t x = g->s0 ^ g->s1;
    const uint64_t out = rotate(g->s0 * 5, 7) * 9;

    g->s0 = rotate(g->s0, 24) ^ x ^ x << 16;
    g->s1 = rotate(x, 37);
    return out;
}

static unsigned top_bit(uint64_t x)
{
    return 63U - (unsigned)__builtin_clzll(x);
}

/* Uniform over 0..max, by rejection. */
static uint64_t rounds_up_to(struct rounds *g, uint64_t max)
{
    uint64_t x = 0;

    if (max == 0)
        return 0;
    do {
        x = rounds_next(g) >> (63 - top_bit(max));
    } while (x > max);
    return x;
}

/* A bijection of 0..mask: an odd factor, an XOR, a rotation by one bit. */
static uint64_t stir(uint64_t v, uint64_t factor, uint64_t flip, uint64_t mask)
{
    v = (v * factor ^ flip) & mask;
    return (v << 1 & mask) | v >> (top_bit(mask + 1) - 1);
}

/* Six rounds, each of the lower part, the upper part and a shift. */
int64_t draw_permute(int64_t value, int64_t size, int64_t seed)
{
    const uint64_t n = (uint64_t)size;
    uint64_t state = (uint64_t)seed;
    uint64_t v, mask;
    struct rounds g;

    if (size < 2)
        return 0;
    g.s0 = split_mix(&state);
    g.s1 = split_mix(&state);
    v = (uint64_t)value % n;
    mask = (UINT64_C(1) << top_bit(n)) - 1;
    for (int i = 0; i < 6; i++) {
        uint64_t factor = (rounds_next(&g) & mask) | 1;
        uint64_t flip = rounds_next(&g) & mask;

        if (v <= mask)
            v = stir(v, factor, flip, mask);
        factor = (rounds_next(&g) & mask) | 1;
        flip = rounds_next(&g) & mask;
        if (n - 1 - v <= mask)
            v = n - 1 - stir(n - 1 - v, factor, flip, mask);
        v = (v + rounds_up_to(&g, n - 1)) % n;
    }
    return (int64_t)v;
}
