/* SPDX-License-Identifier: MIT */
/* Statements of a script: what they do, and where their values go. */
#include "base/mem.h"
#include "driver/lexer.h"
#include "workload/pgbench/lang/script.h"

#include <stdio.h>
#include <string.h>

#define NAME_TEXT_MAX 48

/* ---- what it does ---- */

/* The next token that is no filler. */
static struct token next_word(struct lexer *lx)
{
    struct token t = lexer_next(lx);

    while (token_is_filler(&t))
        t = lexer_next(lx);
    return t;
}

static bool is_one_of(const struct token *t, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (token_is(t, words[i]))
            return true;
    }
    return false;
}

/* A SELECT that locks rows or makes a table does not only read. */
static bool only_reads(struct lexer lx)
{
    static const char *const words[] = {"UPDATE", "SHARE", "INTO"};
    struct token t = next_word(&lx);

    while (t.type != TOKEN_END) {
        if (is_one_of(&t, words, ARRAY_LEN(words)))
            return false;
        t = next_word(&lx);
    }
    return true;
}

/* BEGIN and its kin, with nothing behind that matters; *rest is what does. */
static enum pgb_kind find_kind(const char *s, size_t len, struct token *rest)
{
    static const char *const noise[] = {"WORK", "TRANSACTION", "IMMEDIATE",
                                        "DEFERRED", "EXCLUSIVE"};
    struct lexer lx = {.pos = s, .end = s + len};
    const struct token first = next_word(&lx);
    const struct lexer behind = lx;
    struct token t = next_word(&lx);
    enum pgb_kind kind;

    if (token_is(&first, "SELECT") || token_is(&first, "VALUES"))
        return only_reads(behind) ? PGB_READ : PGB_OTHER;
    if (token_is(&first, "BEGIN"))
        kind = PGB_BEGIN;
    else if (token_is(&first, "START") && token_is(&t, "TRANSACTION"))
        kind = PGB_BEGIN;
    else if (token_is(&first, "COMMIT") || token_is(&first, "END"))
        kind = PGB_COMMIT;
    else if (token_is(&first, "ROLLBACK") || token_is(&first, "ABORT"))
        kind = PGB_ROLLBACK;
    else
        return PGB_OTHER;
    while (is_one_of(&t, noise, ARRAY_LEN(noise)))
        t = next_word(&lx);
    if (t.type == TOKEN_END)
        return kind;
    *rest = t;
    /* COMMIT PREPARED, ROLLBACK TO, … are something else. */
    return kind == PGB_BEGIN ? kind : PGB_OTHER;
}

/* ---- its text ---- */

/* A statement while it is built.  The first pass only counts. */
struct build {
    struct pgb_parser *p;
    struct pgb_sql *sql;
    bool counting;
    /* Pieces. */
    struct pgb_piece *pieces;
    size_t n_pieces;
    char *piece_text;
    size_t piece_len, piece_start;
    /* The step. */
    char *text;
    size_t len;
    uint8_t *params;
    size_t n_params;
    uint32_t *vars;
    size_t n_vars;
    size_t n_statements;
};

static void put(struct build *b, const char *s, size_t len)
{
    if (!b->counting) {
        memcpy(b->piece_text + b->piece_len, s, len);
        memcpy(b->text + b->len, s, len);
    }
    b->piece_len += len;
    b->len += len;
}

/* Ends a piece with a variable, or with none at the end. */
static void end_piece(struct build *b, uint32_t var, const char *unset,
                      size_t unset_len)
{
    if (!b->counting) {
        b->pieces[b->n_pieces] = (struct pgb_piece){
            .s = b->piece_text + b->piece_start,
            .len = (uint32_t)(b->piece_len - b->piece_start),
            .var = var,
            .unset = unset,
            .unset_len = (uint32_t)unset_len,
        };
    }
    b->n_pieces++;
    b->piece_start = b->piece_len;
}

