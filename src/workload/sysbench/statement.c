/* SPDX-License-Identifier: MIT */
/* Statements of scripts, as steps that all users share. */
#include "driver/lexer.h"
#include "workload/sysbench/sysbench.h"

#include <ctype.h>
#include <string.h>

#define PARAMS_MAX 255
#define NAME_SHOWN 60

/* ---- what it does ---- */

static bool is_filler(const struct token *t)
{
    return t->type == TOKEN_SPACE || t->type == TOKEN_COMMENT ||
           (t->type == TOKEN_OTHER && *t->s == '(');
}

static enum sb_txn txn_of(const struct token *t, const struct token *next)
{
    if (token_is(t, "COMMIT") || token_is(t, "END"))
        return SB_COMMIT;
    if (token_is(t, "ROLLBACK") && !token_is(next, "TO"))
        return SB_ROLLBACK;
    if (token_is(t, "BEGIN") && !token_is(next, "NOT"))
        return SB_BEGIN;
    return token_is(t, "START") ? SB_BEGIN : SB_NO_TXN;
}

enum sb_kind sb_kind_of(const char *text, enum sb_txn *out_txn)
{
    static const char *const reads[] = {"SELECT", "WITH", "VALUES", "TABLE"};
    static const char *const writes[] = {"INSERT", "UPDATE", "DELETE",
                                         "REPLACE", "MERGE"};
    struct lexer lx = {.pos = text, .end = text + strlen(text)};
    struct token t, next;

    do
        t = lexer_next(&lx);
    while (is_filler(&t));
    do
        next = lexer_next(&lx);
    while (is_filler(&next));
    *out_txn = txn_of(&t, &next);
    for (size_t i = 0; i < ARRAY_LEN(reads); i++) {
        if (token_is(&t, reads[i]))
            return SB_READ;
    }
    for (size_t i = 0; i < ARRAY_LEN(writes); i++) {
        if (token_is(&t, writes[i]))
            return SB_WRITE;
    }
    return SB_OTHER;
}

/* ---- its parameters ---- */

static size_t count_params(const char *text)
{
    struct lexer lx = {.pos = text, .end = text + strlen(text)};
    struct token t;
    size_t n = 0;

    while ((t = lexer_next(&lx)).type != TOKEN_END)
        n += t.type == TOKEN_OTHER && *t.s == '?';
    return n;
}

/* "?" becomes "$1" where the driver wants it. */
static char *convert(struct arena *arena, const char *text, size_t n_params,
                     enum placeholder style)
{
    const size_t room = strlen(text) + 4 * n_params + 1;
    struct lexer lx = {.pos = text, .end = text + strlen(text)};
    struct token t;
    size_t n = 0, len = 0;
    char *to;

    if (style == PLACEHOLDER_QUESTION || n_params == 0)
        return arena_strdup(arena, text);
    to = arena_alloc(arena, room);
    while (to && (t = lexer_next(&lx)).type != TOKEN_END) {
        if (t.type == TOKEN_OTHER && *t.s == '?') {
            len += (size_t)snprintf(to + len, room - len, "$%zu", ++n);
            continue;
        }
        memcpy(to + len, t.s, t.len);
        len += t.len;
    }
    return to;
}

/* Blanks become one; a long text is cut. */
static const char *short_name(struct arena *arena, const char *text)
{
    char name[NAME_SHOWN + 4];
    size_t n = 0;

    for (; *text && n < NAME_SHOWN; text++) {
        if (!isspace((unsigned char)*text))
            name[n++] = *text;
        else if (n > 0 && name[n - 1] != ' ')
            name[n++] = ' ';
    }
    while (n > 0 && (name[n - 1] == ' ' || (name[n - 1] & 0x80)))
        n--;
    snprintf(name + n, 4, "%s", *text ? "..." : "");
    return arena_strdup(arena, name);
}

static bool fill_step(struct arena *arena, struct sb_sql *sql, const char *name,
                      enum placeholder style)
{
    static const struct column column = {"", VALUE_TEXT};
    const size_t n = count_params(sql->text);
    struct step_statement *s = ARENA_NEW(arena, struct step_statement);
    struct column *params = ARENA_ARRAY(arena, struct column, n + 1);
    uint8_t *numbers = arena_alloc(arena, n + 1);

    if (!s || !params || !numbers)
        return false;
    for (size_t i = 0; i < n; i++) {
        params[i] = column;
        numbers[i] = (uint8_t)i;
    }
    s->text = convert(arena, sql->text, n, style);
    s->params = numbers;
    s->n_params = n;
    sql->step.name =
        name ? arena_strdup(arena, name) : short_name(arena, sql->text);
    sql->step.params = params;
    sql->step.n_params = n;
    sql->step.statements = s;
    sql->step.n_statements = 1;
    sql->step.raw = true;
    return s->text && sql->step.name;
}

/* ---- the table of them ---- */

static size_t hash_of(const char *text)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return (size_t)(h >> 56);
}

static bool is_same(const struct sb_sql *sql, const char *text,
                    const char *name, bool keeps_rows)
{
    return sql->step.raw_rows == keeps_rows && strcmp(sql->text, text) == 0 &&
           (!name || strcmp(sql->step.name, name) == 0);
}

static struct sb_sql *add(struct sb_state *st, const char *text,
                          const char *name, bool keeps_rows)
{
    struct arena *arena = &st->sqls_arena;
    struct sb_sql *sql = ARENA_NEW(arena, struct sb_sql);
    struct sb_sql **bucket = &st->sqls[hash_of(text)];

    if (!sql)
        return NULL;
    sql->text = arena_strdup(arena, text);
    if (!sql->text ||
        !fill_step(arena, sql, name, st->ds->db->driver->placeholder))
        return NULL;
    sql->step.raw_rows = keeps_rows;
    sql->kind = sb_kind_of(text, &sql->txn);
    sql->number = st->n_sqls++;
    sql->next = *bucket;
    *bucket = sql;
    return sql;
}

const struct sb_sql *sb_sql_find(struct sb_state *st, const char *text,
                                 const char *name, bool keeps_rows)
{
    struct sb_sql *sql;

    pthread_mutex_lock(&st->lock);
    for (sql = st->sqls[hash_of(text)]; sql; sql = sql->next) {
        if (is_same(sql, text, name, keeps_rows))
            break;
    }
    if (!sql && count_params(text) <= PARAMS_MAX)
        sql = add(st, text, name, keeps_rows);
    pthread_mutex_unlock(&st->lock);
    return sql;
}
