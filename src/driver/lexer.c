/* SPDX-License-Identifier: MIT */
#include "driver/lexer.h"

#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Bytes of UTF-8 beyond ASCII may be part of names. */
static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static bool is_name(char c)
{
    return is_name_start(c) || (c >= '0' && c <= '9');
}

static const char *skip_name(const char *p, const char *end)
{
    while (p < end && is_name(*p))
        p++;
    return p;
}

static struct token token_to(const char *s, const char *to,
                             enum token_type type)
{
    return (struct token){.type = type, .s = s, .len = (size_t)(to - s)};
}

static struct token lex_quoted(const char *s, const char *end)
{
    const char quote = *s;

    for (const char *p = s + 1; p < end; p++) {
        if (*p != quote)
            continue;
        if (p + 1 < end && p[1] == quote) {
            p++;
            continue;
        }
        return token_to(s, p + 1, TOKEN_QUOTED);
    }
    return token_to(s, end, TOKEN_OPEN);
}

/* E'…': a backslash takes the next byte with it. */
static struct token lex_escaped(const char *s, const char *end)
{
    for (const char *p = s + 2; p < end; p++) {
        if (*p == '\\' && p + 1 < end) {
            p++;
            continue;
        }
        if (*p != '\'')
            continue;
        if (p + 1 == end || p[1] != '\'')
            return token_to(s, p + 1, TOKEN_QUOTED);
        p++;
    }
    return token_to(s, end, TOKEN_OPEN);
}

/* $tag$ … $tag$ with the same tag; other tags inside are text. */
static struct token lex_dollar(const char *s, const char *end)
{
    const char *tag_end = s + 1;
    const char *p;
    size_t tag_len;

    if (tag_end < end && is_name_start(*tag_end))
        tag_end = skip_name(tag_end, end);
    if (tag_end == end || *tag_end != '$')
        return token_to(s, s + 1, TOKEN_OTHER);
    tag_len = (size_t)(tag_end + 1 - s);
    p = memmem(tag_end + 1, (size_t)(end - tag_end - 1), s, tag_len);
    if (!p)
        return token_to(s, end, TOKEN_OPEN);
    return token_to(s, p + tag_len, TOKEN_QUOTED);
}

static struct token lex_line_comment(const char *s, const char *end)
{
    const char *newline = memchr(s, '\n', (size_t)(end - s));

    return token_to(s, newline ? newline : end, TOKEN_COMMENT);
}

/* Not nested: SQLite and MySQL do not nest them, and no dialect needs to. */
static struct token lex_block_comment(const char *s, const char *end)
{
    const char *close = memmem(s + 2, (size_t)(end - s - 2), "*/", 2);

    if (!close)
        return token_to(s, end, TOKEN_OPEN);
    return token_to(s, close + 2, TOKEN_COMMENT);
}

/* ":name", "::", ":=" or a colon alone. */
static struct token lex_colon(const char *s, const char *end)
{
    if (s + 1 < end && is_name_start(s[1]))
        return token_to(s, skip_name(s + 1, end), TOKEN_PARAM);
    if (s + 1 < end && (s[1] == ':' || s[1] == '='))
        return token_to(s, s + 2, TOKEN_OTHER);
    return token_to(s, s + 1, TOKEN_OTHER);
}

static struct token lex_word(const char *s, const char *end)
{
    const char *p = s;

    /* PostgreSQL allows '$' inside names, where it opens no quote. */
    while (p < end && (is_name(*p) || *p == '$'))
        p++;
    return token_to(s, p, TOKEN_WORD);
}

static struct token lex_space(const char *s, const char *end)
{
    const char *p = s;

    while (p < end && is_space(*p))
        p++;
    return token_to(s, p, TOKEN_SPACE);
}

static struct token lex(const char *s, const char *end)
{
    const char next = s + 1 < end ? s[1] : '\0';

    if (is_space(*s))
        return lex_space(s, end);
    if ((*s == 'E' || *s == 'e') && next == '\'')
        return lex_escaped(s, end);
    if (is_name(*s))
        return lex_word(s, end);
    if (*s == '-' && next == '-')
        return lex_line_comment(s, end);
    if (*s == '/' && next == '*')
        return lex_block_comment(s, end);
    if (*s == '\'' || *s == '"' || *s == '`')
        return lex_quoted(s, end);
    if (*s == '$')
        return lex_dollar(s, end);
    if (*s == ':')
        return lex_colon(s, end);
    return token_to(s, s + 1, *s == ';' ? TOKEN_SEMICOLON : TOKEN_OTHER);
}

struct token lexer_next(struct lexer *lx)
{
    struct token t;

    if (lx->pos == lx->end)
        return (struct token){.type = TOKEN_END, .s = lx->end};
    t = lex(lx->pos, lx->end);
    lx->pos += t.len;
    return t;
}

bool token_is(const struct token *t, const char *word)
{
    return t->type == TOKEN_WORD && strlen(word) == t->len &&
           strncasecmp(t->s, word, t->len) == 0;
}
