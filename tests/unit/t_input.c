/* SPDX-License-Identifier: MIT */
/*
 * The draws against the specification.  Seeds are fixed; the bounds are those
 * of clause 9.2.2.5 where it has some and five standard deviations elsewhere,
 * so that they hold for nearly every seed, not only for this one.
 */
#include "workload/tpcc/input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define N_ORDERS 200000
#define HOME 3
#define WAREHOUSES 4

struct fixture {
    struct tpcc tpcc;
    struct input_skews skews;
    struct input_source src;
};

static void start(struct fixture *f, uint64_t seed)
{
    rng_init(&f->src.rng, seed, 0, RNG_INPUT);
    f->src.tally = (struct input_tally){.rollbacks = 0};
}

static int setup(void **state)
{
    static struct fixture f;

    f = (struct fixture){
        .tpcc = {.meta = {.warehouses = WAREHOUSES},
                 .c_last = 100,
                 .c_id = 259,
                 .c_item = 7911},
        .src = {.w_id = HOME, .stock_level_d_id = 7},
    };
    input_source_init(&f.src, &f.tpcc, &f.skews);
    assert_int_equal(input_skews_init(&f.skews, &f.tpcc, NULL), RC_OK);
    start(&f, 1);
    *state = &f;
    return 0;
}

/* part / whole is in [low, high]. */
static void assert_share(uint64_t part, uint64_t whole, double low, double high)
{
    const double share = (double)part / (double)whole;

    if (share < low || share > high)
        fail_msg("share %f of %llu, want %f to %f", share,
                 (unsigned long long)whole, low, high);
}

/* n values came up equally often: chi-square, with a bound that is passed by
 * chance once in a million (degrees + 5.5 standard deviations of it). */
static void assert_uniform(const uint64_t *counts, size_t n)
{
    double sum = 0, chi2 = 0, expected, slack;

    for (size_t i = 0; i < n; i++)
        sum += (double)counts[i];
    expected = sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        const double off = (double)counts[i] - expected;

        chi2 += off * off / expected;
    }
    /* (5.5)^2 times the variance 2 * (n - 1), without a square root. */
    slack = chi2 - (double)(n - 1);
    if (slack > 0 && slack * slack > 5.5 * 5.5 * 2 * (double)(n - 1))
        fail_msg("chi-square %f for %zu values", chi2, n);
}

/* ---- New-Order ---- */

static void check_order(const struct new_order_input *in)
{
    bool all_local = true;

    assert_int_equal(in->w_id, HOME);
    assert_in_range(in->d_id, 1, TPCC_DISTRICTS);
    assert_in_range(in->c_id, 1, TPCC_CUSTOMERS);
    assert_in_range(in->n_lines, TPCC_LINES_MIN, TPCC_LINES_MAX);
    for (int32_t i = 0; i < in->n_lines; i++) {
        const struct order_line_input *line = &in->lines[i];
        const bool unused = in->rollback && i == in->n_lines - 1;

        assert_int_equal(line->number, i + 1);
        assert_in_range(line->quantity, 1, 10);
        assert_in_range(line->supply_w_id, 1, WAREHOUSES);
        all_local = all_local && line->supply_w_id == HOME;
        if (unused)
            assert_int_equal(line->i_id, TPCC_UNUSED_ITEM);
        else
            assert_in_range(line->i_id, 1, TPCC_ITEMS);
    }
    assert_int_equal(in->all_local, all_local);
}

static void new_orders_stay_inside_their_ranges(void **state)
{
    struct fixture *f = *state;
    struct new_order_input in;

    for (size_t i = 0; i < 20000; i++) {
        input_new_order(&f->src, &in);
        check_order(&in);
    }
}

static uint64_t sum_of_lines(const struct input_tally *t)
{
    uint64_t n = 0;

    for (uint64_t i = TPCC_LINES_MIN; i <= TPCC_LINES_MAX; i++)
        n += i * t->lines[i];
    return n;
}

