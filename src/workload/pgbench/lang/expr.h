/* SPDX-License-Identifier: MIT */
/*
 * Expressions of \set and \if: pgbench's, all operators and functions of
 * PostgreSQL 17.  Parsed once into a row of instructions for a small stack
 * machine, which allocates nothing and formats nothing.
 *
 * Doubles are part of the language, so they are allowed here.
 */
#ifndef WORKLOAD_PGBENCH_LANG_EXPR_H
#define WORKLOAD_PGBENCH_LANG_EXPR_H

#include "base/arena.h"
#include "base/rng.h"
#include "workload/pgbench/lang/vars.h"

#define EXPR_STACK_MAX 32
#define EXPR_ARGS_MAX 16

struct expr_op;

struct expr {
    const struct expr_op *ops;
    size_t n_ops;
};

/* A text to parse, and where in it an error is. */
struct expr_text {
    const char *s;
    size_t len;
    const char *where;
};

/* An error is RC_USAGE, and text->where points to its place.  Variables that
 * are new are added to vars. */
MUST_USE enum rc expr_parse(struct arena *arena, struct var_table *vars,
                            struct expr_text *text, struct expr *out,
                            struct err *err);

/* What an evaluation works on, and why it failed. */
struct expr_env {
    struct var *vars;
    struct rng *rng;
    const char *fault; /* a constant */
    uint32_t fault_at; /* offset in the text */
    /* Where debug() says it is. */
    size_t script, command;
};

/* False on a failure, which is in env. */
MUST_USE bool expr_eval(const struct expr *e, struct expr_env *env,
                        struct scalar *out);
/* As \if takes it: NULL and zero are false. */
bool scalar_is_true(const struct scalar *v);

/* The hash functions, for whoever wants the same values. */
int64_t hash_fnv1a(int64_t value, int64_t seed);
int64_t hash_murmur2(int64_t value, int64_t seed);

#endif
