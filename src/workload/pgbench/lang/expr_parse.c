/* SPDX-License-Identifier: MIT */
/* From text to instructions: precedence climbing, one token ahead. */
#include "base/mem.h"
#include "base/parse.h"
#include "workload/pgbench/lang/expr_int.h"
#include "workload/pgbench/lang/expr_lex.h"

#include <stdio.h>
#include <string.h>

#define NESTING_MAX 100
/* Instructions that one byte of text can lead to, and some to begin with. */
#define OPS_PER_BYTE 3
#define OPS_MORE 16

/* From loose to tight.  NOT takes what is tighter than itself. */
enum level {
    LEVEL_OR = 1,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_IS,
    LEVEL_COMPARE,
    LEVEL_BITS,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_UNARY,
};

struct parser {
    struct expr_lexer lx;
    struct expr_token t; /* the next one */
    struct var_table *vars;
    struct expr_op *ops;
    size_t n_ops;
    size_t depth, nesting;
    const char *where;
    struct err *err;
    enum rc rc;
};

/* ---- errors ---- */

/* The first one stays. */
static void fail(struct parser *p, const char *at, const char *what)
{
    if (p->rc)
        return;
    p->where = at;
    p->rc = err_set(p->err, RC_USAGE, "%s", what);
}

static void fail_name(struct parser *p, const struct expr_token *t,
                      const char *what)
{
    char text[160];

    snprintf(text, sizeof(text), "%s '%.*s'", what,
             t->len > 60 ? 60 : (int)t->len, t->s);
    fail(p, t->s, text);
}

static void advance(struct parser *p)
{
    if (p->rc)
        return;
    p->t = expr_lex(&p->lx);
    if (p->t.type == EXPR_TOKEN_BAD)
        fail_name(p, &p->t, p->t.why);
}

static bool is_at(const struct parser *p, enum expr_token_type type)
{
    return !p->rc && p->t.type == type;
}

/* Whether the next token is this one; if so, it is taken. */
static bool accept(struct parser *p, enum expr_token_type type)
{
    if (!is_at(p, type))
        return false;
    advance(p);
    return true;
}

static void expect(struct parser *p, enum expr_token_type type,
                   const char *what)
{
    if (!p->rc && !accept(p, type) && !p->rc)
        fail(p, p->t.s, what);
}

/* ---- emitting ---- */

/* Adds an instruction, which takes `takes` values and leaves one; returns its
 * index. */
static size_t emit(struct parser *p, enum expr_code code, size_t takes,
                   const char *at)
{
    const size_t i = p->n_ops;

    if (p->rc)
        return 0;
    p->ops[p->n_ops++] = (struct expr_op){
        .code = (uint8_t)code,
        .n_args = (uint8_t)takes,
        .at = (uint32_t)(at - p->lx.text),
    };
    p->depth += 1 - takes;
    if (p->depth > EXPR_STACK_MAX)
        fail(p, at, "the expression is too deep");
    return i;
}

static void emit_const(struct parser *p, struct scalar k, const char *at)
{
    const size_t i = emit(p, OP_CONST, 0, at);

    if (!p->rc)
        p->ops[i].k = k;
}

static void jump_here(struct parser *p, size_t i)
{
    if (!p->rc)
        p->ops[i].arg = (uint32_t)p->n_ops;
}

static void emit_var(struct parser *p, const char *s, size_t len,
                     const char *at)
{
    const size_t i = emit(p, OP_VAR, 0, at);
    size_t number;

    if (p->rc)
        return;
    p->rc = var_number(p->vars, s, len, &number, p->err);
    p->where = at;
    if (p->rc)
        return;
    p->ops[i].arg = (uint32_t)number;
    if (!p->vars->names[number].used_at)
        p->vars->names[number].used_at = at;
}

/* ---- functions ---- */

static void parse_expr(struct parser *p, enum level level);

struct function {
    const char *name;
    enum expr_code code;
    size_t min, max;
    bool seeded; /* the last argument, left out, is :default_seed */
};