static void new_orders_have_the_shares_of_the_specification(void **state)
{
    struct fixture *f = *state;
    const struct input_tally *t = &f->src.tally;
    struct new_order_input in;
    uint64_t lines;

    for (size_t i = 0; i < N_ORDERS; i++)
        input_new_order(&f->src, &in);
    lines = sum_of_lines(t);
    assert_share(t->rollbacks, N_ORDERS, 0.009, 0.011);
    assert_share(t->remote_lines, lines, 0.0095, 0.0105);
    assert_share(lines, N_ORDERS, 9.9, 10.1);
    /* 1 - the mean of 0.99^L over L = 5..15 is 9.516 %. */
    assert_share(t->remote_orders, N_ORDERS, 0.0918, 0.0985);
    assert_int_equal(input_tally_lines(t), lines);
    assert_uniform(&t->lines[TPCC_LINES_MIN],
                   TPCC_LINES_MAX - TPCC_LINES_MIN + 1);
}

static void districts_and_quantities_are_uniform(void **state)
{
    struct fixture *f = *state;
    uint64_t districts[TPCC_DISTRICTS] = {0}, quantities[10] = {0};
    struct new_order_input in;

    for (size_t i = 0; i < 50000; i++) {
        input_new_order(&f->src, &in);
        districts[in.d_id - 1]++;
        for (int32_t k = 0; k < in.n_lines; k++)
            quantities[in.lines[k].quantity - 1]++;
    }
    assert_uniform(districts, ARRAY_LEN(districts));
    assert_uniform(quantities, ARRAY_LEN(quantities));
}

static void remote_warehouses_are_uniform_over_the_others(void **state)
{
    struct fixture *f = *state;
    uint64_t lines[WAREHOUSES] = {0}, payments[WAREHOUSES] = {0};
    struct new_order_input order;
    struct payment_input payment;

    for (size_t i = 0; i < N_ORDERS; i++) {
        input_new_order(&f->src, &order);
        for (int32_t k = 0; k < order.n_lines; k++)
            lines[order.lines[k].supply_w_id - 1]++;
        input_payment(&f->src, &payment);
        payments[payment.customer.w_id - 1]++;
    }
    /* HOME in the middle is left out: 1, 2 and 4. */
    lines[HOME - 1] = lines[WAREHOUSES - 1];
    payments[HOME - 1] = payments[WAREHOUSES - 1];
    assert_uniform(lines, WAREHOUSES - 1);
    assert_uniform(payments, WAREHOUSES - 1);
}

static void one_warehouse_alone_has_nothing_remote(void **state)
{
    struct fixture *f = *state;
    struct new_order_input order;
    struct payment_input payment;

    f->tpcc.meta.warehouses = 1;
    f->src.w_id = 1;
    for (size_t i = 0; i < 20000; i++) {
        input_new_order(&f->src, &order);
        assert_true(order.all_local);
        input_payment(&f->src, &payment);
        assert_int_equal(payment.customer.w_id, 1);
    }
    assert_int_equal(f->src.tally.remote_lines, 0);
    assert_int_equal(f->src.tally.remote_orders, 0);
    assert_int_equal(f->src.tally.remote_payments, 0);
}

/* ---- the others ---- */

static void check_customer(const struct customer_input *c)
{
    if (c->last_len > 0) {
        assert_int_equal(c->last_len, strlen(c->last));
        assert_int_equal(c->c_id, 0);
        return;
    }
    assert_in_range(c->c_id, 1, TPCC_CUSTOMERS);
}

static void payments_have_the_shares_of_the_specification(void **state)
{
    struct fixture *f = *state;
    const struct input_tally *t = &f->src.tally;
    struct payment_input in;
    uint64_t remote_districts[TPCC_DISTRICTS] = {0};

    for (size_t i = 0; i < N_ORDERS; i++) {
        input_payment(&f->src, &in);
        assert_int_equal(in.w_id, HOME);
        assert_in_range(in.d_id, 1, TPCC_DISTRICTS);
        assert_in_range(in.amount_cents, 100, 500000);
        check_customer(&in.customer);
        if (in.customer.w_id == HOME)
            assert_int_equal(in.customer.d_id, in.d_id);
        else
            remote_districts[in.customer.d_id - 1]++;
    }
    assert_share(t->remote_payments, N_ORDERS, 0.146, 0.154);
    assert_share(t->payments_by_name, N_ORDERS, 0.594, 0.606);
    assert_uniform(remote_districts, ARRAY_LEN(remote_districts));
}

