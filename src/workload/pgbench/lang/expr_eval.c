/* SPDX-License-Identifier: MIT */
/*
 * The machine.  Values and errors are those of pgbench: NULL in, NULL out;
 * doubles as soon as one operand is one; integers checked for overflow.
 */
#include "base/log.h"
#include "stats/draw.h"
#include "workload/pgbench/lang/expr_int.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

static bool fault(struct expr_env *env, const char *text)
{
    env->fault = text;
    return false;
}

/* ---- types ---- */

static COLD bool no_int(struct expr_env *env, const struct scalar *v)
{
    switch (v->type) {
    case SCALAR_NULL:
        return fault(env, "cannot coerce null to int");
    case SCALAR_BOOL:
        return fault(env, "cannot coerce boolean to int");
    case SCALAR_DOUBLE:
        return fault(env, "double to int overflow");
    case SCALAR_INT:
        break;
    }
    return false;
}

/* 2^63, the first that is too large. */
static const double int_end = 9223372036854775808.0;

static bool to_int(struct expr_env *env, const struct scalar *v, int64_t *out)
{
    double d;

    if (LIKELY(v->type == SCALAR_INT)) {
        *out = v->i;
        return true;
    }
    if (v->type != SCALAR_DOUBLE)
        return no_int(env, v);
    d = rint(v->d);
    if (isnan(d) || d < -int_end || d >= int_end)
        return no_int(env, v);
    *out = (int64_t)d;
    return true;
}

static bool to_double(struct expr_env *env, const struct scalar *v, double *out)
{
    switch (v->type) {
    case SCALAR_DOUBLE:
        *out = v->d;
        return true;
    case SCALAR_INT:
        *out = (double)v->i;
        return true;
    case SCALAR_NULL:
        return fault(env, "cannot coerce null to double");
    case SCALAR_BOOL:
        break;
    }
    return fault(env, "cannot coerce boolean to double");
}

static bool to_bool(struct expr_env *env, const struct scalar *v, bool *out)
{
    switch (v->type) {
    case SCALAR_BOOL:
        *out = v->b;
        return true;
    case SCALAR_INT:
        return fault(env, "cannot coerce int to boolean");
    case SCALAR_DOUBLE:
        return fault(env, "cannot coerce double to boolean");
    case SCALAR_NULL:
        break;
    }
    return fault(env, "cannot coerce null to boolean");
}

bool scalar_is_true(const struct scalar *v)
{
    switch (v->type) {
    case SCALAR_NULL:
        return false;
    case SCALAR_BOOL:
        return v->b;
    case SCALAR_INT:
        return v->i != 0;
    case SCALAR_DOUBLE:
        return v->d != 0.0;
    }
    return false;
}

static bool read_var(struct expr_env *env, size_t number, struct scalar *out)
{
    const struct var *v = &env->vars[number];

    switch (v->kind) {
    case VAR_SCALAR:
        *out = v->value;
        return true;
    case VAR_TEXT:
        return scalar_read(v->text, v->len, out) ||
               fault(env, "the variable's text is no number");
    case VAR_UNSET:
        break;
    }
    return fault(env, "the variable has no value");
}

/* ---- two operands ---- */

static bool compare_doubles(unsigned code, double a, double b)
{
    switch (code) {
    case OP_EQ:
        return a == b;
    case OP_NE:
        return a != b;
    case OP_LT:
        return a < b;
    case OP_LE:
        return a <= b;
    case OP_GT:
        return a > b;
    default:
        return a >= b;
    }
}

static bool on_doubles(struct expr_env *env, unsigned code, struct scalar *a,
                       const struct scalar *b)
{
    double x, y;

    if (!to_double(env, a, &x) || !to_double(env, b, &y))
        return false;
    switch (code) {
    case OP_ADD:
        *a = s_double(x + y);
        return true;
    case OP_SUB:
        *a = s_double(x - y);
        return true;
    case OP_MUL:
        *a = s_double(x * y);
        return true;
    case OP_DIV:
        *a = s_double(x / y);
        return true;
    case OP_POW:
        *a = s_double(pow(x, y));
        return true;
    default:
        *a = s_bool(compare_doubles(code, x, y));
        return true;
    }
}

