/* SPDX-License-Identifier: MIT */
/*
 * Values that cross the driver interface.  Money is whole cents, rates (tax,
 * discount) whole ten-thousandths, points in time microseconds since 1970
 * UTC: exact everywhere.  How a database stores them is its driver's and its
 * dialect's business.
 */
#ifndef DRIVER_VALUE_H
#define DRIVER_VALUE_H

#include "base/err.h"

#include <string.h>

enum value_type {
    VALUE_NULL,
    VALUE_INT,
    VALUE_MONEY, /* i = cents: numeric(n,2) */
    VALUE_RATE,  /* i = ten-thousandths: numeric(4,4) */
    VALUE_TIME,  /* i = microseconds since 1970-01-01 UTC */
    VALUE_TEXT,  /* s, len; not NUL-terminated unless said */
    VALUE_INTS,  /* ints, len of them; a parameter only: an array or a list */
};

struct value {
    enum value_type type;
    uint32_t len; /* of text, bytes; of a list, items */
    union {
        int64_t i;
        const char *s;       /* borrowed */
        const int64_t *ints; /* borrowed */
    };
};

static inline struct value v_null(void)
{
    return (struct value){.type = VALUE_NULL};
}

static inline struct value v_int(int64_t i)
{
    return (struct value){.type = VALUE_INT, .i = i};
}

static inline struct value v_money(int64_t cents)
{
    return (struct value){.type = VALUE_MONEY, .i = cents};
}

static inline struct value v_rate(int64_t ten_thousandths)
{
    return (struct value){.type = VALUE_RATE, .i = ten_thousandths};
}

static inline struct value v_time(int64_t us)
{
    return (struct value){.type = VALUE_TIME, .i = us};
}

static inline struct value v_textn(const char *s, size_t len)
{
    return (struct value){.type = VALUE_TEXT, .len = (uint32_t)len, .s = s};
}

static inline struct value v_text(const char *s)
{
    return v_textn(s, strlen(s));
}

static inline struct value v_ints(const int64_t *ints, size_t n)
{
    return (struct value){.type = VALUE_INTS, .len = (uint32_t)n, .ints = ints};
}

static inline bool value_is_null(const struct value *v)
{
    return v->type == VALUE_NULL;
}

/* Rows of an answer; bytes live until the next call on that connection. */
struct rowset {
    const struct value *cells; /* row by row */
    size_t n_rows, n_cols;
    uint64_t n_affected; /* rows changed by the last statement that changes */
    const char *const *names; /* of the columns; of raw steps only */
};

static inline const struct value *rowset_at(const struct rowset *rs, size_t row,
                                            size_t col)
{
    return &rs->cells[row * rs->n_cols + col];
}

/* A named, typed column or parameter; VALUE_NULL never appears as its type. */
struct column {
    const char *name;
    enum value_type type;
};

struct table_def {
    const char *name;
    const struct column *cols;
    size_t n_cols;
};

#endif
