/* SPDX-License-Identifier: MIT */
/*
 * Values on the wire.  Pure functions: they know nothing of the library.
 *
 * Parameters: integers and times in binary; money and rates as decimal text,
 * for DECIMAL has no other form.  A list (VALUE_INTS) is one text in which
 * every item takes 20 characters, right-aligned, so that
 * CAST(SUBSTRING(:list, 20 * k - 19, 20) AS SIGNED) is the item k in any
 * version of any server.
 */
#ifndef DRIVER_MYSQL_CODEC_H
#define DRIVER_MYSQL_CODEC_H

#include "driver/value_text.h"

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

#endif