static bool divide(struct expr_env *env, unsigned code, int64_t x, int64_t y,
                   struct scalar *out)
{
    if (y == 0)
        return fault(env, "division by zero");
    /* The one quotient that does not fit; and the remainder, which does. */
    if (y == -1 && code == OP_DIV && x == INT64_MIN)
        return fault(env, "bigint div out of range");
    if (y == -1)
        *out = s_int(code == OP_DIV ? -x : 0);
    else
        *out = s_int(code == OP_DIV ? x / y : x % y);
    return true;
}

static bool on_ints(struct expr_env *env, unsigned code, int64_t x, int64_t y,
                    struct scalar *out)
{
    *out = s_int(0);
    switch (code) {
    case OP_ADD:
        return !__builtin_add_overflow(x, y, &out->i) ||
               fault(env, "bigint add out of range");
    case OP_SUB:
        return !__builtin_sub_overflow(x, y, &out->i) ||
               fault(env, "bigint sub out of range");
    case OP_MUL:
        return !__builtin_mul_overflow(x, y, &out->i) ||
               fault(env, "bigint mul out of range");
    case OP_DIV:
    case OP_MOD:
        return divide(env, code, x, y, out);
    case OP_EQ:
        *out = s_bool(x == y);
        return true;
    case OP_NE:
        *out = s_bool(x != y);
        return true;
    case OP_LT:
        *out = s_bool(x < y);
        return true;
    case OP_LE:
        *out = s_bool(x <= y);
        return true;
    case OP_GT:
        *out = s_bool(x > y);
        return true;
    case OP_GE:
        *out = s_bool(x >= y);
        return true;
    case OP_BITAND:
        out->i = x & y;
        return true;
    case OP_BITOR:
        out->i = x | y;
        return true;
    case OP_BITXOR:
        out->i = x ^ y;
        return true;
    /* As the processor that pgbench mostly runs on: modulo 64. */
    case OP_LSHIFT:
        out->i = (int64_t)((uint64_t)x << (y & 63));
        return true;
    case OP_RSHIFT:
        out->i = x >> (y & 63);
        return true;
    case OP_FNV1A:
        out->i = hash_fnv1a(x, y);
        return true;
    case OP_MURMUR2:
        out->i = hash_murmur2(x, y);
        return true;
    default:
        return fault(env, "unknown operator");
    }
}

/* Operators that stay with doubles once there is one. */
static bool takes_doubles(unsigned code)
{
    return code <= OP_GE && code != OP_MOD;
}

static bool run_two(struct expr_env *env, unsigned code, struct scalar *a,
                    const struct scalar *b)
{
    int64_t x, y;

    if (LIKELY(a->type == SCALAR_INT && b->type == SCALAR_INT) &&
        code != OP_POW)
        return on_ints(env, code, a->i, b->i, a);
    if (a->type == SCALAR_NULL || b->type == SCALAR_NULL) {
        *a = s_null();
        return true;
    }
    if (code == OP_POW || (takes_doubles(code) && (a->type == SCALAR_DOUBLE ||
                                                   b->type == SCALAR_DOUBLE)))
        return on_doubles(env, code, a, b);
    if (!to_int(env, a, &x) || !to_int(env, b, &y))
        return false;
    return on_ints(env, code, x, y, a);
}

/* ---- one operand ---- */

static COLD void show_debug(const struct expr_env *env, const struct scalar *v)
{
    char text[VAR_PRINTED_MAX];
    static const char *const types[] = {[SCALAR_NULL] = "",
                                        [SCALAR_INT] = "int ",
                                        [SCALAR_DOUBLE] = "double ",
                                        [SCALAR_BOOL] = "boolean "};

    scalar_print(v, text);
    log_info("debug(script=%zu,command=%zu): %s%s", env->script, env->command,
             types[v->type], text);
}

