/* SPDX-License-Identifier: MIT */
/*
 * Cuts SQL text into tokens: just enough to find parameters, comments and the
 * ends of statements in the dialects of all databases.  Tokens are contiguous:
 * put together they are the text again.
 */
#ifndef DRIVER_LEXER_H
#define DRIVER_LEXER_H

#include "base/base.h"

enum token_type {
    TOKEN_END, /* of the text; len 0 */
    TOKEN_SPACE,
    TOKEN_COMMENT, /* "-- …" without its newline, or a C-style one */
    TOKEN_QUOTED,  /* '…', "…", `…` or $tag$…$tag$, quotes included */
    TOKEN_WORD,    /* name, key word or number */
    TOKEN_PARAM,   /* :name, the colon included */
    TOKEN_SEMICOLON,
    TOKEN_OTHER,
    TOKEN_OPEN, /* a quote or comment that does not end before the text does */
};

struct token {
    enum token_type type;
    const char *s;
    size_t len;
};

struct lexer {
    const char *pos, *end;
};

/* Takes the next token off the text. */
struct token lexer_next(struct lexer *lx);

/* Whether the token is this key word (given in upper case). */
bool token_is(const struct token *t, const char *word);

#endif
