/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/input.h"

static int32_t draw(struct rng *r, int32_t lo, int32_t hi)
{
    return (int32_t)rng_range(r, lo, hi);
}

/* True in pct of 100 cases: the specification's x in [1..100]. */
static bool chance(struct rng *r, uint64_t pct)
{
    return rng_below(r, 100) < pct;
}

static int32_t draw_district(struct input_source *src,
                             enum input_district which)
{
    const int32_t d_id = draw(&src->rng, 1, TPCC_DISTRICTS);

    src->tally.districts[which][d_id - 1]++;
    return d_id;
}

/* Uniform over the other warehouses, in one draw; home when it is alone. */
static int32_t other_warehouse(struct input_source *src)
{
    const uint64_t n_others = src->tpcc->meta.warehouses - 1;
    const int32_t home = src->w_id;
    int32_t w;

    if (n_others == 0)
        return home;
    w = 1 + (int32_t)rng_below(&src->rng, n_others);
    w += w >= home;
    /* Counted by what came out, its place among the others. */
    src->tally
        .others[(uint64_t)(w - 1 - (w > home)) * INPUT_OTHERS / n_others]++;
    return w;
}

static int32_t draw_customer(struct input_source *src)
{
    const uint64_t c_id = nurand(&src->rng, NURAND_A_CUSTOMER, 1,
                                 TPCC_CUSTOMERS, src->tpcc->c_id);

    src->tally.customers[src->customer_groups[c_id - 1]]++;
    return (int32_t)c_id;
}

static inline int32_t draw_item(struct input_source *src)
{
    const uint64_t i_id =
        nurand(&src->rng, NURAND_A_ITEM, 1, TPCC_ITEMS, src->tpcc->c_item);

    src->tally.items[src->item_groups[i_id - 1]]++;
    return (int32_t)i_id;
}

/* Clause 2.4.1.5. */
static inline void draw_line(struct input_source *src, int32_t number,
                             struct order_line_input *out)
{
    struct rng *r = &src->rng;

    *out = (struct order_line_input){
        .number = number,
        .i_id = draw_item(src),
        .supply_w_id = src->w_id,
        .quantity = draw(r, 1, INPUT_QUANTITIES),
    };
    src->tally.quantities[out->quantity - 1]++;
    if (chance(r, 1))
        out->supply_w_id = other_warehouse(src);
}