/* The index of a variable among the parameters. */
static size_t param_index(struct build *b, uint32_t var)
{
    for (size_t i = 0; i < b->n_vars; i++) {
        if (b->vars[i] == var)
            return i;
    }
    b->vars[b->n_vars] = var;
    return b->n_vars++;
}

static enum rc put_param(struct build *b, const struct token *t)
{
    struct pgb_parser *p = b->p;
    char text[24];
    size_t i;
    uint32_t var;
    enum rc rc = pgb_use_var(p, t->s + 1, t->len - 1, &var);

    if (rc)
        return rc;
    end_piece(b, var, NULL, 0);
    if (b->n_params == PGB_PARAMS_MAX)
        return pgb_fail(p, t->s, "more than 255 values in a statement");
    if (b->counting) {
        b->n_params++;
        b->len += sizeof(text);
        return RC_OK;
    }
    i = param_index(b, var);
    if (p->dialect->placeholder == PLACEHOLDER_QUESTION) {
        b->params[b->n_params++] = (uint8_t)i;
        b->text[b->len++] = '?';
        return RC_OK;
    }
    if (i == b->n_params)
        b->params[b->n_params++] = (uint8_t)i;
    snprintf(text, sizeof(text), "$%zu", i + 1);
    memcpy(b->text + b->len, text, strlen(text));
    b->len += strlen(text);
    return RC_OK;
}

/* Between quotes the names of variables count as soon as one has a value. */
static enum rc put_quoted(struct build *b, const struct token *t)
{
    const char *s = t->s, *end = t->s + t->len;

    while (s < end) {
        const char *name = s + 1, *p = name;
        size_t number;

        if (*s != ':' || !var_starts_name(*name)) {
            do {
                put(b, s++, 1);
            } while (s[-1] == ':' && *s == ':'); /* "::" is a cast */
            continue;
        }
        while (p < end && var_goes_on(*p))
            p++;
        if (b->p->vars->n < VARS_MAX / 2 &&
            var_number(b->p->vars, name, (size_t)(p - name), &number, NULL))
            return pgb_no_memory(b->p);
        number = var_find(b->p->vars, name, (size_t)(p - name));
        if (number == SIZE_MAX) {
            put(b, s, (size_t)(p - s));
        } else {
            end_piece(b, (uint32_t)number, s, (size_t)(p - s));
            if (!b->counting)
                memcpy(b->text + b->len, s, (size_t)(p - s));
            b->len += (size_t)(p - s);
        }
        s = p;
    }
    return RC_OK;
}

/* Behind a backslash: ';' begins another statement, ':' is itself. */
static enum rc put_escaped(struct build *b, struct lexer *lx,
                           const struct token *backslash)
{
    const struct token t = lexer_next(lx);

    if (t.type == TOKEN_SEMICOLON)
        b->n_statements++;
    if (t.type == TOKEN_SEMICOLON && !b->p->dialect->as_text)
        return pgb_fail(b->p, backslash->s,
                        "several statements in one need -M simple on "
                        "PostgreSQL");
    put(b, t.s, t.len);
    return RC_OK;
}

/* Hints for an optimiser are the comments that a server must see. */
static bool is_hint(const struct token *t)
{
    return t->len > 2 && t->s[0] == '/' && (t->s[2] == '+' || t->s[2] == '!');
}

static enum rc build(struct build *b, const char *s, size_t len)
{
    struct lexer lx = {.pos = s, .end = s + len};
    struct token t;
    enum rc rc = RC_OK;

    b->n_statements = 1;
    while (!rc && (t = lexer_next(&lx)).type != TOKEN_END) {
        if (t.type == TOKEN_PARAM)
            rc = put_param(b, &t);
        else if (t.type == TOKEN_QUOTED)
            rc = put_quoted(b, &t);
        else if (t.type == TOKEN_OTHER && *t.s == '\\')
            rc = put_escaped(b, &lx, &t);
        else if (t.type == TOKEN_COMMENT && !is_hint(&t))
            put(b, " ", 1);
        else
            put(b, t.s, t.len);
    }
    end_piece(b, PGB_NO_VAR, NULL, 0);
    return rc;
}

