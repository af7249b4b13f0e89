/* SPDX-License-Identifier: MIT */
/* Scripts: many statements in one text. */
#include "driver/lexer.h"
#include "driver/step.h"

/* What may stand between CREATE and TRIGGER. */
static bool may_precede_trigger(const struct token *t)
{
    static const char *const words[] = {"TEMP", "TEMPORARY", "OR", "REPLACE",
                                        "CONSTRAINT"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (token_is(t, words[i]))
            return true;
    }
    return false;
}

/* Follows a statement as it passes by, to know which ';' ends it. */
struct statement_end {
    enum { HEAD_START, HEAD_CREATE, HEAD_TRIGGER, HEAD_OTHER } head;
    size_t depth; /* of BEGIN or CASE … END, in a trigger */
};

static void follow_word(struct statement_end *e, const struct token *t)
{
    switch (e->head) {
    case HEAD_START:
        e->head = token_is(t, "CREATE") ? HEAD_CREATE : HEAD_OTHER;
        return;
    case HEAD_CREATE:
        if (token_is(t, "TRIGGER"))
            e->head = HEAD_TRIGGER;
        else if (!may_precede_trigger(t))
            e->head = HEAD_OTHER;
        return;
    case HEAD_TRIGGER:
        if (token_is(t, "BEGIN") || token_is(t, "CASE"))
            e->depth++;
        else if (token_is(t, "END") && e->depth > 0)
            e->depth--;
        return;
    case HEAD_OTHER:
        return;
    }
}

static bool is_filler(const struct token *t)
{
    return t->type == TOKEN_SPACE || t->type == TOKEN_COMMENT;
}

bool script_next(const char **text, size_t *len, const char **out_stmt,
                 size_t *out_len)
{
    struct lexer lx = {.pos = *text, .end = *text + *len};
    struct statement_end follow = {.head = HEAD_START};
    struct token t = lexer_next(&lx);
    const char *start, *last; /* last: end of what is not filler */

    while (is_filler(&t) || t.type == TOKEN_SEMICOLON)
        t = lexer_next(&lx);
    start = last = t.s;
    while (t.type != TOKEN_END &&
           !(t.type == TOKEN_SEMICOLON && follow.depth == 0)) {
        if (t.type == TOKEN_WORD)
            follow_word(&follow, &t);
        else if (!is_filler(&t) && follow.head != HEAD_TRIGGER)
            follow.head = HEAD_OTHER;
        if (!is_filler(&t))
            last = t.s + t.len;
        t = lexer_next(&lx);
    }
    *text = lx.pos;
    *len = (size_t)(lx.end - lx.pos);
    *out_stmt = start;
    *out_len = (size_t)(last - start);
    return last > start;
}
