/* SPDX-License-Identifier: MIT */
#include "workload/pgbench/lang/expr_lex.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct expr_token token(enum expr_token_type type, const char *s,
                               size_t len)
{
    return (struct expr_token){.type = type, .s = s, .len = len};
}

static struct expr_token bad(const char *s, size_t len, const char *why)
{
    struct expr_token t = token(EXPR_TOKEN_BAD, s, len);

    t.why = why;
    return t;
}

static struct expr_token constant(struct scalar k, const char *s, size_t len)
{
    struct expr_token t = token(EXPR_TOKEN_CONST, s, len);

    t.k = k;
    return t;
}

/* ---- words ---- */

static struct expr_token lex_word(const char *s, const char *end)
{
    static const struct {
        const char *word;
        enum expr_token_type type;
    } words[] = {
        {"and", EXPR_TOKEN_AND},       {"or", EXPR_TOKEN_OR},
        {"not", EXPR_TOKEN_NOT},       {"is", EXPR_TOKEN_IS},
        {"isnull", EXPR_TOKEN_ISNULL}, {"notnull", EXPR_TOKEN_NOTNULL},
        {"case", EXPR_TOKEN_CASE},     {"when", EXPR_TOKEN_WHEN},
        {"then", EXPR_TOKEN_THEN},     {"else", EXPR_TOKEN_ELSE},
        {"end", EXPR_TOKEN_END_WORD},  {"null", EXPR_TOKEN_CONST},
        {"true", EXPR_TOKEN_CONST},    {"false", EXPR_TOKEN_CONST},
    };
    const char *p = s;
    size_t len;

    while (p < end && var_goes_on(*p))
        p++;
    len = (size_t)(p - s);
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (strlen(words[i].word) != len ||
            strncasecmp(words[i].word, s, len) != 0)
            continue;
        if (words[i].type != EXPR_TOKEN_CONST)
            return token(words[i].type, s, len);
        if (words[i].word[0] == 'n')
            return constant(s_null(), s, len);
        return constant(s_bool(words[i].word[0] == 't'), s, len);
    }
    return token(EXPR_TOKEN_WORD, s, len);
}

/* ---- numbers ---- */

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && is_digit(*p))
        p++;
    return p;
}

/* Behind the digits before the point; returns the end of the number. */
static const char *skip_fraction(const char *p, const char *end)
{
    const char *e;

    if (p < end && *p == '.')
        p = skip_digits(p + 1, end);
    if (p == end || (*p != 'e' && *p != 'E'))
        return p;
    e = p + 1;
    if (e < end && (*e == '-' || *e == '+'))
        e++;
    return e < end && is_digit(*e) ? skip_digits(e, end) : p;
}

static struct expr_token lex_number(const char *s, const char *end)
{
    const char *digits = skip_digits(s, end);
    const char *p = skip_fraction(digits, end);
    const size_t len = (size_t)(p - s);
    char copy[400];

    if (p < end && var_starts_name(*p))
        return bad(s, len + 1, "not a number:");
    if (len >= sizeof(copy))
        return bad(s, len, "the number is too long:");
    memcpy(copy, s, len);
    copy[len] = '\0';
    errno = 0;
    if (p == digits) {
        const unsigned long long u = strtoull(copy, NULL, 10);

        if (!errno && u == (unsigned long long)INT64_MAX + 1)
            return token(EXPR_TOKEN_TOO_BIG, s, len);
        if (errno || u > INT64_MAX)
            return bad(s, len, "the integer is out of range:");
        return constant(s_int((int64_t)u), s, len);
    }
    {
        const double d = strtod(copy, NULL);

        if (errno)
            return bad(s, len, "the number is out of range:");
        return constant(s_double(d), s, len);
    }
}

/* ---- the rest ---- */

static struct expr_token lex_mark(const char *s, const char *end)
{
    static const struct {
        char text[3];
        enum expr_token_type type;
    } marks[] = {
        {"<=", EXPR_TOKEN_LE},     {"<>", EXPR_TOKEN_NE},
        {"<<", EXPR_TOKEN_LSHIFT}, {">=", EXPR_TOKEN_GE},
        {">>", EXPR_TOKEN_RSHIFT}, {"!=", EXPR_TOKEN_NE},
        {"<", EXPR_TOKEN_LT},      {">", EXPR_TOKEN_GT},
        {"=", EXPR_TOKEN_EQ},      {"(", EXPR_TOKEN_OPEN},
        {")", EXPR_TOKEN_CLOSE},   {",", EXPR_TOKEN_COMMA},
        {"+", EXPR_TOKEN_PLUS},    {"-", EXPR_TOKEN_MINUS},
        {"*", EXPR_TOKEN_STAR},    {"/", EXPR_TOKEN_SLASH},
        {"%", EXPR_TOKEN_PERCENT}, {"~", EXPR_TOKEN_TILDE},
        {"&", EXPR_TOKEN_BITAND},  {"|", EXPR_TOKEN_BITOR},
        {"#", EXPR_TOKEN_BITXOR},
    };

    for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
        const size_t len = strlen(marks[i].text);

        if ((size_t)(end - s) >= len && memcmp(s, marks[i].text, len) == 0)
            return token(marks[i].type, s, len);
    }
    return bad(s, 1, "unexpected character");
}

/* A line may go on behind a backslash at its end. */
static const char *skip_space(const char *p, const char *end)
{
    while (p < end) {
        if (*p == ' ' || (*p >= '\t' && *p <= '\r'))
            p++;
        else if (*p == '\\' && p + 1 < end && p[1] == '\n')
            p += 2;
        else if (*p == '\\' && p + 2 < end && p[1] == '\r' && p[2] == '\n')
            p += 3;
        else
            break;
    }
    return p;
}

struct expr_token expr_lex(struct expr_lexer *lx)
{
    const char *s = skip_space(lx->pos, lx->end);
    struct expr_token t;

    if (s == lx->end) {
        t = token(EXPR_TOKEN_END, s, 0);
    } else if (*s == ':') {
        const char *p = s + 1;

        while (p < lx->end && var_goes_on(*p))
            p++;
        t = p > s + 1 ? token(EXPR_TOKEN_VAR, s, (size_t)(p - s))
                      : bad(s, 1, "a name is missing behind");
    } else if (is_digit(*s) ||
               (*s == '.' && s + 1 < lx->end && is_digit(s[1]))) {
        t = lex_number(s, lx->end);
    } else if (var_starts_name(*s)) {
        t = lex_word(s, lx->end);
    } else {
        t = lex_mark(s, lx->end);
    }
    lx->pos = t.s + t.len;
    return t;
}
