/* SPDX-License-Identifier: MIT */
#include "stats/hist.h"

#include "base/mem.h"

#include <assert.h>
#include <float.h>

/* The partner of every relaxed load is a relaxed store of the same word in
 * hist_record(), or the thread itself. */
static uint64_t word_get(const _Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

static void word_set(_Atomic uint64_t *word, uint64_t value)
{
    atomic_store_explicit(word, value, memory_order_relaxed);
}

static int64_t ns_get(const _Atomic int64_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

static void ns_set(_Atomic int64_t *word, int64_t value)
{
    atomic_store_explicit(word, value, memory_order_relaxed);
}

struct hist *hist_new(void)
{
    return (struct hist *)mem_calloc_aligned(1, sizeof(struct hist));
}

void hist_free(struct hist *h)
{
    mem_free(h);
}

void hist_range(const struct hist *h, size_t *from, size_t *end)
{
    const uint64_t reach = word_get(&h->reach);

    *from = reach > 0 ? HIST_BUCKETS - (size_t)reach : 0;
    *end = (size_t)word_get(&h->end);
}

static void set_range(struct hist *h, size_t from, size_t end)
{
    word_set(&h->reach, end > 0 ? HIST_BUCKETS - from : 0);
    word_set(&h->end, end);
}

void hist_reset(struct hist *h)
{
    size_t i, end;

    for (hist_range(h, &i, &end); i < end; i++)
        word_set(&h->counts[i], 0);
    set_range(h, 0, 0);
    word_set(&h->n, 0);
    word_set(&h->overflow, 0);
    ns_set(&h->sum_ns, 0);
    ns_set(&h->max_ns, 0);
}

void hist_add_bucket(struct hist *h, size_t bucket, uint64_t n)
{
    assert(bucket < HIST_BUCKETS);
    if (n > 0)
        hist_widen_(h, bucket);
    word_set(&h->counts[bucket], word_get(&h->counts[bucket]) + n);
    word_set(&h->n, word_get(&h->n) + n);
    if (bucket == HIST_BUCKETS - 1)
        word_set(&h->overflow, word_get(&h->overflow) + n);
}

void hist_add_sum(struct hist *h, int64_t sum_ns, int64_t max_ns)
{
    ns_set(&h->sum_ns, ns_get(&h->sum_ns) + sum_ns);
    if (max_ns > ns_get(&h->max_ns))
        ns_set(&h->max_ns, max_ns);
}

void hist_record_zeros(struct hist *h, uint64_t n)
{
    hist_add_bucket(h, 0, n);
}

/*
 * n and overflow of the result come from the counts that were read, not from
 * the words of src: the owner may be between two stores, and a copy whose parts
 * disagree would make an interval with more values than counts.  For the same
 * reason the maximum is at least the lower end of the highest bucket seen.
 */
void hist_add(struct hist *dst, const struct hist *src)
{
    uint64_t n = 0;
    int64_t max_ns = ns_get(&src->max_ns);
    size_t i, end, highest = 0;

    for (hist_range(src, &i, &end); i < end; i++) {
        const uint64_t count = word_get(&src->counts[i]);

        if (count == 0)
            continue;
        if (n == 0)
            hist_widen_(dst, i);
        word_set(&dst->counts[i], word_get(&dst->counts[i]) + count);
        n += count;
        highest = i;
        if (i == HIST_BUCKETS - 1)
            word_set(&dst->overflow, word_get(&dst->overflow) + count);
    }
    word_set(&dst->n, word_get(&dst->n) + n);
    ns_set(&dst->sum_ns, ns_get(&dst->sum_ns) + ns_get(&src->sum_ns));
    if (n > 0) {
        hist_widen_(dst, highest);
        if (max_ns < hist_bucket_low(highest))
            max_ns = hist_bucket_low(highest);
    }
    if (max_ns > ns_get(&dst->max_ns))
        ns_set(&dst->max_ns, max_ns);
}

void hist_subtract(struct hist *dst, const struct hist *earlier)
{
    uint64_t n = 0, count = 0;
    size_t i, end, lowest = 0, highest = 0;

    for (hist_range(dst, &i, &end); i < end; i++) {
        assert(word_get(&dst->counts[i]) >= word_get(&earlier->counts[i]));
        count = word_get(&dst->counts[i]) - word_get(&earlier->counts[i]);
        word_set(&dst->counts[i], count);
        if (count == 0)
            continue;
        if (n == 0)
            lowest = i;
        n += count;
        highest = i;
    }
    set_range(dst, lowest, n > 0 ? highest + 1 : 0);
    word_set(&dst->overflow, word_get(&dst->counts[HIST_BUCKETS - 1]));
    word_set(&dst->n, n);
    ns_set(&dst->sum_ns, ns_get(&dst->sum_ns) - ns_get(&earlier->sum_ns));
    if (n == 0)
        ns_set(&dst->max_ns, 0);
    else if (hist_bucket_high(highest) < ns_get(&dst->max_ns))
        ns_set(&dst->max_ns, hist_bucket_high(highest));
}

int64_t hist_bucket_low(size_t bucket)
{
    size_t shift;

    assert(bucket < HIST_BUCKETS);
    if (bucket == HIST_BUCKETS - 1)
        return HIST_MAX_NS + 1;
    if (bucket < (2U << HIST_SUB_BITS))
        return (int64_t)bucket;
    shift = (bucket >> HIST_SUB_BITS) - 1;
    return (int64_t)(bucket - (shift << HIST_SUB_BITS)) << shift;
}

int64_t hist_bucket_high(size_t bucket)
{
    int64_t next;

    assert(bucket < HIST_BUCKETS);
    if (bucket == HIST_BUCKETS - 1)
        return INT64_MAX;
    next = hist_bucket_low(bucket + 1);
    /* The bucket that holds HIST_MAX_NS is cut there; those above it, up to
     * the power of two, stay empty. */
    return next > HIST_MAX_NS ? HIST_MAX_NS : next - 1;
}

uint64_t hist_count(const struct hist *h)
{
    return word_get(&h->n);
}

/* The rank, from 1, of percentile pct among n values. */
static uint64_t nearest_rank(double pct, uint64_t n)
{
    double exact = pct / 100.0 * (double)n;
    uint64_t rank;

    /* 99.9 % of 1000 comes out a hair above 999; without the slack, which is
     * more than three roundings can do, it would be rank 1000. */
    exact -= exact * 4.0 * DBL_EPSILON;
    rank = (uint64_t)exact;
    if ((double)rank < exact)
        rank++;
    if (rank < 1)
        return 1;
    return rank > n ? n : rank;
}

/* What stands for the values in a bucket. */
static int64_t bucket_value(size_t bucket, int64_t max_ns)
{
    int64_t low, value;

    /* Above the range nothing but the maximum is known. */
    if (bucket == HIST_BUCKETS - 1)
        return max_ns;
    low = hist_bucket_low(bucket);
    value = low + (hist_bucket_high(bucket) - low) / 2;
    return value > max_ns ? max_ns : value;
}

int64_t hist_percentile(const struct hist *h, double pct)
{
    uint64_t n = hist_count(h), rank, seen = 0;
    int64_t max_ns = hist_max(h);
    size_t i, end;

    if (!(pct >= 0.0 && pct <= 100.0))
        BUG("percentile %g is outside 0..100", pct);
    if (n == 0)
        return 0;
    rank = nearest_rank(pct, n);
    for (hist_range(h, &i, &end); i < end; i++) {
        seen += word_get(&h->counts[i]);
        if (seen >= rank)
            return bucket_value(i, max_ns);
    }
    /* Only a histogram that is written at this moment comes here. */
    return max_ns;
}

int64_t hist_max(const struct hist *h)
{
    return ns_get(&h->max_ns);
}

int64_t hist_sum(const struct hist *h)
{
    return ns_get(&h->sum_ns);
}

double hist_mean(const struct hist *h)
{
    uint64_t n = hist_count(h);

    return n == 0 ? 0.0 : (double)ns_get(&h->sum_ns) / (double)n;
}

void hist_figures(const struct hist *h, struct hist_figures *out)
{
    const struct {
        double pct;
        int64_t *to;
    } wanted[] = {
        {50, &out->p50_ns}, {90, &out->p90_ns},    {95, &out->p95_ns},
        {99, &out->p99_ns}, {99.9, &out->p999_ns},
    };
    uint64_t seen = 0;
    size_t next = 0, i, end;

    *out = (struct hist_figures){
        .n = hist_count(h),
        .sum_ns = ns_get(&h->sum_ns),
        .max_ns = hist_max(h),
    };
    for (hist_range(h, &i, &end); out->n > 0 && i < end; i++) {
        const uint64_t count = word_get(&h->counts[i]);

        if (count == 0)
            continue;
        seen += count;
        while (next < ARRAY_LEN(wanted) &&
               seen >= nearest_rank(wanted[next].pct, out->n))
            *wanted[next++].to = bucket_value(i, out->max_ns);
    }
}