static bool run_math(struct expr_env *env, unsigned code, struct scalar *v)
{
    double d;

    if (!to_double(env, v, &d))
        return false;
    switch (code) {
    case OP_EXP:
        *v = s_double(exp(d));
        return true;
    case OP_LN:
        *v = s_double(log(d));
        return true;
    case OP_SQRT:
        *v = s_double(sqrt(d));
        return true;
    case OP_ABS:
        *v = s_double(d < 0.0 ? -d : d);
        return true;
    default: /* double() */
        *v = s_double(d);
        return true;
    }
}

static bool run_one(struct expr_env *env, const struct expr_op *op,
                    struct scalar *v)
{
    int64_t i;
    bool b;

    if (op->code == OP_IS) {
        *v = s_bool(v->type == op->k.type &&
                    (v->type == SCALAR_NULL || v->b == op->k.b));
        return true;
    }
    if (op->code == OP_DEBUG) {
        show_debug(env, v);
        return true;
    }
    if (v->type == SCALAR_NULL)
        return true;
    switch (op->code) {
    case OP_NOT:
        if (!to_bool(env, v, &b))
            return false;
        *v = s_bool(!b);
        return true;
    case OP_TO_BOOL:
        return to_bool(env, v, &b);
    case OP_BITNOT:
    case OP_TO_INT:
        if (!to_int(env, v, &i))
            return false;
        *v = s_int(op->code == OP_BITNOT ? ~i : i);
        return true;
    case OP_ABS:
        if (v->type != SCALAR_INT)
            return run_math(env, OP_ABS, v);
        /* The smallest has no positive twin and stays. */
        if (v->i < 0)
            v->i = (int64_t)(0 - (uint64_t)v->i);
        return true;
    default:
        return run_math(env, op->code, v);
    }
}

/* ---- several operands ---- */

static bool run_extreme(struct expr_env *env, unsigned code,
                        struct scalar *args, size_t n)
{
    bool any_double = false;

    for (size_t i = 0; i < n; i++)
        any_double |= args[i].type == SCALAR_DOUBLE;
    for (size_t i = 0; i < n; i++) {
        bool better;

        if (any_double) {
            if (!run_math(env, OP_TO_DOUBLE, &args[i]))
                return false;
            better = code == OP_LEAST ? args[i].d < args[0].d
                                      : args[i].d > args[0].d;
        } else {
            if (!to_int(env, &args[i], &args[i].i))
                return false;
            better = code == OP_LEAST ? args[i].i < args[0].i
                                      : args[i].i > args[0].i;
        }
        if (better)
            args[0] = args[i];
    }
    return true;
}

/* The parameter of a distribution. */
static bool check_param(struct expr_env *env, unsigned code, double param)
{
    if (code == OP_GAUSSIAN && !(param >= DRAW_GAUSSIAN_MIN))
        return fault(env, "gaussian parameter must be at least 2.0");
    if (code == OP_ZIPFIAN &&
        !(param >= DRAW_ZIPFIAN_MIN && param <= DRAW_ZIPFIAN_MAX))
        return fault(env, "zipfian parameter must be in range [1.001, 1000]");
    if (code == OP_EXPONENTIAL && !(param > 0.0))
        return fault(env, "exponential parameter must be greater than zero");
    return true;
}