/* Room for what has been counted. */
static bool make_room(struct build *b)
{
    struct arena *arena = b->p->arena;

    b->pieces = ARENA_ARRAY(arena, struct pgb_piece, b->n_pieces);
    b->piece_text = arena_alloc(arena, b->piece_len + 1);
    b->text = arena_alloc(arena, b->len + 1);
    b->params = arena_alloc(arena, b->n_params + 1);
    b->vars = ARENA_ARRAY(arena, uint32_t, b->n_params + 1);
    b->counting = false;
    b->n_pieces = b->piece_len = b->piece_start = 0;
    b->len = b->n_params = 0;
    return b->pieces && b->piece_text && b->text && b->params && b->vars;
}

/* "tpcb.sql:5: UPDATE pgbench_accounts …" */
static const char *name_of(struct pgb_parser *p, const char *s, size_t len)
{
    char text[NAME_TEXT_MAX + 1];
    size_t n = 0;

    for (size_t i = 0; i < len && n < NAME_TEXT_MAX; i++) {
        const bool blank = (unsigned char)s[i] <= ' ';

        if (!blank)
            text[n++] = s[i];
        else if (n > 0 && text[n - 1] != ' ')
            text[n++] = ' ';
    }
    text[n] = '\0';
    return arena_printf(p->arena, "%s:%zu: %s", p->script->name,
                        pgb_line(p->script, s), text);
}

static enum rc fill_step(struct build *b, const char *s, size_t len)
{
    struct arena *arena = b->p->arena;
    struct step *step = &b->sql->step;
    struct step_statement *statement = ARENA_NEW(arena, struct step_statement);
    struct column *columns = ARENA_ARRAY(arena, struct column, b->n_vars + 1);

    step->name = name_of(b->p, s, len);
    if (!statement || !columns || !step->name)
        return pgb_no_memory(b->p);
    for (size_t i = 0; i < b->n_vars; i++)
        columns[i] = (struct column){.name = b->p->vars->names[b->vars[i]].name,
                                     .type = VALUE_TEXT};
    *statement = (struct step_statement){
        .text = b->text, .params = b->params, .n_params = b->n_params};
    step->params = columns;
    step->n_params = b->n_vars;
    step->statements = statement;
    step->n_statements = b->n_statements;
    step->raw = true;
    b->sql->vars = b->vars;
    b->sql->pieces = b->pieces;
    b->sql->n_pieces = b->n_pieces;
    b->sql->text_len = b->piece_len;
    return RC_OK;
}

/* Those that do not send BEGIN have options of their own for it. */
static enum rc check_begin(struct pgb_parser *p, const struct pgb_sql *sql,
                           const struct token *rest)
{
    if (sql->kind != PGB_BEGIN || p->dialect->native_txns || !rest->s)
        return RC_OK;
    return pgb_fail(p, rest->s,
                    "on this database BEGIN has no options; --isolation "
                    "sets the level");
}

enum rc pgb_parse_sql(struct pgb_parser *p, const char *s, size_t len)
{
    struct build b = {.p = p, .counting = true};
    struct token rest = {.s = NULL};
    struct pgb_cmd *cmd;
    enum rc rc;

    b.sql = ARENA_NEW(p->arena, struct pgb_sql);
    if (!b.sql)
        return pgb_no_memory(p);
    rc = build(&b, s, len);
    if (rc)
        return rc;
    if (b.n_statements == 1)
        b.sql->kind = find_kind(s, len, &rest);
    rc = check_begin(p, b.sql, &rest);
    if (rc)
        return rc;
    if (!make_room(&b))
        return pgb_no_memory(p);
    rc = build(&b, s, len);
    if (!rc)
        rc = fill_step(&b, s, len);
    if (rc)
        return rc;
    b.sql->number = p->totals->n_sql++;
    b.sql->first_arg = p->totals->n_args;
    p->totals->n_args += b.n_vars;
    cmd = pgb_add(p, PGB_SQL, s);
    if (!cmd)
        return pgb_no_memory(p);
    cmd->sql = b.sql;
    return RC_OK;
}

