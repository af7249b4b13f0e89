/* SPDX-License-Identifier: MIT */
/* The tokens of expressions. */
#ifndef WORKLOAD_PGBENCH_LANG_EXPR_LEX_H
#define WORKLOAD_PGBENCH_LANG_EXPR_LEX_H

#include "workload/pgbench/lang/vars.h"

enum expr_token_type {
    EXPR_TOKEN_END,
    EXPR_TOKEN_BAD, /* why says what is wrong */
    EXPR_TOKEN_CONST,
    EXPR_TOKEN_TOO_BIG, /* 2^63, right behind a minus only */
    EXPR_TOKEN_VAR,     /* the colon included */
    EXPR_TOKEN_WORD,
    EXPR_TOKEN_OPEN,
    EXPR_TOKEN_CLOSE,
    EXPR_TOKEN_COMMA,
    EXPR_TOKEN_PLUS,
    EXPR_TOKEN_MINUS,
    EXPR_TOKEN_STAR,
    EXPR_TOKEN_SLASH,
    EXPR_TOKEN_PERCENT,
    EXPR_TOKEN_TILDE,
    EXPR_TOKEN_BITAND,
    EXPR_TOKEN_BITOR,
    EXPR_TOKEN_BITXOR,
    EXPR_TOKEN_LSHIFT,
    EXPR_TOKEN_RSHIFT,
    EXPR_TOKEN_EQ,
    EXPR_TOKEN_NE,
    EXPR_TOKEN_LT,
    EXPR_TOKEN_LE,
    EXPR_TOKEN_GT,
    EXPR_TOKEN_GE,
    EXPR_TOKEN_AND,
    EXPR_TOKEN_OR,
    EXPR_TOKEN_NOT,
    EXPR_TOKEN_IS,
    EXPR_TOKEN_ISNULL,
    EXPR_TOKEN_NOTNULL,
    EXPR_TOKEN_CASE,
    EXPR_TOKEN_WHEN,
    EXPR_TOKEN_THEN,
    EXPR_TOKEN_ELSE,
    EXPR_TOKEN_END_WORD,
};

struct expr_token {
    enum expr_token_type type;
    const char *s;
    size_t len;
    struct scalar k;
    const char *why;
};

struct expr_lexer {
    const char *text, *pos, *end;
};

struct expr_token expr_lex(struct expr_lexer *lx);

#endif