static const struct function functions[] = {
    {"abs", OP_ABS, 1, 1, false},
    {"debug", OP_DEBUG, 1, 1, false},
    {"double", OP_TO_DOUBLE, 1, 1, false},
    {"exp", OP_EXP, 1, 1, false},
    {"greatest", OP_GREATEST, 1, EXPR_ARGS_MAX, false},
    {"hash", OP_MURMUR2, 1, 2, true},
    {"hash_fnv1a", OP_FNV1A, 1, 2, true},
    {"hash_murmur2", OP_MURMUR2, 1, 2, true},
    {"int", OP_TO_INT, 1, 1, false},
    {"least", OP_LEAST, 1, EXPR_ARGS_MAX, false},
    {"ln", OP_LN, 1, 1, false},
    {"mod", OP_MOD, 2, 2, false},
    {"permute", OP_PERMUTE, 2, 3, true},
    {"pi", OP_CONST, 0, 0, false},
    {"pow", OP_POW, 2, 2, false},
    {"power", OP_POW, 2, 2, false},
    {"random", OP_RANDOM, 2, 2, false},
    {"random_exponential", OP_EXPONENTIAL, 3, 3, false},
    {"random_gaussian", OP_GAUSSIAN, 3, 3, false},
    {"random_zipfian", OP_ZIPFIAN, 3, 3, false},
    {"sqrt", OP_SQRT, 1, 1, false},
};

static void unknown_function(struct parser *p, const struct expr_token *t)
{
    const char *names[ARRAY_LEN(functions)];
    char name[64], text[200];
    const char *near;

    for (size_t i = 0; i < ARRAY_LEN(functions); i++)
        names[i] = functions[i].name;
    snprintf(name, sizeof(name), "%.*s", (int)(t->len > 60 ? 60 : t->len),
             t->s);
    near = nearest_name(name, names, ARRAY_LEN(functions));
    snprintf(text, sizeof(text), "there is no function '%s'%s%s%s", name,
             near ? "; did you mean '" : "", near ? near : "",
             near ? "'?" : "");
    fail(p, t->s, text);
}

static const struct function *find_function(const struct expr_token *t)
{
    for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
        if (strlen(functions[i].name) == t->len &&
            strncasecmp(functions[i].name, t->s, t->len) == 0)
            return &functions[i];
    }
    return NULL;
}

static void wrong_count(struct parser *p, const struct expr_token *t,
                        const struct function *f, size_t n)
{
    char text[160];

    if (f->min == f->max)
        snprintf(text, sizeof(text), "%s() takes %zu argument%s, not %zu",
                 f->name, f->min, f->min == 1 ? "" : "s", n);
    else
        snprintf(text, sizeof(text), "%s() takes %zu to %zu arguments, not %zu",
                 f->name, f->min, f->max, n);
    fail(p, t->s, text);
}

static size_t parse_arguments(struct parser *p)
{
    size_t n = 0;

    if (accept(p, EXPR_TOKEN_CLOSE))
        return 0;
    do {
        parse_expr(p, LEVEL_OR);
        n++;
    } while (accept(p, EXPR_TOKEN_COMMA));
    expect(p, EXPR_TOKEN_CLOSE, "expected ',' or ')'");
    return n;
}

static void parse_call(struct parser *p)
{
    const struct expr_token t = p->t;
    const struct function *f = find_function(&t);
    size_t n;

    if (!f) {
        unknown_function(p, &t);
        return;
    }
    advance(p);
    expect(p, EXPR_TOKEN_OPEN, "expected '(' behind the name of a function");
    n = parse_arguments(p);
    if (p->rc)
        return;
    if (n < f->min || n > f->max) {
        wrong_count(p, &t, f, n);
        return;
    }
    if (f->seeded && n < f->max) {
        emit_var(p, "default_seed", strlen("default_seed"), t.s);
        n++;
    }
    if (f->code == OP_CONST)
        emit_const(p, s_double(3.14159265358979323846), t.s);
    else
        emit(p, f->code, n, t.s);
}

/* ---- operands ---- */

/* CASE WHEN … THEN … [WHEN …] [ELSE …] END */
static void parse_case(struct parser *p)
{
    const char *at = p->t.s;
    /* The jumps to the end form a chain until it is known. */
    size_t last = SIZE_MAX, n = 0;

    advance(p);
    if (!is_at(p, EXPR_TOKEN_WHEN))
        fail(p, p->t.s, "expected WHEN");
    while (accept(p, EXPR_TOKEN_WHEN)) {
        size_t unless, jump;

        parse_expr(p, LEVEL_OR);
        unless = emit(p, OP_JUMP_UNLESS, 1, at);
        p->depth--; /* it leaves nothing */
        expect(p, EXPR_TOKEN_THEN, "expected THEN");
        parse_expr(p, LEVEL_OR);
        jump = emit(p, OP_JUMP, 1, at);
        p->depth--; /* for the next branch */
        if (p->rc)
            return;
        p->ops[jump].arg = (uint32_t)last;
        last = jump;
        jump_here(p, unless);
        n++;
    }
    if (accept(p, EXPR_TOKEN_ELSE))
        parse_expr(p, LEVEL_OR);
    else
        emit_const(p, s_null(), at);
    expect(p, EXPR_TOKEN_END_WORD, "expected WHEN, ELSE or END");
    while (!p->rc && n-- > 0) {
        const size_t before = p->ops[last].arg;

        jump_here(p, last);
        last = before;
    }
}

