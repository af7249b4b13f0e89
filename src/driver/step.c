/* SPDX-License-Identifier: MIT */
#include "driver/step.h"

#include "base/asset.h"
#include "driver/driver.h"
#include "driver/lexer.h"

#include <stdio.h>
#include <string.h>

/* A step while it is parsed. */
struct parser {
    struct arena *arena;
    const char *name, *text;
    enum placeholder style;
    struct step *out;
    struct err *err;
    uint64_t used; /* bit i: some statement uses params[i] */
};

_Static_assert(STEP_PARAMS_MAX <= 64, "the used mask has 64 bits");

static const struct {
    const char *name;
    enum value_type type;
} type_names[] = {
    {"int", VALUE_INT},   {"money", VALUE_MONEY}, {"rate", VALUE_RATE},
    {"time", VALUE_TIME}, {"text", VALUE_TEXT},   {"ints", VALUE_INTS},
};

/* Fails at a place in the text. */
static enum rc fail_at(struct parser *p, const char *at, const char *what)
{
    size_t line = 1;

    for (const char *s = p->text; s < at; s++)
        line += *s == '\n';
    return err_set(p->err, RC_INVALID, "step %s, line %zu: %s", p->name, line,
                   what);
}

static enum rc fail_name(struct parser *p, const struct token *t,
                         const char *what)
{
    char text[200];

    snprintf(text, sizeof(text), "%s '%.*s'", what,
             t->len > 60 ? 60 : (int)t->len, t->s);
    return fail_at(p, t->s, text);
}

static enum rc no_memory(struct parser *p)
{
    return err_set(p->err, RC_NOMEM, "step %s: out of memory", p->name);
}

/* ---- signature ---- */

/* The signature is read by the lexer of SQL.  It ends with its line, unless
 * the next one is a comment too. */
static struct token sig_next(struct lexer *lx)
{
    while (lx->pos < lx->end) {
        if (lx->end - lx->pos >= 3 && memcmp(lx->pos, "\n--", 3) == 0)
            lx->pos += 3;
        else if (*lx->pos == '\n')
            return (struct token){.type = TOKEN_END, .s = lx->pos};
        else if (*lx->pos == ' ' || *lx->pos == '\t' || *lx->pos == '\r')
            lx->pos++;
        else
            break;
    }
    return lexer_next(lx);
}

static bool token_is_char(const struct token *t, char c)
{
    return t->type == TOKEN_OTHER && t->len == 1 && *t->s == c;
}

static bool find_type(const struct token *t, enum value_type *out)
{
    for (size_t i = 0; i < ARRAY_LEN(type_names); i++) {
        if (t->type == TOKEN_WORD && strlen(type_names[i].name) == t->len &&
            memcmp(type_names[i].name, t->s, t->len) == 0) {
            *out = type_names[i].type;
            return true;
        }
    }
    return false;
}

/* The index of a name among columns, or n. */
static size_t find_column(const struct column *cols, size_t n, const char *s,
                          size_t len)
{
    for (size_t i = 0; i < n; i++) {
        if (strlen(cols[i].name) == len && memcmp(cols[i].name, s, len) == 0)
            return i;
    }
    return n;
}

/* One "name type"; *t is its first token. */
static enum rc parse_column(struct parser *p, struct lexer *lx,
                            const struct token *name, struct column *cols,
                            size_t n)
{
    struct token type;

    if (name->type != TOKEN_WORD)
        return fail_at(p, name->s, "the signature lacks a name here");
    if (find_column(cols, n, name->s, name->len) < n)
        return fail_name(p, name, "the signature has twice");
    type = sig_next(lx);
    if (!find_type(&type, &cols[n].type))
        return fail_at(p, type.s,
                       "expected a type: int, money, rate, time or text");
    cols[n].name = arena_strndup(p->arena, name->s, name->len);
    return cols[n].name ? RC_OK : no_memory(p);
}

