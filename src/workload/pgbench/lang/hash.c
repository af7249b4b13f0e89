/* SPDX-License-Identifier: MIT */
/* The hash functions of expressions; values as pgbench's. */
#include "workload/pgbench/lang/expr.h"

#define FNV_OFFSET UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)
#define MURMUR_FACTOR UINT64_C(0xc6a4a7935bd1e995)
#define MURMUR_SHIFT 47

int64_t hash_fnv1a(int64_t value, int64_t seed)
{
    uint64_t h = FNV_OFFSET ^ (uint64_t)seed;

    for (unsigned i = 0; i < 64; i += 8)
        h = (h ^ ((uint64_t)value >> i & 0xff)) * FNV_PRIME;
    return (int64_t)h;
}

/* Of eight bytes. */
int64_t hash_murmur2(int64_t value, int64_t seed)
{
    uint64_t h = (uint64_t)seed ^ 8 * MURMUR_FACTOR;
    uint64_t k = (uint64_t)value * MURMUR_FACTOR;

    k = (k ^ k >> MURMUR_SHIFT) * MURMUR_FACTOR;
    h = (h ^ k) * MURMUR_FACTOR;
    h = (h ^ h >> MURMUR_SHIFT) * MURMUR_FACTOR;
    return (int64_t)(h ^ h >> MURMUR_SHIFT);
}
