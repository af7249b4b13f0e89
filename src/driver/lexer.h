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
    TOKEN_QUOTED, /* '…', E'…\'…', "…", `…` or $tag$…$tag$, quotes included */
    TOKEN_WORD,  /* name, key word or number */
    TOKEN_PARAM, /* :name, the colon included */
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
/* Space or a comment, but for those that some servers read. */
bool token_is_filler(const struct token *t);

/* Follows a statement as it passes by, to know which ';' ends it: none in
 * parentheses or in a body.  Zero-initialise. */
struct statement_end {
    enum {
        HEAD_START,
        HEAD_CREATE,
        HEAD_DEFINER, /* CREATE DEFINER: names up to a word that is known */
        HEAD_BEGIN,
        HEAD_BODY,
        HEAD_OTHER,
    } head;
    size_t depth; /* of BEGIN or CASE … END, in a body */
    size_t parens;
    bool after_end; /* the last word was END */
};

void statement_follow(struct statement_end *e, const struct token *t);
/* Whether this token is the ';' that ends it. */
bool statement_ends(const struct statement_end *e, const struct token *t);

#endif
