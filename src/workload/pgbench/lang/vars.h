/* SPDX-License-Identifier: MIT */
/*
 * Variables of scripts.  Names are known when the scripts have been parsed; a
 * user's values are an array by number.  A value that came as text (-D, \gset)
 * stays text and becomes a number, a boolean or NULL when an expression reads
 * it.
 */
#ifndef WORKLOAD_PGBENCH_LANG_VARS_H
#define WORKLOAD_PGBENCH_LANG_VARS_H

#include "base/arena.h"

enum scalar_type { SCALAR_NULL, SCALAR_INT, SCALAR_DOUBLE, SCALAR_BOOL };

struct scalar {
    enum scalar_type type;
    union {
        int64_t i;
        double d;
        bool b;
    };
};

static inline struct scalar s_null(void)
{
    return (struct scalar){.type = SCALAR_NULL, .i = 0};
}

static inline struct scalar s_int(int64_t i)
{
    return (struct scalar){.type = SCALAR_INT, .i = i};
}

static inline struct scalar s_double(double d)
{
    return (struct scalar){.type = SCALAR_DOUBLE, .d = d};
}

static inline struct scalar s_bool(bool b)
{
    return (struct scalar){.type = SCALAR_BOOL, .i = b};
}

/* Longest form of a value that is not text, with the NUL. */
#define VAR_PRINTED_MAX 40

enum var_kind {
    VAR_UNSET,
    VAR_SCALAR,
    VAR_TEXT,
};

/* One user's. */
struct var {
    enum var_kind kind;
    struct scalar value; /* of a SCALAR */
    char *text;          /* of a TEXT: len bytes and a NUL */
    uint32_t len, cap;
};

/* What is known of a name. */
struct var_name {
    const char *name;
    /* From outside: -D and what is always there. */
    const char *initial; /* NULL: none */
    bool is_set;         /* something in some script sets it */
    const char *used_at; /* the first time, in the text of a script */
};

#define VARS_MAX 1024

struct var_table {
    struct var_name *names; /* VARS_MAX of them, in the arena */
    size_t n;
    struct arena *arena;
};

MUST_USE enum rc var_table_init(struct var_table *t, struct arena *arena,
                                struct err *err);
/* Its number; added when it is new.  RC_NOMEM or RC_USAGE: too many. */
MUST_USE enum rc var_number(struct var_table *t, const char *s, size_t len,
                            size_t *out, struct err *err);
/* The number, or SIZE_MAX. */
size_t var_find(const struct var_table *t, const char *s, size_t len);

/* Letters, digits, '_' and bytes beyond ASCII. */
bool var_is_name(const char *s, size_t len);

/* The length of ":name" at s, 0 when there is none: its name does not begin
 * with a digit in SQL. */
static inline bool var_starts_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static inline bool var_goes_on(char c)
{
    return var_starts_name(c) || (c >= '0' && c <= '9');
}

/* The value of text for an expression: null, true, yes, on, …, an integer or
 * a double.  False when it is none of these. */
bool scalar_read(const char *text, size_t len, struct scalar *out);
/* As it stands in SQL; out holds VAR_PRINTED_MAX.  Returns the length. */
size_t scalar_print(const struct scalar *v, char *out);

/* Copies; grows the room of the variable when it must.  False: no memory. */
bool var_set_text(struct var *v, const char *s, size_t len);

#endif
