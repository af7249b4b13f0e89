/* SPDX-License-Identifier: MIT */
/*
 * A histogram of durations in the manner of HdrHistogram: linear sub-buckets
 * inside powers of two, so that the error is below 1 % from 1 us to 1 hour.
 * The unit is the nanosecond.
 *
 * One thread writes (hist_record), any thread may read at the same time:
 * counts are single words, stored with relaxed order and never torn.  There is
 * no swap: a reader that wants an interval copies the counts and subtracts the
 * copy before (docs/design/recording.md).  Size is constant.
 */
#ifndef STATS_HIST_H
#define STATS_HIST_H

#include "base/err.h"

#include <stdatomic.h>

/* 2^7 sub-buckets for each power of two: error below 1/128. */
#define HIST_SUB_BITS 7
#define HIST_MAX_NS INT64_C(3600000000000)
/* Values below 2^8 ns are exact; the rest is by power of two up to 2^42.  The
 * last bucket, which no value of the range reaches, is the overflow. */
#define HIST_BUCKETS ((42 - HIST_SUB_BITS + 1) << HIST_SUB_BITS)

struct hist {
    _Atomic uint64_t counts[HIST_BUCKETS];
    _Atomic uint64_t n;
    _Atomic uint64_t overflow; /* values above HIST_MAX_NS, counted in n too */
    _Atomic int64_t sum_ns;
    _Atomic int64_t max_ns; /* exact */
    /* Every count that is not 0 lies in [HIST_BUCKETS - reach, end): most are
     * empty, and readers pass over them every second.  They only grow, but for
     * hist_reset() and hist_subtract(). */
    _Atomic uint64_t reach, end;
};

/* The bucket of a value: 0 for values <= 0, the last one above the range. */
static inline size_t hist_bucket(int64_t ns)
{
    uint64_t v = ns < 0 ? 0 : (uint64_t)ns;
    unsigned shift;

    if (v < (UINT64_C(2) << HIST_SUB_BITS))
        return (size_t)v;
    if (ns > HIST_MAX_NS)
        return HIST_BUCKETS - 1;
    shift = 63 - (unsigned)__builtin_clzll(v) - HIST_SUB_BITS;
    return ((size_t)shift << HIST_SUB_BITS) + (size_t)(v >> shift);
}

static inline void hist_bump_(_Atomic uint64_t *word)
{
    /* Single writer: a load and a store, not a locked add.  Partner: the
     * relaxed loads of hist_copy(). */
    atomic_store_explicit(word,
                          atomic_load_explicit(word, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

static inline void hist_widen_(struct hist *h, size_t bucket)
{
    if (bucket >= atomic_load_explicit(&h->end, memory_order_relaxed))
        atomic_store_explicit(&h->end, bucket + 1, memory_order_relaxed);
    if (HIST_BUCKETS - bucket >
        atomic_load_explicit(&h->reach, memory_order_relaxed))
        atomic_store_explicit(&h->reach, HIST_BUCKETS - bucket,
                              memory_order_relaxed);
}

/* Owner only.  Counts n values of 0: what did not wait at all. */
void hist_record_zeros(struct hist *h, uint64_t n);
/* Owner only. */
static inline void hist_record(struct hist *h, int64_t ns)
{
    size_t bucket;

    if (ns < 0)
        ns = 0;
    bucket = hist_bucket(ns);
    hist_widen_(h, bucket);
    hist_bump_(&h->counts[bucket]);
    hist_bump_(&h->n);
    if (ns > HIST_MAX_NS)
        hist_bump_(&h->overflow);
    atomic_store_explicit(
        &h->sum_ns, atomic_load_explicit(&h->sum_ns, memory_order_relaxed) + ns,
        memory_order_relaxed);
    if (ns > atomic_load_explicit(&h->max_ns, memory_order_relaxed))
        atomic_store_explicit(&h->max_ns, ns, memory_order_relaxed);
}

/* Allocates one (about 37 KB), all zero; NULL when out of memory. */
MUST_USE struct hist *hist_new(void);
void hist_free(struct hist *h);
void hist_reset(struct hist *h); /* owner only */

/* Owner only.  Puts together what was taken apart: n values in a bucket; then
 * their sum, and their maximum when it is higher. */
void hist_add_bucket(struct hist *h, size_t bucket, uint64_t n);
void hist_add_sum(struct hist *h, int64_t sum_ns, int64_t max_ns);

/* dst += src; src may be written meanwhile, dst belongs to the caller.  The
 * count of dst always agrees with its buckets; its sum may miss or hold the
 * value that was being recorded. */
void hist_add(struct hist *dst, const struct hist *src);
/* dst -= earlier, for intervals; earlier must be an older copy of the same
 * sum.  The maximum becomes the upper end of the highest bucket left, capped
 * by dst's exact maximum. */
void hist_subtract(struct hist *dst, const struct hist *earlier);

/* All buckets that count something are in [*from, *end), both 0 when none
 * does. */
void hist_range(const struct hist *h, size_t *from, size_t *end);

/* Bounds of a bucket, ns, both inclusive; those of the overflow are
 * HIST_MAX_NS + 1 and INT64_MAX. */
int64_t hist_bucket_low(size_t bucket);
int64_t hist_bucket_high(size_t bucket);

uint64_t hist_count(const struct hist *h);
/* The value at percentile pct in 0..100, by nearest rank: the middle of its
 * bucket, never above the exact maximum, which also stands for the overflow; 0
 * when empty.  A pct outside 0..100 is a BUG. */
int64_t hist_percentile(const struct hist *h, double pct);
int64_t hist_max(const struct hist *h);
int64_t hist_sum(const struct hist *h);
double hist_mean(const struct hist *h); /* 0 when empty */

/* What a report says of a histogram, ns; all 0 when it is empty. */
struct hist_figures {
    uint64_t n;
    int64_t sum_ns;
    int64_t p50_ns, p90_ns, p95_ns, p99_ns, p999_ns, max_ns;
};

/* In one pass; the same values as hist_percentile() gives. */
void hist_figures(const struct hist *h, struct hist_figures *out);

#endif
