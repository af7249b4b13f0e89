/* SPDX-License-Identifier: MIT */
#include "store/histograms.h"

#include "base/mem.h"
#include "stats/hist_code.h"

#include <string.h>
#include <zlib.h>

/* A count takes nine bytes at most. */
#define RAW_ONE_MAX ((size_t)HIST_BUCKETS * 9 + 32)
#define RAW_MAX (2 * INTERVAL_TXNS_MAX * RAW_ONE_MAX)
#define HEAD_BYTES 2

enum { KIND_EMPTY, KIND_SAME, KIND_LENGTH };

struct packer {
    struct buf raw, one;
    z_stream z;
    bool z_ready;
};

enum rc packer_new(struct packer **out, struct err *err)
{
    struct packer *p = MEM_NEW(struct packer);

    if (p) {
        buf_init(&p->raw, RAW_MAX);
        buf_init(&p->one, RAW_ONE_MAX);
        p->z_ready = deflateInit(&p->z, Z_BEST_COMPRESSION) == Z_OK;
    }
    if (!p || !p->z_ready) {
        packer_free(p);
        return err_set(err, RC_NOMEM, "no memory for packing histograms");
    }
    *out = p;
    return RC_OK;
}

void packer_free(struct packer *p)
{
    if (!p)
        return;
    if (p->z_ready)
        deflateEnd(&p->z);
    buf_release(&p->raw);
    buf_release(&p->one);
    mem_free(p);
}

static void put_one(struct packer *p, const struct hist *h, unsigned drop_bits)
{
    if (hist_count(h) == 0) {
        code_put(&p->raw, KIND_EMPTY);
        return;
    }
    buf_reset(&p->one);
    hist_encode(h, drop_bits, &p->one);
    code_put(&p->raw, KIND_LENGTH + p->one.len);
    buf_add(&p->raw, p->one.data, p->one.len);
}

/* Without waiting in dyno's queues, service time is response time. */
static bool is_same(const struct interval_txn *t)
{
    return t->response.n > 0 && t->wait.n == 0 &&
           t->response.n == t->service.n &&
           t->response.sum_ns == t->service.sum_ns;
}

static void put_all(struct packer *p, const struct interval *it,
                    unsigned drop_bits)
{
    buf_reset(&p->raw);
    for (size_t i = 0; i < it->n_txns; i++) {
        put_one(p, it->txns[i].response_hist, drop_bits);
        if (is_same(&it->txns[i]))
            code_put(&p->raw, KIND_SAME);
        else
            put_one(p, it->txns[i].service_hist, drop_bits);
    }
}

static size_t squeeze(struct packer *p, uint8_t *out, size_t cap)
{
    if (deflateReset(&p->z) != Z_OK)
        return 0;
    p->z.next_in = (Bytef *)p->raw.data;
    p->z.avail_in = (uInt)p->raw.len;
    p->z.next_out = out;
    p->z.avail_out = (uInt)cap;
    return deflate(&p->z, Z_FINISH) == Z_STREAM_END ? cap - p->z.avail_out : 0;
}

size_t pack_interval(struct packer *p, const struct interval *it, uint8_t *out)
{
    bool any = false;

    for (size_t i = 0; i < it->n_txns; i++)
        any = any || it->txns[i].response.n > 0;
    for (unsigned drop = 0; any && drop <= HIST_DROP_BITS_MAX; drop++) {
        size_t len;

        put_all(p, it, drop);
        if (buf_rc(&p->raw) || buf_rc(&p->one))
            return 0;
        len = squeeze(p, out + HEAD_BYTES, HISTOGRAMS_BYTES_MAX - HEAD_BYTES);
        if (len > 0) {
            out[0] = HISTOGRAMS_FORMAT;
            out[1] = (uint8_t)drop;
            return len + HEAD_BYTES;
        }
    }
    return 0;
}

enum rc pack_one(const struct hist *h, struct buf *out)
{
    struct buf raw = BUF_INIT(RAW_ONE_MAX);
    uLongf len;
    char *bytes;
    enum rc rc;

    hist_encode(h, 0, &raw);
    len = compressBound(raw.len);
    bytes = mem_calloc(1, len);
    if (bytes && !buf_rc(&raw) &&
        compress2((Bytef *)bytes, &len, (const Bytef *)raw.data, raw.len,
                  Z_BEST_COMPRESSION) == Z_OK)
        buf_add(out, bytes, len);
    else
        out->rc = RC_NOMEM;
    rc = buf_rc(out);
    mem_free(bytes);
    buf_release(&raw);
    return rc;
}

/* Inflates into memory of the caller; *out_len is the room, then the length. */
static enum rc inflate_all(const uint8_t *data, size_t len, uint8_t *out,
                           size_t *out_len)
{
    uLongf got = *out_len;

    if (uncompress(out, &got, data, len) != Z_OK)
        return RC_INVALID;
    *out_len = got;
    return RC_OK;
}

static enum rc take_one(const uint8_t **at, const uint8_t *end, unsigned drop,
                        struct hist *h, bool *out_same)
{
    uint64_t kind, len;
    enum rc rc;

    *out_same = false;
    if (!code_get(at, end, &kind))
        return RC_INVALID;
    *out_same = kind == KIND_SAME;
    if (kind < KIND_LENGTH)
        return RC_OK;
    len = kind - KIND_LENGTH;
    if (len > (size_t)(end - *at))
        return RC_INVALID;
    rc = hist_decode(*at, len, drop, h);
    *at += len;
    return rc;
}

static enum rc take_all(const uint8_t *at, const uint8_t *end, unsigned drop,
                        struct hist *const *response,
                        struct hist *const *service, size_t n_txns)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < n_txns && at < end; i++) {
        const uint8_t *first = at;
        bool same;

        rc = take_one(&at, end, drop, response[i], &same);
        if (!rc && same)
            return RC_INVALID;
        if (!rc)
            rc = take_one(&at, end, drop, service[i], &same);
        if (!rc && same)
            rc = take_one(&first, end, drop, service[i], &same);
    }
    return rc;
}

enum rc unpack_interval(const void *data, size_t len,
                        struct hist *const *response,
                        struct hist *const *service, size_t n_txns,
                        unsigned *out_drop_bits)
{
    const uint8_t *bytes = data;
    size_t raw_len = 2 * n_txns * RAW_ONE_MAX;
    uint8_t *raw;
    enum rc rc;

    if (out_drop_bits)
        *out_drop_bits = 0;
    if (len == 0)
        return RC_OK;
    if (len < HEAD_BYTES || bytes[0] != HISTOGRAMS_FORMAT ||
        bytes[1] > HIST_DROP_BITS_MAX)
        return RC_INVALID;
    /* Most of the megabyte stays as it is: nothing clears it. */
    raw = mem_realloc(NULL, raw_len);
    if (!raw)
        return RC_NOMEM;
    rc = inflate_all(bytes + HEAD_BYTES, len - HEAD_BYTES, raw, &raw_len);
    if (!rc)
        rc = take_all(raw, raw + raw_len, bytes[1], response, service, n_txns);
    if (!rc && out_drop_bits)
        *out_drop_bits = bytes[1];
    mem_free(raw);
    return rc;
}

enum rc unpack_one(const void *data, size_t len, struct hist *h)
{
    size_t raw_len = RAW_ONE_MAX;
    uint8_t *raw = mem_calloc(1, raw_len);
    enum rc rc;

    if (!raw)
        return RC_NOMEM;
    rc = inflate_all(data, len, raw, &raw_len);
    if (!rc)
        rc = hist_decode(raw, raw_len, 0, h);
    mem_free(raw);
    return rc;
}
