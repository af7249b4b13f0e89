/* SPDX-License-Identifier: MIT */
#include "driver/csv/csv_int.h"

#define POLYNOMIAL UINT32_C(0x04c11db7)

struct tables {
    uint32_t t[4][256]; /* t[k]: of a byte with k zero bytes behind it */
};

static struct tables tables;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i << 24;

        for (int bit = 0; bit < 8; bit++)
            c = c << 1 ^ (c >> 31 ? POLYNOMIAL : 0);
        tables.t[0][i] = c;
    }
    for (size_t k = 1; k < 4; k++) {
        for (size_t i = 0; i < 256; i++) {
            const uint32_t c = tables.t[k - 1][i];

            tables.t[k][i] = c << 8 ^ tables.t[0][c >> 24];
        }
    }
}

uint32_t csv_crc(uint32_t crc, const char *bytes, size_t len)
{
    const unsigned char *p = (const unsigned char *)bytes;

    pthread_once(&made, make);
    for (; len >= 4; len -= 4, p += 4) {
        crc ^= (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
               (uint32_t)p[2] << 8 | p[3];
        crc = tables.t[3][crc >> 24] ^ tables.t[2][crc >> 16 & 255] ^
              tables.t[1][crc >> 8 & 255] ^ tables.t[0][crc & 255];
    }
    for (; len > 0; len--, p++)
        crc = crc << 8 ^ tables.t[0][crc >> 24 ^ *p];
    return crc;
}

uint32_t csv_crc_end(uint32_t crc, uint64_t n_bytes)
{
    char bytes[8];
    size_t len = 0;

    for (; n_bytes > 0; n_bytes >>= 8)
        bytes[len++] = (char)(n_bytes & 255);
    return ~csv_crc(crc, bytes, len);
}