static void order_status_asks_for_customers_of_its_own_warehouse(void **state)
{
    struct fixture *f = *state;
    struct order_status_input in;

    for (size_t i = 0; i < 100000; i++) {
        input_order_status(&f->src, &in);
        assert_int_equal(in.customer.w_id, HOME);
        assert_in_range(in.customer.d_id, 1, TPCC_DISTRICTS);
        check_customer(&in.customer);
    }
    assert_share(f->src.tally.statuses_by_name, 100000, 0.592, 0.608);
}

static void delivery_and_stock_level_draw_uniformly(void **state)
{
    struct fixture *f = *state;
    uint64_t carriers[10] = {0}, thresholds[11] = {0};
    struct delivery_input delivery;
    struct stock_level_input level;

    for (size_t i = 0; i < 50000; i++) {
        input_delivery(&f->src, &delivery);
        assert_int_equal(delivery.w_id, HOME);
        assert_in_range(delivery.carrier_id, 1, 10);
        carriers[delivery.carrier_id - 1]++;
        input_stock_level(&f->src, &level);
        assert_int_equal(level.w_id, HOME);
        assert_int_equal(level.d_id, 7);
        assert_in_range(level.threshold, 10, 20);
        thresholds[level.threshold - 10]++;
    }
    assert_uniform(carriers, ARRAY_LEN(carriers));
    assert_uniform(thresholds, ARRAY_LEN(thresholds));
}

static void look_ups_ask_for_keys_that_exist(void **state)
{
    struct fixture *f = *state;
    static const struct {
        enum tpcc_txn txn;
        int32_t max;
    } cases[] = {
        {TPCC_LOOKUP_CUSTOMER, TPCC_CUSTOMERS},
        {TPCC_LOOKUP_STOCK, TPCC_ITEMS},
        {TPCC_LOOKUP_ORDER_LINE, TPCC_ORDERS},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct lookup_input in;

        for (size_t k = 0; k < 10000; k++) {
            input_lookup(&f->src, cases[i].txn, &in);
            assert_int_equal(in.w_id, HOME);
            assert_in_range(in.d_id, 1, TPCC_DISTRICTS);
            assert_in_range(in.key, 1, cases[i].max);
        }
    }
}

static void the_same_stream_draws_the_same_inputs(void **state)
{
    struct fixture *f = *state;
    static struct new_order_input orders[2][100];
    static struct payment_input payments[2][100];

    memset(orders, 0, sizeof(orders));
    memset(payments, 0, sizeof(payments));
    for (size_t k = 0; k < 2; k++) {
        start(f, 42);
        for (size_t i = 0; i < 100; i++) {
            input_new_order(&f->src, &orders[k][i]);
            input_payment(&f->src, &payments[k][i]);
        }
    }
    assert_memory_equal(orders[0], orders[1], sizeof(orders[0]));
    assert_memory_equal(payments[0], payments[1], sizeof(payments[0]));
}

/* ---- what is counted ---- */

static uint64_t sum_of(const uint64_t *counts, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += counts[i];
    return sum;
}

