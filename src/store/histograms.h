/* SPDX-License-Identifier: MIT */
/*
 * Histograms as they are kept: stats/hist_code, packed by zlib.
 *
 * Those of an interval are one blob, of limited size: when it would be larger,
 * buckets are taken together until it fits.  What was dropped is in the blob,
 * and a reader can tell.
 *
 *     byte 0      HISTOGRAMS_FORMAT
 *     byte 1      drop_bits: each 2^n buckets are one
 *     the rest    zlib: for each transaction its response and service times
 *                 (a number: 0 empty, 1 the same as the one before, else the
 *                 length of what hist_encode() wrote, plus 2)
 */
#ifndef STORE_HISTOGRAMS_H
#define STORE_HISTOGRAMS_H

#include "base/buf.h"
#include "stats/interval.h"

#define HISTOGRAMS_FORMAT 1
#define HISTOGRAMS_BYTES_MAX 1900

/* Belongs to one thread; all memory is made at once. */
struct packer;

MUST_USE enum rc packer_new(struct packer **out, struct err *err);
void packer_free(struct packer *p); /* NULL is fine */
/* Writes at most HISTOGRAMS_BYTES_MAX to out; 0 when there is nothing. */
size_t pack_interval(struct packer *p, const struct interval *it, uint8_t *out);
/* One histogram, nothing dropped; RC_NOMEM. */
MUST_USE enum rc pack_one(const struct hist *h, struct buf *out);

/* Adds the histograms of a blob to response[i] and service[i].  *out_drop_bits
 * (may be NULL) says what was dropped.  RC_INVALID when the bytes are broken.
 */
MUST_USE enum rc unpack_interval(const void *data, size_t len,
                                 struct hist *const *response,
                                 struct hist *const *service, size_t n_txns,
                                 unsigned *out_drop_bits);
MUST_USE enum rc unpack_one(const void *data, size_t len, struct hist *h);

#endif