/* "(name type, …)" */
static enum rc parse_columns(struct parser *p, struct lexer *lx,
                             const struct column **out, size_t *out_n)
{
    struct column *cols = ARENA_ARRAY(p->arena, struct column, STEP_PARAMS_MAX);
    struct token t = sig_next(lx);
    size_t n = 0;
    enum rc rc;

    if (!cols)
        return no_memory(p);
    if (!token_is_char(&t, '('))
        return fail_at(p, t.s, "expected '(' in the signature");
    t = sig_next(lx);
    while (n > 0 || !token_is_char(&t, ')')) {
        if (n == STEP_PARAMS_MAX)
            return fail_at(p, t.s, "more than 64 names in a signature");
        rc = parse_column(p, lx, &t, cols, n);
        if (rc)
            return rc;
        n++;
        t = sig_next(lx);
        if (token_is_char(&t, ')'))
            break;
        if (!token_is_char(&t, ','))
            return fail_at(p, t.s, "expected ',' or ')' in the signature");
        t = sig_next(lx);
    }
    *out = cols;
    *out_n = n;
    return RC_OK;
}

/* "(…) -> (…)"; without an arrow it returns nothing.  What follows is prose. */
static enum rc parse_signature(struct parser *p, struct lexer *lx)
{
    struct token dash, tip;
    enum rc rc;

    rc = parse_columns(p, lx, &p->out->params, &p->out->n_params);
    if (rc)
        return rc;
    dash = sig_next(lx);
    if (dash.type == TOKEN_END)
        return RC_OK;
    tip = sig_next(lx);
    if (!token_is_char(&dash, '-') || !token_is_char(&tip, '>'))
        return fail_at(p, dash.s, "expected '->' in the signature");
    return parse_columns(p, lx, &p->out->cols, &p->out->n_cols);
}

/* The signature is in the first comment line that begins with '('. */
static enum rc find_signature(struct parser *p)
{
    const char *line = p->text;

    while (strncmp(line, "--", 2) == 0) {
        const char *s = line + 2 + strspn(line + 2, " \t");

        if (*s == '(') {
            struct lexer lx = {.pos = s, .end = s + strlen(s)};

            return parse_signature(p, &lx);
        }
        line = strchr(s, '\n');
        if (!line)
            break;
        line++;
    }
    return fail_at(p, line ? line : p->text,
                   "no signature: the second line must read like "
                   "\"-- (a int) -> (b text)\"");
}

/* ---- statements ---- */

/* A statement while its text is written: into len, or only counted while
 * text is NULL. */
struct rewrite {
    char *text;
    size_t len;
    uint8_t *params;
    size_t n_params;
    size_t n_seen; /* occurrences of parameters */
};

static void rewrite_put(struct rewrite *w, const char *s, size_t len)
{
    if (w->text)
        memcpy(w->text + w->len, s, len);
    w->len += len;
}

/* The number ($k, from 1) of a parameter among those of the statement. */
static size_t dollar_number(struct rewrite *w, size_t param)
{
    for (size_t i = 0; i < w->n_params; i++) {
        if (w->params[i] == param)
            return i + 1;
    }
    w->params[w->n_params++] = (uint8_t)param;
    return w->n_params;
}

static void rewrite_param(struct rewrite *w, enum placeholder style,
                          size_t param)
{
    char text[24];

    switch (style) {
    case PLACEHOLDER_QUESTION:
        w->params[w->n_params++] = (uint8_t)param;
        rewrite_put(w, "?", 1);
        return;
    case PLACEHOLDER_DOLLAR:
        snprintf(text, sizeof(text), "$%zu", dollar_number(w, param));
        rewrite_put(w, text, strlen(text));
        return;
    }
}

/* Hints for an optimiser, and text for some servers only ("!", "M!"), are the
 * comments that a server must see. */
static bool is_hint(const struct token *t)
{
    return t->len > 3 && t->s[0] == '/' &&
           (t->s[2] == '+' || t->s[2] == '!' ||
            (t->s[2] == 'M' && t->s[3] == '!'));
}

