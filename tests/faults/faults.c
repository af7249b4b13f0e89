/* SPDX-License-Identifier: MIT */
/*
 * Faults of clients, for the program dyno_faulty: dyno with one of them, by the
 * name in DYNO_FAULT.  The linker puts each __wrap_ in the place of the
 * function whose name follows (cmake/tests.cmake).
 */
#include "faults/faults.h"

#include "driver/driver.h"
#include "workload/tpcc/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const faults[] = {"uniform_items", "home_only",
                                     "committed_rollback", "same_constant",
                                     "one_customer"};

static const char *planted = "";

/* Before main(), and so before there are threads. */
static __attribute__((constructor)) void plant(void)
{
    const char *name = getenv("DYNO_FAULT"); /* NOLINT: one thread */

    for (size_t i = 0; name && i < ARRAY_LEN(faults); i++) {
        if (strcmp(name, faults[i]) == 0) {
            planted = faults[i];
            return;
        }
    }
    fprintf(stderr, "dyno_faulty: DYNO_FAULT is no fault: '%s'\n",
            name ? name : "");
    exit(EXIT_FAILURE);
}

static bool has(const char *fault)
{
    return strcmp(planted, fault) == 0;
}

uint64_t faulty_nurand(struct rng *r, uint64_t a, uint64_t x, uint64_t y,
                       uint64_t c)
{
    if (a == NURAND_A_ITEM && has("uniform_items"))
        return x + rng_below(r, y - x + 1);
    return (nurand)(r, a, x, y, c);
}

void __real_input_new_order(struct input_source *src,
                            struct new_order_input *out);
void __wrap_input_new_order(struct input_source *src,
                            struct new_order_input *out);

/* With "home_only" there is no other warehouse to choose. */
void __wrap_input_new_order(struct input_source *src,
                            struct new_order_input *out)
{
    const struct tpcc *right = src->tpcc;
    struct tpcc alone = *right;

    alone.meta.warehouses = 1;
    if (has("home_only"))
        src->tpcc = &alone;
    __real_input_new_order(src, out);
    src->tpcc = right;
}

void __real_input_payment(struct input_source *src, struct payment_input *out);
void __wrap_input_payment(struct input_source *src, struct payment_input *out);

/* With "one_customer" all pay for one, and so meet on its row. */
void __wrap_input_payment(struct input_source *src, struct payment_input *out)
{
    __real_input_payment(src, out);
    if (has("one_customer"))
        out->customer =
            (struct customer_input){.w_id = 1, .d_id = 1, .c_id = 1};
}

uint64_t __real_c_run_draw(struct rng *r, uint64_t c_load);
uint64_t __wrap_c_run_draw(struct rng *r, uint64_t c_load);

uint64_t __wrap_c_run_draw(struct rng *r, uint64_t c_load)
{
    return has("same_constant") ? c_load : __real_c_run_draw(r, c_load);
}

CORO_FN enum rc __real_conn_rollback(struct conn *c);
CORO_FN enum rc __wrap_conn_rollback(struct conn *c);

CORO_FN enum rc __wrap_conn_rollback(struct conn *c)
{
    return has("committed_rollback") ? conn_commit(c) : __real_conn_rollback(c);
}
