/* SPDX-License-Identifier: MIT */
#include "workload/pgbench/lang/vars.h"

#include "base/mem.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MIN 64

enum rc var_table_init(struct var_table *t, struct arena *arena,
                       struct err *err)
{
    *t = (struct var_table){.arena = arena};
    t->names = ARENA_ARRAY(arena, struct var_name, VARS_MAX);
    return t->names ? RC_OK : err_set(err, RC_NOMEM, "out of memory");
}

size_t var_find(const struct var_table *t, const char *s, size_t len)
{
    for (size_t i = 0; i < t->n; i++) {
        const char *name = t->names[i].name;

        if (strncmp(name, s, len) == 0 && name[len] == '\0')
            return i;
    }
    return SIZE_MAX;
}

enum rc var_number(struct var_table *t, const char *s, size_t len, size_t *out,
                   struct err *err)
{
    char *name;

    *out = var_find(t, s, len);
    if (*out != SIZE_MAX)
        return RC_OK;
    if (t->n == VARS_MAX)
        return err_set(err, RC_USAGE, "more than %d variables", VARS_MAX);
    name = arena_strndup(t->arena, s, len);
    if (!name)
        return err_set(err, RC_NOMEM, "out of memory");
    *out = t->n;
    t->names[t->n++] = (struct var_name){.name = name};
    return RC_OK;
}

bool var_is_name(const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (!var_goes_on(s[i]))
            return false;
    }
    return len > 0;
}

/* ---- values ---- */

/* Whether text is the first letters of word, in either case. */
static bool begins(const char *word, const char *text, size_t len)
{
    return len <= strlen(word) && strncasecmp(word, text, len) == 0;
}

static bool is_word(const char *word, const char *text, size_t len)
{
    return len == strlen(word) && strncasecmp(word, text, len) == 0;
}

static bool read_bool(const char *text, size_t len, struct scalar *out)
{
    /* "o" could be either. */
    if (begins("true", text, len) || begins("yes", text, len) ||
        is_word("on", text, len)) {
        *out = s_bool(true);
        return true;
    }
    if (begins("false", text, len) || begins("no", text, len) ||
        is_word("off", text, len) || is_word("of", text, len)) {
        *out = s_bool(false);
        return true;
    }
    return false;
}

static bool is_integer(const char *s)
{
    s += *s == '-' || *s == '+';
    return *s && s[strspn(s, "0123456789")] == '\0';
}

bool scalar_read(const char *text, size_t len, struct scalar *out)
{
    char copy[64], *end;
    double d;

    if (len == 0 || len >= sizeof(copy))
        return false;
    if (is_word("null", text, len)) {
        *out = s_null();
        return true;
    }
    if (read_bool(text, len, out))
        return true;
    memcpy(copy, text, len);
    copy[len] = '\0';
    errno = 0;
    if (is_integer(copy)) {
        const long long i = strtoll(copy, NULL, 10);

        *out = s_int(i);
        return errno == 0;
    }
    d = strtod(copy, &end);
    *out = s_double(d);
    return errno == 0 && end != copy && *end == '\0';
}

/* Digits of a number, from the right. */
static size_t print_int(int64_t i, char *out)
{
    char digits[24], *p = digits + sizeof(digits);
    uint64_t left = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
    size_t n;

    do {
        *--p = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (i < 0)
        *--p = '-';
    n = (size_t)(digits + sizeof(digits) - p);
    memcpy(out, p, n);
    out[n] = '\0';
    return n;
}

/* As PostgreSQL writes and reads it. */
static size_t print_double(double d, char *out)
{
    if (isnan(d))
        return (size_t)snprintf(out, VAR_PRINTED_MAX, "NaN");
    if (isinf(d))
        return (size_t)snprintf(out, VAR_PRINTED_MAX, "%sInfinity",
                                d < 0 ? "-" : "");
    return (size_t)snprintf(out, VAR_PRINTED_MAX, "%.15g", d);
}

size_t scalar_print(const struct scalar *v, char *out)
{
    switch (v->type) {
    case SCALAR_INT:
        return print_int(v->i, out);
    case SCALAR_DOUBLE:
        return print_double(v->d, out);
    case SCALAR_BOOL:
        return (size_t)snprintf(out, VAR_PRINTED_MAX, "%s",
                                v->b ? "true" : "false");
    case SCALAR_NULL:
        break;
    }
    memcpy(out, "NULL", 5);
    return 4;
}

bool var_set_text(struct var *v, const char *s, size_t len)
{
    if (len >= v->cap) {
        const size_t cap = len < TEXT_MIN ? TEXT_MIN : 2 * len;
        char *text = len < UINT32_MAX / 4 ? mem_realloc(v->text, cap) : NULL;

        if (!text)
            return false;
        v->text = text;
        v->cap = (uint32_t)cap;
    }
    memcpy(v->text, s, len);
    v->text[len] = '\0';
    v->len = (uint32_t)len;
    v->kind = VAR_TEXT;
    return true;
}
