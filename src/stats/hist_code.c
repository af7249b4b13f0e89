/* SPDX-License-Identifier: MIT */
#include "stats/hist_code.h"

static uint64_t count_at(const struct hist *h, size_t bucket)
{
    return atomic_load_explicit(&h->counts[bucket], memory_order_relaxed);
}

void code_put(struct buf *out, uint64_t value)
{
    while (value >= 0x80) {
        buf_putc(out, (char)(0x80 | (value & 0x7f)));
        value >>= 7;
    }
    buf_putc(out, (char)value);
}

bool code_get(const uint8_t **at, const uint8_t *end, uint64_t *out)
{
    uint64_t value = 0;

    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        const uint8_t byte = *(*at)++;

        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *out = value;
            return true;
        }
    }
    return false;
}

/* HdrHistogram's 64-bit LEB128: the ninth byte has all its eight bits. */
static void put_zigzag(struct buf *out, int64_t value)
{
    uint64_t z = ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0);

    for (int i = 0; i < 8; i++) {
        if (z < 0x80) {
            buf_putc(out, (char)z);
            return;
        }
        buf_putc(out, (char)(0x80 | (z & 0x7f)));
        z >>= 7;
    }
    buf_putc(out, (char)z);
}

static bool get_zigzag(const uint8_t **at, const uint8_t *end, int64_t *out)
{
    uint64_t z = 0;

    for (unsigned i = 0; i < 9; i++) {
        uint8_t byte;

        if (*at == end)
            return false;
        byte = *(*at)++;
        z |= (uint64_t)(i < 8 ? byte & 0x7f : byte) << (7 * i);
        if (i == 8 || byte < 0x80)
            break;
    }
    *out = (int64_t)(z >> 1) ^ -(int64_t)(z & 1);
    return true;
}

/* The counts of n buckets, each of them `group` neighbours. */
static void put_counts(const struct hist *h, size_t n, size_t group,
                       uint64_t over, struct buf *out)
{
    size_t from, end;
    int64_t zeros;

    hist_range(h, &from, &end);
    /* What lies behind the n is the overflow, which the last one takes. */
    from = from < n * group ? from / group : n - 1;
    end = over > 0 || end > n * group ? n : (end + group - 1) / group;
    zeros = (int64_t)from;
    for (size_t i = from; i < end; i++) {
        uint64_t count = 0;

        for (size_t k = i * group; k < (i + 1) * group; k++)
            count += count_at(h, k);
        if (i + 1 == n)
            count += over;
        if (count == 0) {
            zeros++;
            continue;
        }
        if (zeros > 0)
            put_zigzag(out, -zeros);
        zeros = 0;
        put_zigzag(out, (int64_t)count);
    }
}

void hist_encode(const struct hist *h, unsigned drop_bits, struct buf *out)
{
    const size_t group = (size_t)1 << drop_bits;

    code_put(out, (uint64_t)hist_sum(h));
    code_put(out, (uint64_t)hist_max(h));
    put_counts(h, HIST_BUCKETS / group, group, 0, out);
}

void hist_encode_counts(const struct hist *h, struct buf *out)
{
    put_counts(h, hist_bucket(HIST_MAX_NS) + 1, 1,
               count_at(h, HIST_BUCKETS - 1), out);
}

/* The group's middle stands for it; the last one ends with the overflow, and
 * nothing else is in it. */
static size_t bucket_of_group(size_t i, unsigned drop_bits)
{
    const size_t first = i << drop_bits;

    if (((i + 1) << drop_bits) == HIST_BUCKETS)
        return HIST_BUCKETS - 1;
    return first + ((((size_t)1 << drop_bits) - 1) / 2);
}

enum rc hist_decode(const uint8_t *data, size_t len, unsigned drop_bits,
                    struct hist *h)
{
    const size_t n = HIST_BUCKETS >> drop_bits;
    const uint8_t *at = data, *end = data + len;
    uint64_t sum, max;
    size_t i = 0;

    if (!code_get(&at, end, &sum) || !code_get(&at, end, &max) ||
        sum > INT64_MAX || max > INT64_MAX)
        return RC_INVALID;
    while (at < end) {
        int64_t count;

        if (!get_zigzag(&at, end, &count) || count == 0 || i >= n)
            return RC_INVALID;
        if (count > 0) {
            hist_add_bucket(h, bucket_of_group(i++, drop_bits),
                            (uint64_t)count);
        } else {
            if ((uint64_t)-count > n - i)
                return RC_INVALID;
            i += (size_t)-count;
        }
    }
    hist_add_sum(h, (int64_t)sum, (int64_t)max);
    return RC_OK;
}
