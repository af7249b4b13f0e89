/* SPDX-License-Identifier: MIT */
#include "stats/hist_log.h"

#include "base/clock.h"
#include "base/mem.h"
#include "stats/hist_code.h"

#include <inttypes.h>
#include <zlib.h>

/* The low four bits of the third digit say "words of up to 64 bits, LEB128". */
#define COOKIE_V2 0x1c849313U
#define COOKIE_V2_COMPRESSED 0x1c849314U
#define HEAD_BYTES 40
#define DIGITS 2
#define ENCODED_BYTES_MAX ((size_t)HIST_BUCKETS * 9 + HEAD_BYTES)

static void put_u32(struct buf *out, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_putc(out, (char)(value >> shift & 0xff));
}

static void put_u64(struct buf *out, uint64_t value)
{
    put_u32(out, (uint32_t)(value >> 32));
    put_u32(out, (uint32_t)value);
}

static void put_base64(struct buf *out, const uint8_t *data, size_t len)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < len; i += 3) {
        const uint32_t word = (uint32_t)data[i] << 16 |
                              (i + 1 < len ? (uint32_t)data[i + 1] << 8 : 0) |
                              (i + 2 < len ? data[i + 2] : 0U);

        buf_putc(out, digits[word >> 18]);
        buf_putc(out, digits[word >> 12 & 63]);
        buf_putc(out, i + 1 < len ? digits[word >> 6 & 63] : '=');
        buf_putc(out, i + 2 < len ? digits[word & 63] : '=');
    }
}

/* All numbers are big-endian. */
static void encode_v2(const struct hist *h, struct buf *out)
{
    struct buf counts = BUF_INIT(ENCODED_BYTES_MAX);

    hist_encode_counts(h, &counts);
    put_u32(out, COOKIE_V2);
    put_u32(out, (uint32_t)counts.len);
    put_u32(out, 0); /* the index is not shifted */
    put_u32(out, DIGITS);
    put_u64(out, 1); /* the lowest value that can be told from 0 */
    put_u64(out, (uint64_t)HIST_MAX_NS);
    put_u64(out, UINT64_C(0x3ff0000000000000)); /* 1.0: values are integers */
    buf_add(out, counts.data, counts.len);
    if (buf_rc(&counts))
        out->rc = buf_rc(&counts);
    buf_release(&counts);
}

static void put_compressed(struct buf *out, const struct buf *plain)
{
    uLongf len = compressBound(plain->len);
    struct buf packed = BUF_INIT((size_t)len + 8);
    Bytef *bytes = mem_calloc(1, len);

    if (!bytes || compress2(bytes, &len, (const Bytef *)plain->data, plain->len,
                            Z_DEFAULT_COMPRESSION) != Z_OK) {
        out->rc = RC_NOMEM;
    } else {
        put_u32(&packed, COOKIE_V2_COMPRESSED);
        put_u32(&packed, (uint32_t)len);
        buf_add(&packed, (const char *)bytes, len);
        if (buf_rc(&packed))
            out->rc = buf_rc(&packed);
        else
            put_base64(out, (const uint8_t *)packed.data, packed.len);
    }
    mem_free(bytes);
    buf_release(&packed);
}

void hist_log_head(struct buf *out, int64_t start_wall_us, const char *comment)
{
    char text[32];

    clock_format_utc(start_wall_us, text, sizeof(text));
    buf_printf(
        out,
        "#[%s]\n"
        "#[Histogram log format version 1.3]\n"
        "#[StartTime: %" PRId64 ".%03" PRId64 " (seconds since epoch), %s]\n"
        "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
        "\"Interval_Compressed_Histogram\"\n",
        comment, start_wall_us / 1000000, start_wall_us / 1000 % 1000, text);
}

enum rc hist_log_line(struct buf *out, const char *tag, int64_t begin_ns,
                      int64_t length_ns, const struct hist *h)
{
    struct buf plain = BUF_INIT(ENCODED_BYTES_MAX);
    enum rc rc;

    encode_v2(h, &plain);
    buf_printf(out, "Tag=%s,%.3f,%.3f,%.6f,", tag,
               (double)begin_ns / (double)NS_PER_S,
               (double)length_ns / (double)NS_PER_S,
               (double)hist_max(h) / (double)NS_PER_MS);
    if (!buf_rc(&plain))
        put_compressed(out, &plain);
    buf_putc(out, '\n');
    rc = buf_rc(&plain) ? buf_rc(&plain) : buf_rc(out);
    buf_release(&plain);
    return rc;
}