/* -x is 0 - x, and the smallest integer has no positive twin. */
static void parse_minus(struct parser *p)
{
    const struct expr_token minus = p->t;
    size_t first;

    advance(p);
    if (is_at(p, EXPR_TOKEN_TOO_BIG)) {
        emit_const(p, s_int(INT64_MIN), minus.s);
        advance(p);
        return;
    }
    first = p->n_ops;
    emit_const(p, s_int(0), minus.s);
    parse_expr(p, LEVEL_UNARY);
    if (p->rc)
        return;
    if (p->n_ops == first + 2 && p->ops[first + 1].code == OP_CONST &&
        p->ops[first + 1].k.type == SCALAR_INT &&
        p->ops[first + 1].k.i != INT64_MIN) {
        p->ops[first].k.i = -p->ops[first + 1].k.i;
        p->n_ops--;
        p->depth--;
        return;
    }
    emit(p, OP_SUB, 2, minus.s);
}

static void parse_operand(struct parser *p)
{
    const struct expr_token t = p->t;

    switch ((unsigned)t.type) {
    case EXPR_TOKEN_CONST:
        emit_const(p, t.k, t.s);
        advance(p);
        return;
    case EXPR_TOKEN_VAR:
        emit_var(p, t.s + 1, t.len - 1, t.s);
        advance(p);
        return;
    case EXPR_TOKEN_OPEN:
        advance(p);
        parse_expr(p, LEVEL_OR);
        expect(p, EXPR_TOKEN_CLOSE, "expected ')'");
        return;
    case EXPR_TOKEN_WORD:
        parse_call(p);
        return;
    case EXPR_TOKEN_CASE:
        parse_case(p);
        return;
    case EXPR_TOKEN_MINUS:
        parse_minus(p);
        return;
    case EXPR_TOKEN_PLUS:
        advance(p);
        parse_expr(p, LEVEL_UNARY);
        return;
    case EXPR_TOKEN_TILDE: /* as loose as the other operators on bits */
        advance(p);
        parse_expr(p, LEVEL_SUM);
        emit(p, OP_BITNOT, 1, t.s);
        return;
    case EXPR_TOKEN_NOT:
        advance(p);
        parse_expr(p, LEVEL_NOT);
        emit(p, OP_NOT, 1, t.s);
        return;
    case EXPR_TOKEN_TOO_BIG:
        fail(p, t.s, "the integer is out of range");
        return;
    default:
        fail(p, t.s,
             t.type == EXPR_TOKEN_END ? "the expression ends too early"
                                      : "expected a value here");
        return;
    }
}

/* ---- operators ---- */

struct operator
{
    enum expr_token_type token;
    enum level level;
    enum expr_code code;
};

static const struct operator operators[] = {
    {EXPR_TOKEN_OR, LEVEL_OR, OP_OR},
    {EXPR_TOKEN_AND, LEVEL_AND, OP_AND},
    {EXPR_TOKEN_EQ, LEVEL_COMPARE, OP_EQ},
    {EXPR_TOKEN_NE, LEVEL_COMPARE, OP_NE},
    {EXPR_TOKEN_LT, LEVEL_COMPARE, OP_LT},
    {EXPR_TOKEN_LE, LEVEL_COMPARE, OP_LE},
    {EXPR_TOKEN_GT, LEVEL_COMPARE, OP_GT},
    {EXPR_TOKEN_GE, LEVEL_COMPARE, OP_GE},
    {EXPR_TOKEN_BITAND, LEVEL_BITS, OP_BITAND},
    {EXPR_TOKEN_BITOR, LEVEL_BITS, OP_BITOR},
    {EXPR_TOKEN_BITXOR, LEVEL_BITS, OP_BITXOR},
    {EXPR_TOKEN_LSHIFT, LEVEL_BITS, OP_LSHIFT},
    {EXPR_TOKEN_RSHIFT, LEVEL_BITS, OP_RSHIFT},
    {EXPR_TOKEN_PLUS, LEVEL_SUM, OP_ADD},
    {EXPR_TOKEN_MINUS, LEVEL_SUM, OP_SUB},
    {EXPR_TOKEN_STAR, LEVEL_PRODUCT, OP_MUL},
    {EXPR_TOKEN_SLASH, LEVEL_PRODUCT, OP_DIV},
    {EXPR_TOKEN_PERCENT, LEVEL_PRODUCT, OP_MOD},
};

