/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/input.h"

#include <stdlib.h>

static int32_t draw(struct rng *r, int32_t lo, int32_t hi)
{
    return (int32_t)rng_range(r, lo, hi);
}

/* True in pct of 100 cases: the specification's x in [1..100]. */
static bool chance(struct rng *r, uint64_t pct)
{
    return rng_below(r, 100) < pct;
}

/* Uniform over the other warehouses, in one draw; home when it is alone. */
static int32_t other_warehouse(struct rng *r, uint64_t n, int32_t home)
{
    int32_t w;

    if (n < 2)
        return home;
    w = 1 + (int32_t)rng_below(r, n - 1);
    return w + (w >= home);
}

static int32_t draw_customer(struct input_source *src)
{
    return (int32_t)nurand(&src->rng, NURAND_A_CUSTOMER, 1, TPCC_CUSTOMERS,
                           src->tpcc->c_id);
}

static int32_t draw_item(struct input_source *src)
{
    return (int32_t)nurand(&src->rng, NURAND_A_ITEM, 1, TPCC_ITEMS,
                           src->tpcc->c_item);
}

static bool is_hot(const struct input_source *src, int32_t i_id)
{
    return src->hot_items[i_id / 64] >> (i_id % 64) & 1;
}

/* Clause 2.4.1.5. */
static void draw_line(struct input_source *src, int32_t number,
                      struct order_line_input *out)
{
    struct rng *r = &src->rng;

    *out = (struct order_line_input){
        .number = number,
        .i_id = draw_item(src),
        .supply_w_id = src->w_id,
        .quantity = draw(r, 1, 10),
    };
    src->tally.hot_lines += is_hot(src, out->i_id);
    if (chance(r, 1))
        out->supply_w_id =
            other_warehouse(r, src->tpcc->meta.warehouses, src->w_id);
}

void input_new_order(struct input_source *src, struct new_order_input *out)
{
    struct rng *r = &src->rng;
    struct input_tally *tally = &src->tally;

    out->w_id = src->w_id;
    out->d_id = draw(r, 1, TPCC_DISTRICTS);
    out->c_id = draw_customer(src);
    out->n_lines = draw(r, TPCC_LINES_MIN, TPCC_LINES_MAX);
    out->rollback = chance(r, 1);
    out->all_local = true;
    for (int32_t i = 0; i < out->n_lines; i++) {
        struct order_line_input *line = &out->lines[i];
        bool remote;

        draw_line(src, i + 1, line);
        remote = line->supply_w_id != out->w_id;
        tally->remote_lines += remote;
        out->all_local = out->all_local && !remote;
    }
    if (out->rollback)
        out->lines[out->n_lines - 1].i_id = TPCC_UNUSED_ITEM;
    tally->lines[out->n_lines]++;
    tally->rollbacks += out->rollback;
    tally->remote_orders += !out->all_local;
}

/* Clauses 2.5.1.2 and 2.6.1.2: 60 % by last name, the rest by number. */
static void draw_customer_choice(struct input_source *src,
                                 struct customer_input *out)
{
    struct rng *r = &src->rng;

    if (chance(r, 60)) {
        const uint64_t n =
            nurand(r, NURAND_A_LAST, 0, TPCC_NAMES - 1, src->tpcc->c_last);

        out->c_id = 0;
        out->last_len = (uint32_t)last_name(n, out->last);
        src->tally.by_name++;
        return;
    }
    out->c_id = draw_customer(src);
    out->last_len = 0;
    src->tally.by_number++;
}

void input_payment(struct input_source *src, struct payment_input *out)
{
    struct rng *r = &src->rng;

    out->w_id = src->w_id;
    out->d_id = draw(r, 1, TPCC_DISTRICTS);
    out->customer.w_id = out->w_id;
    out->customer.d_id = out->d_id;
    if (!chance(r, 85)) {
        out->customer.w_id =
            other_warehouse(r, src->tpcc->meta.warehouses, src->w_id);
        out->customer.d_id = draw(r, 1, TPCC_DISTRICTS);
        src->tally.remote_payments += out->customer.w_id != out->w_id;
    }
    draw_customer_choice(src, &out->customer);
    out->amount_cents = rng_range(r, 100, 500000);
}

void input_order_status(struct input_source *src,
                        struct order_status_input *out)
{
    out->customer.w_id = src->w_id;
    out->customer.d_id = draw(&src->rng, 1, TPCC_DISTRICTS);
    draw_customer_choice(src, &out->customer);
}

void input_delivery(struct input_source *src, struct delivery_input *out)
{
    out->w_id = src->w_id;
    out->carrier_id = draw(&src->rng, 1, 10);
}

