/* SPDX-License-Identifier: MIT */
/*
 * A histogram as bytes: the counts of its buckets in order, as the HdrHistogram
 * format V2 has them (ZigZag LEB128; a negative number is a run of zeros).  Our
 * buckets are those of an HdrHistogram of two digits whose unit is 1 ns, so its
 * own tools read them (hist_log.h).
 *
 * With drop_bits > 0 each 2^drop_bits neighbours are one bucket, which makes
 * the bytes fewer and the error 2^drop_bits times larger.
 */
#ifndef STATS_HIST_CODE_H
#define STATS_HIST_CODE_H

#include "base/buf.h"
#include "stats/hist.h"

#define HIST_DROP_BITS_MAX 5

/* 7 bits a byte, the lowest first. */
void code_put(struct buf *out, uint64_t value);
/* False when the bytes end too early or the number is no 64-bit one. */
MUST_USE bool code_get(const uint8_t **at, const uint8_t *end, uint64_t *out);

/* Sum, maximum, then the counts up to the last that is not 0. */
void hist_encode(const struct hist *h, unsigned drop_bits, struct buf *out);
/* Adds to h, which belongs to the caller.  RC_INVALID when the bytes are not
 * what hist_encode() writes; then h holds part of them. */
MUST_USE enum rc hist_decode(const uint8_t *data, size_t len,
                             unsigned drop_bits, struct hist *h);

/* The counts alone, without the overflow, which HdrHistogram has not: it is
 * added to the highest bucket. */
void hist_encode_counts(const struct hist *h, struct buf *out);

#endif
