/* SPDX-License-Identifier: MIT */
/* The distributions of sysbench's scripts. */
#include "stats/zipf.h"
#include "workload/sysbench/sysbench.h"

#include <math.h>
#include <stdlib.h>

void sb_dist_init(struct sb_dist *d, const struct sb_cfg *cfg)
{
    const double h = strtod(cfg->rand_pareto_h, NULL);

    *d = (struct sb_dist){
        .type = (enum sb_rand_type)cfg->rand_type,
        .iter = cfg->rand_spec_iter,
        .pct = (double)cfg->rand_spec_pct / 100,
        .res = 100 / (100 - (double)cfg->rand_spec_res),
        .pareto_power = log(h) / log(1 - h),
        .zipf_exp = strtod(cfg->rand_zipfian_exp, NULL),
    };
}

/* In [0, 1). */
static double unit(struct rng *r)
{
    return (double)(rng_next(r) >> 11) * 0x1.0p-53;
}

/* The mean of `iter` draws. */
static double bell(const struct sb_dist *d, struct rng *r)
{
    double sum = 0;

    for (uint64_t i = 0; i < d->iter; i++)
        sum += unit(r);
    return sum / (double)d->iter;
}

/* A share of the draws falls into the middle few percent, evenly; the others
 * are bell-shaped over all. */
static int64_t special(const struct sb_dist *d, struct rng *r, int64_t a,
                       int64_t b)
{
    const double t = (double)(b - a), u = unit(r);

    if (u * t * d->res < t)
        return a + (int64_t)(bell(d, r) * t);
    return a + (int64_t)(u * (t * d->pct + 1) + t / 2 - t * d->pct / 2);
}

static int64_t zipfian(const struct sb_dist *d, struct rng *r, int64_t a,
                       int64_t b)
{
    struct zipf z;

    if (d->zipf_exp <= 0)
        return rng_range(r, a, b);
    zipf_init(&z, (uint64_t)(b - a) + 1, d->zipf_exp);
    return a + (int64_t)zipf_draw(&z, r) - 1;
}

int64_t sb_dist_draw(const struct sb_dist *d, enum sb_rand_type type,
                     struct rng *r, int64_t a, int64_t b)
{
    if (b <= a)
        return a;
    switch (type) {
    case SB_UNIFORM:
        break;
    case SB_GAUSSIAN:
        return a + (int64_t)(bell(d, r) * (double)(b - a + 1));
    case SB_SPECIAL:
        return special(d, r, a, b);
    case SB_PARETO:
        return a +
               (int64_t)((double)(b - a + 1) * pow(unit(r), d->pareto_power));
    case SB_ZIPFIAN:
        return zipfian(d, r, a, b);
    }
    return rng_range(r, a, b);
}

/* Six digits or four letters of one draw. */
void sb_fill_template(struct rng *r, const char *from, char *to, size_t n)
{
    uint64_t bits = 0;
    unsigned left = 0;

    for (size_t i = 0; i < n; i++) {
        const unsigned base = from[i] == '#' ? 10 : 26;
        __extension__ typedef unsigned __int128 u128;
        u128 product;

        if (from[i] != '#' && from[i] != '@') {
            to[i] = from[i];
            continue;
        }
        if (left == 0) {
            bits = rng_next(r);
            left = 8;
        }
        product = (u128)bits * base;
        to[i] = (char)((base == 10 ? '0' : 'a') + (char)(product >> 64));
        bits = (uint64_t)product;
        left--;
    }
}

/* Squares modulo a prime: each number below it once. */
static uint32_t permute(uint32_t x)
{
    const uint32_t prime = UINT32_C(4294967291);
    uint32_t residue;

    if (x >= prime)
        return x;
    residue = (uint32_t)((uint64_t)x * x % prime);
    return x <= prime / 2 ? residue : prime - residue;
}

uint32_t sb_unique(struct sb_state *st)
{
    const uint32_t i =
        atomic_fetch_add_explicit(&st->unique_index, 1, memory_order_relaxed);

    return permute(permute(i) + (uint32_t)st->unique_offset) ^ 0x5bf03635U;
}