/* ---- the words of \shell ---- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* A word that is ":name" stands for a value, "::text" for ":text". */
static enum rc add_word(struct pgb_parser *p, const char *s, size_t len,
                        struct pgb_piece *out)
{
    *out = (struct pgb_piece){.s = s, .len = (uint32_t)len, .var = PGB_NO_VAR};
    if (len < 2 || *s != ':')
        return RC_OK;
    out->s++;
    out->len--;
    if (s[1] == ':')
        return RC_OK;
    if (!var_is_name(s + 1, len - 1))
        return pgb_fail(p, s, "this is no name of a variable");
    out->len = 0;
    return pgb_use_var(p, s + 1, len - 1, &out->var);
}

enum rc pgb_parse_words(struct pgb_parser *p, const char *s, size_t len,
                        struct pgb_words *out)
{
    const char *end = s + len;
    struct pgb_piece *pieces =
        ARENA_ARRAY(p->arena, struct pgb_piece, len / 2 + 1);
    size_t n = 0;

    if (!pieces)
        return pgb_no_memory(p);
    while (s < end) {
        const char *word;
        enum rc rc;

        while (s < end &&
               (is_blank(*s) || (*s == '\\' && s + 1 < end && is_blank(s[1]))))
            s++;
        word = s;
        while (s < end && !is_blank(*s))
            s++;
        if (s == word)
            break;
        rc = add_word(p, word, (size_t)(s - word), &pieces[n]);
        if (rc)
            return rc;
        n++;
    }
    *out = (struct pgb_words){.pieces = pieces, .n_pieces = n};
    return RC_OK;
}

/* ---- variables ---- */

bool pgb_comes_from_rows(const struct pgb_script *scripts, size_t n,
                         const char *name)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < scripts[i].n_cmds; k++) {
            const struct pgb_cmd *cmd = &scripts[i].cmds[k];

            if (cmd->type == PGB_SQL && cmd->sql->into &&
                strncmp(cmd->sql->prefix, name, strlen(cmd->sql->prefix)) == 0)
                return true;
        }
    }
    return false;
}

static bool has_value(const struct var_name *v)
{
    return v->initial || v->is_set;
}

/* A parameter cannot stand between quotes. */
static enum rc check_quotes(const struct pgb_script *script,
                            const struct var_table *vars, struct err *err)
{
    for (size_t i = 0; i < script->n_cmds; i++) {
        const struct pgb_sql *sql = script->cmds[i].sql;

        for (size_t k = 0; sql && k < sql->n_pieces; k++) {
            const struct pgb_piece *piece = &sql->pieces[k];

            if (!piece->unset || !has_value(&vars->names[piece->var]))
                continue;
            err_set(err, RC_USAGE,
                    "a variable between quotes needs -M simple on PostgreSQL; "
                    "write it without them");
            return pgb_show_place(script, piece->unset, err);
        }
    }
    return RC_OK;
}

enum rc pgb_check_vars(const struct pgb_script *scripts, size_t n,
                       const struct pgb_dialect *d,
                       const struct var_table *vars, struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; i < n && !rc && !d->as_text; i++)
        rc = check_quotes(&scripts[i], vars, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < vars->n; i++) {
        const struct var_name *v = &vars->names[i];

        if (!v->used_at || has_value(v) ||
            pgb_comes_from_rows(scripts, n, v->name))
            continue;
        err_set(err, RC_USAGE,
                "nothing sets the variable '%s'; set it in the script or with "
                "-D %s=VALUE",
                v->name, v->name);
        for (size_t k = 0; k < n; k++) {
            const struct pgb_script *s = &scripts[k];

            if (v->used_at >= s->text && v->used_at <= s->text + s->len)
                return pgb_show_place(s, v->used_at, err);
        }
        return RC_USAGE;
    }
    return RC_OK;
}
