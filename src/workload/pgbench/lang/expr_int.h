/* SPDX-License-Identifier: MIT */
/* The instructions, shared by the parser and the machine. */
#ifndef WORKLOAD_PGBENCH_LANG_EXPR_INT_H
#define WORKLOAD_PGBENCH_LANG_EXPR_INT_H

#include "workload/pgbench/lang/expr.h"

enum expr_code {
    /* Push. */
    OP_CONST,
    OP_VAR, /* arg: its number */
    /* Two operands; in the order of the table of faults in expr_eval.c. */
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_BITAND,
    OP_BITOR,
    OP_BITXOR,
    OP_LSHIFT,
    OP_RSHIFT,
    OP_POW,
    OP_FNV1A,
    OP_MURMUR2,
    /* One operand. */
    OP_NOT,
    OP_BITNOT,
    OP_IS, /* equal in type and value to the constant */
    OP_ABS,
    OP_DEBUG,
    OP_TO_DOUBLE,
    OP_TO_INT,
    OP_EXP,
    OP_LN,
    OP_SQRT,
    /* n_args operands. */
    OP_LEAST,
    OP_GREATEST,
    OP_RANDOM,
    OP_EXPONENTIAL,
    OP_GAUSSIAN,
    OP_ZIPFIAN,
    OP_PERMUTE,
    /* Of the first operand; jumps to arg when it decides the result, and takes
     * it off otherwise. */
    OP_AND,
    OP_OR,
    OP_TO_BOOL, /* of the second; NULL stays */
    OP_JUMP_UNLESS,
    OP_JUMP,
};

struct expr_op {
    uint8_t code; /* enum expr_code */
    uint8_t n_args;
    uint32_t arg; /* a variable, or the index of an instruction */
    uint32_t at;  /* in the text, for errors */
    struct scalar k;
};

#endif