void input_new_order(struct input_source *src, struct new_order_input *out)
{
    struct rng *r = &src->rng;
    struct input_tally *tally = &src->tally;

    out->w_id = src->w_id;
    out->d_id = draw_district(src, DISTRICT_OF_ORDER);
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
static void draw_customer_choice(struct input_source *src, uint64_t *by_name,
                                 struct customer_input *out)
{
    struct rng *r = &src->rng;

    if (chance(r, 60)) {
        const uint64_t n =
            nurand(r, NURAND_A_LAST, 0, TPCC_NAMES - 1, src->tpcc->c_last);

        src->tally.names[src->name_groups[n]]++;
        out->c_id = 0;
        out->last_len = (uint32_t)last_name(n, out->last);
        ++*by_name;
        return;
    }
    out->c_id = draw_customer(src);
    out->last_len = 0;
}

#define AMOUNT_MIN 100
#define AMOUNT_MAX 500000
#define AMOUNT_SHIFT 15 /* 16 groups: a shift is all that counting costs */
#define GROUP (1 << AMOUNT_SHIFT)

const uint64_t input_amount_weights[INPUT_AMOUNTS] = {
    GROUP - AMOUNT_MIN,
    GROUP,
    GROUP,
    GROUP,
    GROUP,
    GROUP,
    GROUP,
    GROUP,
    GROUP,
    GROUP,
    GROUP,
    GROUP,
    GROUP,
    GROUP,
    GROUP,
    AMOUNT_MAX + 1 - (INPUT_AMOUNTS - 1) * GROUP,
};

static int64_t draw_amount(struct input_source *src)
{
    const int64_t cents = rng_range(&src->rng, AMOUNT_MIN, AMOUNT_MAX);

    src->tally.amounts[cents >> AMOUNT_SHIFT]++;
    src->tally.cents[(uint32_t)cents % INPUT_CENTS]++;
    return cents;
}

void input_payment(struct input_source *src, struct payment_input *out)
{
    struct rng *r = &src->rng;

    out->w_id = src->w_id;
    out->d_id = draw_district(src, DISTRICT_OF_PAYMENT);
    out->customer.w_id = out->w_id;
    out->customer.d_id = out->d_id;
    if (!chance(r, 85)) {
        out->customer.w_id = other_warehouse(src);
        out->customer.d_id = draw_district(src, DISTRICT_OF_REMOTE_CUSTOMER);
        src->tally.remote_payments += out->customer.w_id != out->w_id;
    }
    draw_customer_choice(src, &src->tally.payments_by_name, &out->customer);
    out->amount_cents = draw_amount(src);
}

void input_order_status(struct input_source *src,
                        struct order_status_input *out)
{
    out->customer.w_id = src->w_id;
    out->customer.d_id = draw_district(src, DISTRICT_OF_STATUS);
    draw_customer_choice(src, &src->tally.statuses_by_name, &out->customer);
}

void input_delivery(struct input_source *src, struct delivery_input *out)
{
    out->w_id = src->w_id;
    out->carrier_id = draw(&src->rng, 1, INPUT_CARRIERS);
    src->tally.carriers[out->carrier_id - 1]++;
}

void input_stock_level(struct input_source *src, struct stock_level_input *out)
{
    out->w_id = src->w_id;
    out->d_id = src->stock_level_d_id;
    out->threshold = draw(&src->rng, INPUT_THRESHOLD_MIN,
                          INPUT_THRESHOLD_MIN + INPUT_THRESHOLDS - 1);
    src->tally.thresholds[out->threshold - INPUT_THRESHOLD_MIN]++;
}

void input_lookup(struct input_source *src, enum tpcc_txn txn,
                  struct lookup_input *out)
{
    out->w_id = src->w_id;
    out->d_id = draw_district(src, DISTRICT_OF_LOOKUP);
    if (txn == TPCC_LOOKUP_STOCK)
        out->key = draw_item(src);
    else if (txn == TPCC_LOOKUP_ORDER_LINE)
        out->key = draw(&src->rng, 1, TPCC_ORDERS);
    else
        out->key = draw_customer(src);
}

void input_source_init(struct input_source *src, const struct tpcc *tpcc,
                       const struct input_skews *skews)
{
    src->tpcc = tpcc;
    src->item_groups = skews->items;
    src->customer_groups = skews->customers;
    src->name_groups = skews->names;
}

enum rc input_skews_init(struct input_skews *out, const struct tpcc *tpcc,
                         struct err *err)
{
    static const struct skew_field item = {NURAND_A_ITEM, 1, TPCC_ITEMS};
    static const struct skew_field customer = {NURAND_A_CUSTOMER, 1,
                                               TPCC_CUSTOMERS};
    static const struct skew_field name = {NURAND_A_LAST, 0, TPCC_NAMES - 1};
    enum rc rc;

    rc = skew_init(&out->item, out->items, &item, tpcc->c_item, err);
    if (!rc)
        rc = skew_init(&out->customer, out->customers, &customer, tpcc->c_id,
                       err);
    if (!rc)
        rc = skew_init(&out->name, out->names, &name, tpcc->c_last, err);
    return rc;
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

uint64_t input_tally_lines(const struct input_tally *t)
{
    uint64_t lines = 0;

    for (uint64_t i = TPCC_LINES_MIN; i <= TPCC_LINES_MAX; i++)
        lines += i * t->lines[i];
    return lines;
}

/* The lines of the fifth of the items that come up most. */
static uint64_t hot_lines(const struct input_tally *t, const struct skew *s)
{
    uint64_t n = 0;

    for (size_t i = 0; i < s->n_hot; i++)
        n += t->items[i];
    return n;
}

void input_tally_report(const struct input_tally *t,
                        const struct input_skews *skews, input_fn *fn,
                        void *arg)
{
    const uint64_t orders = t->txns[TPCC_NEW_ORDER];
    const uint64_t lines = input_tally_lines(t);

    report_share(fn, arg, "rollback_share", t->rollbacks, orders);
    report_share(fn, arg, "lines_per_order", lines, orders);
    report_share(fn, arg, "remote_line_share", t->remote_lines, lines);
    report_share(fn, arg, "remote_order_share", t->remote_orders, orders);
    report_share(fn, arg, "hottest_fifth_of_items_share",
                 hot_lines(t, &skews->item), lines);
    report_share(fn, arg, "remote_payment_share", t->remote_payments,
                 t->txns[TPCC_PAYMENT]);
    report_share(fn, arg, "by_name_share",
                 t->payments_by_name + t->statuses_by_name,
                 t->txns[TPCC_PAYMENT] + t->txns[TPCC_ORDER_STATUS]);
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
