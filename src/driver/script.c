/* SPDX-License-Identifier: MIT */
/* Scripts: many statements in one text. */
#include "driver/script.h"

#include "driver/lexer.h"
#include "driver/step.h"

/* Statements whose bodies hold others, between BEGIN and END:
 *
 *     CREATE … TRIGGER | PROCEDURE | FUNCTION | EVENT | PACKAGE …
 *     BEGIN NOT ATOMIC …          (MariaDB: a body by itself)
 *
 * In a body END closes BEGIN or CASE; END IF, END LOOP and so on close what is
 * not counted. */

static bool is_any_of(const struct token *t, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (token_is(t, words[i]))
            return true;
    }
    return false;
}

/* What has a body. */
static bool names_body(const struct token *t)
{
    static const char *const words[] = {"TRIGGER", "PROCEDURE", "FUNCTION",
                                        "EVENT", "PACKAGE"};

    return is_any_of(t, words, ARRAY_LEN(words));
}

/* What may stand between CREATE and that; DEFINER = 'user'@'host' has words of
 * its own. */
static bool may_precede_body(const struct token *t)
{
    static const char *const words[] = {
        "TEMP",      "TEMPORARY", "OR",          "REPLACE",        "CONSTRAINT",
        "AGGREGATE", "DEFINER",   "EDITIONABLE", "NONEDITIONABLE",
    };

    return is_any_of(t, words, ARRAY_LEN(words));
}

/* Behind END these close a block that is not counted. */
static bool closes_other(const struct token *t)
{
    static const char *const words[] = {"IF", "LOOP", "WHILE", "REPEAT", "FOR"};

    return is_any_of(t, words, ARRAY_LEN(words));
}

static void follow_body(struct statement_end *e, const struct token *t)
{
    const bool after_end = e->after_end;

    e->after_end = token_is(t, "END");
    if (after_end && closes_other(t)) {
        e->depth++; /* END had closed too much */
        return;
    }
    if (after_end && token_is(t, "CASE"))
        return;
    if (token_is(t, "BEGIN") || token_is(t, "CASE"))
        e->depth++;
    else if (e->after_end && e->depth > 0)
        e->depth--;
}

static void follow_word(struct statement_end *e, const struct token *t)
{
    switch (e->head) {
    case HEAD_START:
        if (token_is(t, "CREATE"))
            e->head = HEAD_CREATE;
        else
            e->head = token_is(t, "BEGIN") ? HEAD_BEGIN : HEAD_OTHER;
        return;
    case HEAD_CREATE:
        if (names_body(t))
            e->head = HEAD_BODY;
        else if (token_is(t, "DEFINER"))
            e->head = HEAD_DEFINER;
        else if (!may_precede_body(t))
            e->head = HEAD_OTHER;
        return;
    case HEAD_DEFINER:
        if (names_body(t))
            e->head = HEAD_BODY;
        else if (token_is(t, "VIEW") || token_is(t, "SQL"))
            e->head = HEAD_OTHER;
        return;
    case HEAD_BEGIN:
        e->head = token_is(t, "NOT") ? HEAD_BODY : HEAD_OTHER;
        e->depth = e->head == HEAD_BODY;
        return;
    case HEAD_BODY:
        follow_body(e, t);
        return;
    case HEAD_OTHER:
        return;
    }
}

static bool keeps_head(const struct statement_end *e)
{
    return e->head == HEAD_BODY || e->head == HEAD_DEFINER;
}

/* Text for some servers only: MySQL's and MariaDB's comments with a mark. */
static bool is_conditional(const struct token *t)
{
    return t->len > 3 && t->s[0] == '/' &&
           (t->s[2] == '!' || (t->s[2] == 'M' && t->s[3] == '!'));
}

bool token_is_filler(const struct token *t)
{
    return t->type == TOKEN_SPACE ||
           (t->type == TOKEN_COMMENT && !is_conditional(t));
}

void statement_follow(struct statement_end *e, const struct token *t)
{
    if (t->type == TOKEN_WORD) {
        follow_word(e, t);
        return;
    }
    if (token_is_filler(t))
        return;
    if (!keeps_head(e))
        e->head = HEAD_OTHER;
    if (t->type == TOKEN_OTHER && *t->s == '(')
        e->parens++;
    else if (t->type == TOKEN_OTHER && *t->s == ')' && e->parens > 0)
        e->parens--;
}

bool statement_ends(const struct statement_end *e, const struct token *t)
{
    return t->type == TOKEN_SEMICOLON && e->depth == 0 && e->parens == 0;
}

bool script_next(const char **text, size_t *len, const char **out_stmt,
                 size_t *out_len)
{
    struct lexer lx = {.pos = *text, .end = *text + *len};
    struct statement_end follow = {.head = HEAD_START};
    struct token t = lexer_next(&lx);
    const char *start, *last; /* last: end of what is not filler */

    while (token_is_filler(&t) || t.type == TOKEN_SEMICOLON)
        t = lexer_next(&lx);
    start = last = t.s;
    while (t.type != TOKEN_END && !statement_ends(&follow, &t)) {
        statement_follow(&follow, &t);
        if (!token_is_filler(&t))
            last = t.s + t.len;
        t = lexer_next(&lx);
    }
    *text = lx.pos;
    *len = (size_t)(lx.end - lx.pos);
    *out_stmt = start;
    *out_len = (size_t)(last - start);
    return last > start;
}

enum rc script_failed(const struct result_sink *sink, const struct conn *c,
                      enum rc rc, struct err *err)
{
    /* Without a text it is the sink itself that fails. */
    if (!rc || !sink || !sink->failed || c->gone || rc == RC_DB_GONE ||
        rc == RC_CANCELLED || rc == RC_NOMEM || err->text[0] == '\0')
        return rc;
    rc = sink->failed(sink->arg, err);
    if (!rc)
        *err = (struct err){0};
    return rc;
}