static void every_draw_is_counted_where_it_belongs(void **state)
{
    struct fixture *f = *state;
    const struct input_tally *t = &f->src.tally;
    struct new_order_input order;
    struct payment_input payment;
    uint64_t n_lines, n_names;

    for (size_t i = 0; i < 10000; i++) {
        input_new_order(&f->src, &order);
        input_payment(&f->src, &payment);
    }
    n_lines = input_tally_lines(t);
    n_names = t->payments_by_name;
    assert_int_equal(sum_of(t->items, SKEW_GROUPS), n_lines);
    assert_int_equal(sum_of(t->quantities, INPUT_QUANTITIES), n_lines);
    assert_int_equal(sum_of(t->names, SKEW_GROUPS), n_names);
    assert_int_equal(sum_of(t->customers, SKEW_GROUPS), 20000 - n_names);
    assert_int_equal(sum_of(t->districts[DISTRICT_OF_ORDER], 10), 10000);
    assert_int_equal(sum_of(t->districts[DISTRICT_OF_PAYMENT], 10), 10000);
    assert_int_equal(sum_of(t->districts[DISTRICT_OF_REMOTE_CUSTOMER], 10),
                     t->remote_payments);
    assert_int_equal(sum_of(t->others, INPUT_OTHERS),
                     t->remote_lines + t->remote_payments);
    assert_int_equal(sum_of(t->amounts, INPUT_AMOUNTS), 10000);
    assert_uniform(t->cents, INPUT_CENTS);
}

/* ---- tally ---- */

static const struct input_skews no_skews;

struct reported {
    size_t n;
    double rollback, lines, remote_orders, skipped;
    uint64_t rollback_draws;
};

static void keep(void *arg, const char *name, double value, uint64_t n)
{
    struct reported *r = arg;

    r->n++;
    if (!strcmp(name, "rollback_share")) {
        r->rollback = value;
        r->rollback_draws = n;
    } else if (!strcmp(name, "lines_per_order")) {
        r->lines = value;
    } else if (!strcmp(name, "remote_order_share")) {
        r->remote_orders = value;
    } else if (!strcmp(name, "skipped_delivery_share")) {
        r->skipped = value;
    }
}

static void tallies_add_up_and_are_reported_as_shares(void **state)
{
    struct input_tally sum = {.rollbacks = 0};
    struct input_tally one = {
        .txns = {[TPCC_NEW_ORDER] = 10, [TPCC_DELIVERY] = 4},
        .rollbacks = 1,
        .lines = {[5] = 6, [15] = 4},
        .remote_orders = 2,
        .skipped_deliveries = 1,
    };
    struct reported got = {0};

    (void)state;
    input_tally_add(&sum, &one);
    input_tally_add(&sum, &one);
    assert_int_equal(sum.txns[TPCC_NEW_ORDER], 20);
    assert_int_equal(sum.lines[15], 8);
    assert_int_equal(sum.skipped_deliveries, 2);
    input_tally_report(&sum, &no_skews, keep, &got);
    assert_int_equal(got.rollback_draws, 20);
    assert_true(got.rollback == 0.1);
    assert_true(got.lines == 9.0);
    assert_true(got.remote_orders == 0.2);
    assert_true(got.skipped == 0.25);
}

static void what_was_not_drawn_is_not_reported(void **state)
{
    const struct input_tally none = {.rollbacks = 0};
    struct reported got = {0};

    (void)state;
    input_tally_report(&none, &no_skews, keep, &got);
    assert_int_equal(got.n, 0);
}

#define WITH_SOURCE(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SOURCE(new_orders_stay_inside_their_ranges),
        WITH_SOURCE(new_orders_have_the_shares_of_the_specification),
        WITH_SOURCE(districts_and_quantities_are_uniform),
        WITH_SOURCE(remote_warehouses_are_uniform_over_the_others),
        WITH_SOURCE(one_warehouse_alone_has_nothing_remote),
        WITH_SOURCE(payments_have_the_shares_of_the_specification),
        WITH_SOURCE(order_status_asks_for_customers_of_its_own_warehouse),
        WITH_SOURCE(delivery_and_stock_level_draw_uniformly),
        WITH_SOURCE(look_ups_ask_for_keys_that_exist),
        WITH_SOURCE(the_same_stream_draws_the_same_inputs),
        WITH_SOURCE(every_draw_is_counted_where_it_belongs),
        cmocka_unit_test(tallies_add_up_and_are_reported_as_shares),
        cmocka_unit_test(what_was_not_drawn_is_not_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
