/* SPDX-License-Identifier: MIT */
/*
 * Connection strings of the form "keyword=value;keyword={va;lue};…", as ODBC
 * has them: a value in braces holds any character, a closing brace doubled.
 */
#ifndef DRIVER_KEYWORDS_H
#define DRIVER_KEYWORDS_H

#include "base/arena.h"

struct keyword {
    const char *name, *value; /* not terminated; the braces are in value */
    size_t name_len, value_len;
    bool has_value; /* there is a '=' */
};

/* Takes one off *s; false at the end. */
bool keyword_next(const char **s, struct keyword *out);
bool keyword_is(const struct keyword *k, const char *name);
/* Its value must not be shown. */
bool keyword_is_secret(const struct keyword *k);

/* text with the secrets replaced by ***; NULL: no memory. */
char *keywords_show(struct arena *arena, const char *text);

#endif