void input_stock_level(struct input_source *src, struct stock_level_input *out)
{
    out->w_id = src->w_id;
    out->d_id = src->stock_level_d_id;
    out->threshold = draw(&src->rng, 10, 20);
}

void input_lookup(struct input_source *src, enum tpcc_txn txn,
                  struct lookup_input *out)
{
    out->w_id = src->w_id;
    out->d_id = draw(&src->rng, 1, TPCC_DISTRICTS);
    if (txn == TPCC_LOOKUP_STOCK)
        out->key = draw_item(src);
    else if (txn == TPCC_LOOKUP_ORDER_LINE)
        out->key = draw(&src->rng, 1, TPCC_ORDERS);
    else
        out->key = draw_customer(src);
}

/* ---- the hot fifth of the items ---- */

static int by_count_down(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a >> 20;
    const uint64_t y = *(const uint64_t *)b >> 20;

    return (x < y) - (x > y);
}

uint64_t *input_hot_items(struct arena *arena, uint64_t c_item)
{
    struct arena scratch;
    uint64_t *hot = ARENA_ARRAY(arena, uint64_t, TPCC_ITEMS / 64 + 2);
    uint64_t *counts;

    arena_init(&scratch, 4U << 20);
    counts = ARENA_ARRAY(&scratch, uint64_t, TPCC_ITEMS);
    if (!hot || !counts ||
        !nurand_counts(NURAND_A_ITEM, 1, TPCC_ITEMS, counts)) {
        hot = NULL;
        goto out;
    }
    /* The count above, the value below: sorted together. */
    for (uint64_t i = 0; i < TPCC_ITEMS; i++)
        counts[i] = counts[i] << 20 | ((i + c_item) % TPCC_ITEMS + 1);
    qsort(counts, TPCC_ITEMS, sizeof(*counts), by_count_down);
    for (size_t i = 0; i < TPCC_ITEMS / 5; i++) {
        const uint64_t item = counts[i] & 0xfffff;

        hot[item / 64] |= UINT64_C(1) << (item % 64);
    }
out:
    arena_release(&scratch);
    return hot;
}

/* ---- tally ---- */

void input_tally_add(struct input_tally *sum, const struct input_tally *one)
{
    uint64_t *to = (uint64_t *)sum;
    const uint64_t *from = (const uint64_t *)one;

    /* Nothing but counters, by construction. */
    for (size_t i = 0; i < sizeof(*sum) / sizeof(uint64_t); i++)
        to[i] += from[i];
}

static void report_share(input_fn *fn, void *arg, const char *name,
                         uint64_t part, uint64_t n)
{
    if (n > 0)
        fn(arg, name, (double)part / (double)n, n);
}

void input_tally_report(const struct input_tally *t, input_fn *fn, void *arg)
{
    const uint64_t orders = t->txns[TPCC_NEW_ORDER];
    uint64_t lines = 0;

    for (uint64_t i = TPCC_LINES_MIN; i <= TPCC_LINES_MAX; i++)
        lines += i * t->lines[i];
    report_share(fn, arg, "rollback_share", t->rollbacks, orders);
    report_share(fn, arg, "lines_per_order", lines, orders);
    report_share(fn, arg, "remote_line_share", t->remote_lines, lines);
    report_share(fn, arg, "remote_order_share", t->remote_orders, orders);
    report_share(fn, arg, "hottest_fifth_of_items_share", t->hot_lines, lines);
    report_share(fn, arg, "remote_payment_share", t->remote_payments,
                 t->txns[TPCC_PAYMENT]);
    report_share(fn, arg, "by_name_share", t->by_name,
                 t->by_name + t->by_number);
    report_share(fn, arg, "skipped_delivery_share", t->skipped_deliveries,
                 t->txns[TPCC_DELIVERY]);
    for (size_t i = TPCC_LINES_MIN; i <= TPCC_LINES_MAX; i++) {
        static const char *const names[TPCC_LINES_MAX + 1] = {
            [5] = "orders_of_5_lines_share",
            [6] = "orders_of_6_lines_share",
            [7] = "orders_of_7_lines_share",
            [8] = "orders_of_8_lines_share",
            [9] = "orders_of_9_lines_share",
            [10] = "orders_of_10_lines_share",
            [11] = "orders_of_11_lines_share",
            [12] = "orders_of_12_lines_share",
            [13] = "orders_of_13_lines_share",
            [14] = "orders_of_14_lines_share",
            [15] = "orders_of_15_lines_share",
        };

        report_share(fn, arg, names[i], t->lines[i], orders);
    }
}