static bool run_random(struct expr_env *env, unsigned code, struct scalar *args)
{
    int64_t lo = 0, hi = 0, n;
    double param = 0.0;

    if (!to_int(env, &args[0], &lo) || !to_int(env, &args[1], &hi))
        return false;
    if (lo > hi)
        return fault(env, "empty range given to random");
    if (__builtin_sub_overflow(hi, lo, &n) || n == INT64_MAX)
        return fault(env, "random range is too large");
    if (code != OP_RANDOM &&
        (!to_double(env, &args[2], &param) || !check_param(env, code, param)))
        return false;
    switch (code) {
    case OP_EXPONENTIAL:
        lo = draw_exponential(env->rng, lo, hi, param);
        break;
    case OP_GAUSSIAN:
        lo = draw_gaussian(env->rng, lo, hi, param);
        break;
    case OP_ZIPFIAN:
        lo = draw_zipfian(env->rng, lo, hi, param);
        break;
    default:
        lo = rng_range(env->rng, lo, hi);
        break;
    }
    args[0] = s_int(lo);
    return true;
}

static bool run_permute(struct expr_env *env, struct scalar *args)
{
    int64_t value, size, seed;

    if (!to_int(env, &args[0], &value) || !to_int(env, &args[1], &size) ||
        !to_int(env, &args[2], &seed))
        return false;
    if (size <= 0)
        return fault(env, "permute size parameter must be greater than zero");
    args[0] = s_int(draw_permute(value, size, seed));
    return true;
}

static bool run_several(struct expr_env *env, const struct expr_op *op,
                        struct scalar *args)
{
    for (size_t i = 0; i < op->n_args; i++) {
        if (args[i].type == SCALAR_NULL) {
            args[0] = s_null();
            return true;
        }
    }
    if (op->code == OP_PERMUTE)
        return run_permute(env, args);
    if (op->code == OP_LEAST || op->code == OP_GREATEST)
        return run_extreme(env, op->code, args, op->n_args);
    return run_random(env, op->code, args);
}

/* ---- the machine ---- */

/* The first operand of AND or OR; *decided when the second does not count. */
static bool run_lazy(struct expr_env *env, const struct expr_op *op,
                     const struct scalar *v, bool *decided)
{
    bool b;

    if (v->type == SCALAR_NULL) {
        *decided = true;
        return true;
    }
    if (!to_bool(env, v, &b))
        return false;
    *decided = b == (op->code == OP_OR);
    return true;
}

/* Jumps; moves *i to the instruction before the next and *top to behind what
 * is left. */
static bool run_jump(const struct expr *e, struct expr_env *env, size_t *i,
                     struct scalar **top)
{
    const struct expr_op *op = &e->ops[*i];
    bool taken = true;

    if (op->code == OP_JUMP_UNLESS) {
        --*top;
        taken = !scalar_is_true(*top);
    } else if (op->code != OP_JUMP) {
        if (!run_lazy(env, op, *top - 1, &taken))
            return false;
        if (!taken)
            --*top;
    }
    if (taken)
        *i = op->arg - 1;
    return true;
}

bool expr_eval(const struct expr *e, struct expr_env *env, struct scalar *out)
{
    struct scalar stack[EXPR_STACK_MAX] = {{0}};
    struct scalar *top = stack; /* behind the last */
    bool ok = true;

    for (size_t i = 0; i < e->n_ops; i++) {
        const struct expr_op *op = &e->ops[i];

        if (op->code == OP_CONST) {
            *top++ = op->k;
        } else if (op->code == OP_VAR) {
            ok = read_var(env, op->arg, top++);
        } else if (op->code <= OP_MURMUR2) {
            top--;
            ok = run_two(env, op->code, top - 1, top);
        } else if (op->code <= OP_SQRT || op->code == OP_TO_BOOL) {
            ok = run_one(env, op, top - 1);
        } else if (op->code <= OP_PERMUTE) {
            top -= op->n_args - 1;
            ok = run_several(env, op, top - 1);
        } else {
            ok = run_jump(e, env, &i, &top);
        }
        if (UNLIKELY(!ok)) {
            env->fault_at = op->at;
            return false;
        }
    }
    assert(top == stack + 1);
    *out = stack[0];
    return true;
}
