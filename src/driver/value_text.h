/* SPDX-License-Identifier: MIT */
/*
 * Values as text, for databases whose protocol or library has numbers of a
 * fixed scale and times in that form.  Pure functions, exact both ways.
 */
#ifndef DRIVER_VALUE_TEXT_H
#define DRIVER_VALUE_TEXT_H

#include "driver/value.h"

/* The longest value_print() writes. */
#define VALUE_PRINTED_MAX 32
/* Of a list each item at most, separator included; two more for the whole. */
#define VALUE_ITEM_BYTES 21
/* The same of VALUE_LIST_PADDED, exactly. */
#define VALUE_PADDED_BYTES 20

enum value_list {
    VALUE_LIST_PADDED, /* VALUE_PADDED_BYTES an item, right-aligned */
    VALUE_LIST_BRACES, /* {1,2,3} */
    VALUE_LIST_JSON,   /* [1,2,3] */
};

/* A value that is neither NULL nor TEXT nor a list, without quotes and not
 * terminated; out holds VALUE_PRINTED_MAX bytes.  Returns the length. */
size_t value_print(const struct value *v, char *out);
/* A list; out holds VALUE_ITEM_BYTES for each item, and two more. */
size_t value_print_list(const struct value *v, enum value_list form, char *out);
/* The reverse of value_print(); TEXT keeps pointing into s.  False when s is
 * no such value. */
bool value_parse(enum value_type type, const char *s, size_t len,
                 struct value *out);

/* 1, or how many of the smallest make one: 100 cents, 10000 of a rate. */
int64_t value_unit(enum value_type type);

/* A point in time in its parts, in UTC. */
struct value_time {
    int64_t year;
    unsigned month, day, hour, minute, second, us;
};
struct value_time value_time_of(int64_t us);
/* False for what is no date. */
bool value_time_to_us(const struct value_time *t, int64_t *out);

#endif