static enum rc rewrite_token(struct parser *p, struct rewrite *w,
                             const struct token *t)
{
    const struct step *step = p->out;
    size_t i;

    if (t->type == TOKEN_OPEN)
        return fail_at(p, t->s, "a quote or comment has no end");
    if (t->type == TOKEN_COMMENT && !is_hint(t)) {
        rewrite_put(w, " ", 1);
        return RC_OK;
    }
    if (t->type != TOKEN_PARAM) {
        rewrite_put(w, t->s, t->len);
        return RC_OK;
    }
    i = find_column(step->params, step->n_params, t->s + 1, t->len - 1);
    if (i == step->n_params)
        return fail_name(p, t, "the signature has no parameter");
    p->used |= UINT64_C(1) << i;
    rewrite_param(w, p->style, i);
    return RC_OK;
}

/* How many parameters the text holds and how long it can become. */
static void measure(const char *s, size_t len, size_t *out_params,
                    size_t *out_bytes)
{
    struct lexer lx = {.pos = s, .end = s + len};
    struct token t;

    *out_params = 0;
    *out_bytes = len + 1;
    while ((t = lexer_next(&lx)).type != TOKEN_END) {
        if (t.type == TOKEN_PARAM) {
            ++*out_params;
            *out_bytes += 2; /* ":a" may become "$64" */
        }
    }
}

static enum rc parse_statement(struct parser *p, const char *s, size_t len,
                               struct step_statement *out)
{
    struct lexer lx = {.pos = s, .end = s + len};
    struct rewrite w = {0};
    struct token t;
    size_t n_params, n_bytes;
    enum rc rc;

    measure(s, len, &n_params, &n_bytes);
    w.text = arena_alloc(p->arena, n_bytes);
    w.params = arena_alloc(p->arena, n_params + 1);
    if (!w.text || !w.params)
        return no_memory(p);
    while ((t = lexer_next(&lx)).type != TOKEN_END) {
        rc = rewrite_token(p, &w, &t);
        if (rc)
            return rc;
    }
    w.text[w.len] = '\0';
    *out = (struct step_statement){
        .text = w.text, .params = w.params, .n_params = w.n_params};
    return RC_OK;
}

static enum rc parse_statements(struct parser *p)
{
    const char *rest = p->text;
    size_t rest_len = strlen(rest);
    struct step_statement *list =
        ARENA_ARRAY(p->arena, struct step_statement, STEP_STATEMENTS_MAX);
    const char *s;
    size_t len, n = 0;

    if (!list)
        return no_memory(p);
    while (script_next(&rest, &rest_len, &s, &len)) {
        enum rc rc;

        if (n == STEP_STATEMENTS_MAX)
            return fail_at(p, s, "more than 16 statements");
        rc = parse_statement(p, s, len, &list[n]);
        if (rc)
            return rc;
        n++;
    }
    if (n == 0)
        return fail_at(p, rest, "no statement");
    p->out->statements = list;
    p->out->n_statements = n;
    return RC_OK;
}

static enum rc check_all_used(struct parser *p)
{
    for (size_t i = 0; i < p->out->n_params; i++) {
        if (!(p->used >> i & 1))
            return err_set(p->err, RC_INVALID,
                           "step %s: parameter '%s' of the signature is not "
                           "used",
                           p->name, p->out->params[i].name);
    }
    return RC_OK;
}

enum rc step_parse(struct arena *arena, const char *name, const char *text,
                   enum placeholder style, struct step *out, struct err *err)
{
    struct step step = {0};
    struct parser p = {.arena = arena,
                       .name = name,
                       .text = text,
                       .style = style,
                       .out = &step,
                       .err = err};
    enum rc rc;

    step.name = arena_strdup(arena, name);
    if (!step.name)
        return no_memory(&p);
    rc = find_signature(&p);
    if (!rc)
        rc = parse_statements(&p);
    if (!rc)
        rc = check_all_used(&p);
    if (!rc)
        *out = step;
    return rc;
}

enum rc step_load(struct arena *arena, const char *workload,
                  const struct driver *driver, const char *name,
                  struct step *out, struct err *err)
{
    const struct asset *asset;
    char path[256];
    int len;

    len = snprintf(path, sizeof(path), "sql/%s/%s/%s.sql", workload,
                   driver->dialect, name);
    asset = len < (int)sizeof(path) ? asset_find(path) : NULL;
    if (!asset)
        return err_set(err, RC_NOT_FOUND, "there is no %s", path);
    return step_parse(arena, name, asset->data, driver->placeholder, out, err);
}
