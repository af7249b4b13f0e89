/* SPDX-License-Identifier: MIT */
/*
 * Values on the wire, in PostgreSQL's binary formats.  Pure functions: they
 * know nothing of libpq.
 *
 * Parameters are written in the type that the server gave them, which is that
 * of the column they are compared with: another integer or numeric type would
 * cost the use of an index.  A type not listed here (floats, those of
 * extensions) takes its parameters as text, which the server itself parses.
 */
#ifndef DRIVER_POSTGRES_CODEC_H
#define DRIVER_POSTGRES_CODEC_H

#include "driver/value.h"

#include <endian.h>

/* The longest pg_encode() writes and pg_print() prints, lists apart. */
#define PG_ENCODED_MAX 24
#define PG_PRINTED_MAX 40
/* An item of a list, either way. */
#define PG_ITEM_MAX 24

enum pg_coding {
    PG_UNKNOWN, /* parameters as text; cannot be read */
    PG_INT2,
    PG_INT4,
    PG_INT8,
    PG_BOOL, /* read as INT 0 or 1 */
    PG_NUMERIC,
    PG_TIMESTAMP, /* with or without time zone: the same on the wire */
    PG_TEXT,      /* text, varchar, bpchar, name, xml, json */
    /* Arrays of one dimension; parameters only. */
    PG_INT2S,
    PG_INT4S,
    PG_INT8S,
};

/* Of a type, by its OID. */
enum pg_coding pg_coding_of(unsigned oid);
/* Whether a parameter of this type can be written so; if not, as text. */
bool pg_can_encode(enum pg_coding coding, enum value_type type);
bool pg_can_decode(enum pg_coding coding, enum value_type type);

/* Writes a value that is neither NULL nor TEXT to out: PG_ENCODED_MAX bytes,
 * and PG_ITEM_MAX for each item of a list.  Returns the length, or -1 when the
 * value is too big for the type. */
int pg_encode(enum pg_coding coding, const struct value *v, char *out);
/* Reads bytes into a value of the type asked for; TEXT keeps pointing into
 * them.  False when they do not make one: wrong length, NaN, too many digits
 * behind the point. */
bool pg_decode(enum pg_coding coding, enum value_type type, const char *bytes,
               size_t len, struct value *out);

/* The same value as PostgreSQL reads it in text, NUL-terminated; neither NULL
 * nor TEXT.  out holds PG_PRINTED_MAX bytes and PG_ITEM_MAX for each item of a
 * list; returns the length. */
size_t pg_print(const struct value *v, char *out);

/* Big-endian integers, wherever they stand. */
static inline char *pg_put16(char *out, uint16_t v)
{
    v = htobe16(v);
    memcpy(out, &v, sizeof(v));
    return out + sizeof(v);
}

static inline char *pg_put32(char *out, uint32_t v)
{
    v = htobe32(v);
    memcpy(out, &v, sizeof(v));
    return out + sizeof(v);
}

static inline char *pg_put64(char *out, uint64_t v)
{
    v = htobe64(v);
    memcpy(out, &v, sizeof(v));
    return out + sizeof(v);
}

static inline uint16_t pg_get16(const char *in)
{
    uint16_t v;

    memcpy(&v, in, sizeof(v));
    return be16toh(v);
}

static inline uint32_t pg_get32(const char *in)
{
    uint32_t v;

    memcpy(&v, in, sizeof(v));
    return be32toh(v);
}

static inline uint64_t pg_get64(const char *in)
{
    uint64_t v;

    memcpy(&v, in, sizeof(v));
    return be64toh(v);
}

#endif