static const struct operator* find_operator(const struct parser *p)
{
    for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
        if (operators[i].token == p->t.type)
            return &operators[i];
    }
    return NULL;
}

/* IS [NOT] {NULL | TRUE | FALSE}, ISNULL, NOTNULL; false when it is none. */
static bool parse_is(struct parser *p)
{
    const struct expr_token t = p->t;
    struct scalar k = s_null();
    bool negated = t.type == EXPR_TOKEN_NOTNULL;
    size_t i;

    if (t.type != EXPR_TOKEN_IS && t.type != EXPR_TOKEN_ISNULL &&
        t.type != EXPR_TOKEN_NOTNULL)
        return false;
    advance(p);
    if (t.type == EXPR_TOKEN_IS) {
        negated = accept(p, EXPR_TOKEN_NOT);
        if (!is_at(p, EXPR_TOKEN_CONST) ||
            (p->t.k.type != SCALAR_NULL && p->t.k.type != SCALAR_BOOL)) {
            fail(p, p->t.s, "expected NULL, TRUE or FALSE behind IS");
            return true;
        }
        k = p->t.k;
        advance(p);
    }
    i = emit(p, OP_IS, 1, t.s);
    if (!p->rc)
        p->ops[i].k = k;
    if (negated)
        emit(p, OP_NOT, 1, t.s);
    return true;
}

static void parse_right(struct parser *p, const struct operator* o)
{
    const char *at = p->t.s;
    size_t jump = 0;

    advance(p);
    if (o->code == OP_AND || o->code == OP_OR) {
        jump = emit(p, o->code, 1, at);
        p->depth--;
    }
    parse_expr(p, o->level + 1);
    if (o->code == OP_AND || o->code == OP_OR) {
        emit(p, OP_TO_BOOL, 1, at);
        jump_here(p, jump);
    } else {
        emit(p, o->code, 2, at);
    }
}

/* All that binds at least as tightly as the level. */
static void parse_expr(struct parser *p, enum level level)
{
    bool compared = false;

    if (p->nesting == NESTING_MAX)
        fail(p, p->t.s, "the expression is nested too deeply");
    if (p->rc)
        return;
    p->nesting++;
    parse_operand(p);
    while (!p->rc) {
        const struct operator* o = find_operator(p);

        if (level <= LEVEL_IS && parse_is(p))
            continue;
        if (!o || o->level < level)
            break;
        if (o->level == LEVEL_COMPARE && compared)
            fail(p, p->t.s, "comparisons do not chain: use AND");
        compared = o->level == LEVEL_COMPARE;
        parse_right(p, o);
    }
    p->nesting--;
}

/* ---- the whole ---- */

enum rc expr_parse(struct arena *arena, struct var_table *vars,
                   struct expr_text *text, struct expr *out, struct err *err)
{
    const char *s = text->s;
    const size_t cap = text->len * OPS_PER_BYTE + OPS_MORE;
    struct parser p = {
        .lx = {.text = s, .pos = s, .end = s + text->len},
        .vars = vars,
        .ops = MEM_ARRAY(struct expr_op, cap),
        .err = err,
        .where = s,
    };
    struct expr_op *ops = NULL;

    if (!p.ops)
        p.rc = err_set(err, RC_NOMEM, "out of memory");
    advance(&p);
    parse_expr(&p, LEVEL_OR);
    if (!p.rc && p.t.type != EXPR_TOKEN_END)
        fail(&p, p.t.s, "expected an operator or the end here");
    if (!p.rc) {
        ops = ARENA_ARRAY(arena, struct expr_op, p.n_ops);
        if (!ops)
            p.rc = err_set(err, RC_NOMEM, "out of memory");
    }
    if (!p.rc) {
        memcpy(ops, p.ops, p.n_ops * sizeof(*ops));
        *out = (struct expr){.ops = ops, .n_ops = p.n_ops};
    }
    text->where = p.where;
    mem_free(p.ops);
    return p.rc;
}
