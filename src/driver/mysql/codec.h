/* SPDX-License-Identifier: MIT */
/*
 * Values on the wire.  Pure functions: they know nothing of the library.
 *
 * Parameters: integers and times in binary; money and rates as decimal text,
 * for DECIMAL has no other form.  A list (VALUE_INTS) is one text in which
 * every item takes MARIA_ITEM_BYTES, right-aligned, so that
 * CAST(SUBSTRING(:list, 20 * k - 19, 20) AS SIGNED) is the item k in any
 * version of any server.
 */
#ifndef DRIVER_MYSQL_CODEC_H
#define DRIVER_MYSQL_CODEC_H

#include "driver/value.h"

/* The longest maria_print() writes, lists apart. */
#define MARIA_PRINTED_MAX 32
#define MARIA_ITEM_BYTES 20

/* How a column's values stand in a row of the binary protocol. */
enum maria_coding {
    MARIA_UNKNOWN, /* floats, bit strings, times of day: cannot be read */
    MARIA_I1,
    MARIA_I2,
    MARIA_I4,
    MARIA_I8,
    MARIA_U1,
    MARIA_U2,
    MARIA_U4,
    MARIA_U8,
    MARIA_DATETIME, /* DATE and TIMESTAMP too */
    MARIA_TEXT,     /* texts and DECIMAL */
    MARIA_NOTHING,  /* the type of NULL */
};

/* Of a type, by its number in the protocol (enum_field_types). */
enum maria_coding maria_coding_of(int type, bool is_unsigned);
bool maria_can_decode(enum maria_coding coding, enum value_type type);

/* A row of the binary protocol, its first byte included, into cells; text
 * points into it.  False when it does not make them: too short, a number with
 * too many digits, a date that is none. */
bool maria_read_row(const unsigned char *row, size_t len,
                    const enum maria_coding *codings, const struct column *cols,
                    size_t n, struct value *cells);
/* A value as the text protocol has it; TEXT keeps pointing into s. */
bool maria_parse(enum value_type type, const char *s, size_t len,
                 struct value *out);

/* A value that is neither NULL nor TEXT as text, without quotes and not
 * terminated; out holds MARIA_PRINTED_MAX bytes, and MARIA_ITEM_BYTES for each
 * item of a list.  Returns the length. */
size_t maria_print(const struct value *v, char *out);

/* A point in time in its parts, in UTC. */
struct maria_time {
    int64_t year;
    unsigned month, day, hour, minute, second, us;
};
struct maria_time maria_time_of(int64_t us);

#endif
