/* SPDX-License-Identifier: MIT */
/*
 * A TPC-C user: its streams, its mix, its prepared steps, and the inputs of
 * the transaction at hand.
 */
#ifndef WORKLOAD_TPCC_VU_H
#define WORKLOAD_TPCC_VU_H

#include "workload/tpcc/input.h"
#include "workload/tpcc/mix.h"
#include "workload/tpcc/output.h"
#include "workload/tpcc/steps.h"

struct tpcc_vu {
    struct vu base; /* first member */
    struct rng choice;
    struct mix_state mix;
    struct input_source source;
    uint64_t home_step; /* --home spread: warehouses walked so far */
    enum tpcc_txn txn;
    union {
        struct new_order_input new_order;
        struct payment_input payment;
        struct order_status_input order_status;
        struct delivery_input delivery;
        struct stock_level_input stock_level;
        struct lookup_input lookup;
    } in;
    size_t first_step;     /* of its composition */
    struct output *sample; /* of the transaction at hand, NULL mostly */
    struct output_log outputs;
};

static inline CORO_FN enum rc vu_exec(struct tpcc_vu *vu, struct conn *c,
                                      size_t step, struct rowset *out,
                                      const struct value *args, size_t n_args)
{
    const enum rc rc = conn_exec(c, conn_stmt(c, step), args, n_args, out);

    if (UNLIKELY(vu->sample != NULL) && !rc && out)
        output_note(vu, (enum tpcc_step)step, args, out);
    return rc;
}

/* In a function with vu: runs a step with the arguments listed. */
#define VU_EXEC(c, step, out, ...)                                       \
    vu_exec(vu, (c), (step), (out), (const struct value[]){__VA_ARGS__}, \
            sizeof((const struct value[]){__VA_ARGS__}) /                \
                sizeof(struct value))

/* In a function with vu, c and rc: runs a step, returns when it fails. */
#define EXEC(step, out, ...)                     \
    do {                                         \
        rc = VU_EXEC(c, step, out, __VA_ARGS__); \
        if (rc)                                  \
            return rc;                           \
    } while (0)

/* As EXEC, for a step that must return a row. */
#define READ(step, out, ...)          \
    do {                              \
        EXEC(step, out, __VA_ARGS__); \
        if ((out)->n_rows == 0)       \
            return RC_INVALID;        \
    } while (0)

/* ---- what compositions share ---- */

/* Lines by (supplying warehouse, item), so that two orders lock stock in the
 * same order; the line with the missing item stays last (clause 2.4.1.5). */
void sort_lines(struct new_order_input *in);
/* Copies a name of at most 10 characters: the rows of an answer go with the
 * next one. */
struct value keep_name(const struct value *name, char out[10]);
/* H_DATA: the two names, four blanks between (clause 2.5.2.2); returns the
 * length. */
size_t history_data(const struct value *w_name, const struct value *d_name,
                    char out[24]);

#endif
