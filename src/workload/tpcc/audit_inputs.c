/* SPDX-License-Identifier: MIT */
/*
 * The inputs of a run against what the specification says of them: what was
 * drawn, whatever became of it (docs/design/inputs.md).
 */
#include "workload/audit_fit.h"
#include "workload/tpcc/audit_checks.h"

#include <inttypes.h>

static bool draws(const struct inputs_drawn *d, enum tpcc_txn txn)
{
    for (size_t i = 0; i < d->mix->n; i++) {
        if (d->mix->parts[i].txn == txn)
            return true;
    }
    return false;
}

static bool draws_customers(const struct inputs_drawn *d)
{
    return draws(d, TPCC_PAYMENT) || draws(d, TPCC_ORDER_STATUS);
}

/* Districts, and customers by number. */
static bool draws_numbers(const struct inputs_drawn *d)
{
    return draws_customers(d) || draws(d, TPCC_NEW_ORDER) ||
           draws(d, TPCC_LOOKUP_DISTRICT);
}

/* Why there is nothing to check, or NULL. */
static const char *unless(bool drawn)
{
    return drawn ? NULL : "the mix does not draw it";
}

static const char *unless_remote(const struct inputs_drawn *d, bool drawn,
                                 uint64_t n_warehouses)
{
    return d->tpcc->meta.warehouses < n_warehouses ? "needs more warehouses"
                                                   : unless(drawn);
}

/* Adds a check that is made when there is no reason why not; else NULL. */
static struct audit_check *add(struct audit *audit, enum audit_item item,
                               const char *why_not)
{
    struct audit_check *check = checks_add(audit, item);

    if (!why_not)
        return check;
    audit_skip(check, why_not);
    return NULL;
}

/* Clause 2.1.6.1. */
static void check_constants(struct audit *audit, const struct inputs_drawn *d)
{
    const uint64_t c_run = d->tpcc->c_last, c_load = d->tpcc->meta.c_load;

    audit_expect(add(audit, CHECK_INPUTS_CONSTANTS, unless(draws_customers(d))),
                 c_run_allowed(c_run, c_load),
                 "C of the run %" PRIu64 ", of the load %" PRIu64
                 ": the difference must be in 65..119 and neither 96 nor 112",
                 c_run, c_load);
}

static void check_mix(struct audit *audit, const struct inputs_drawn *d)
{
    const char *names[TPCC_N_TXNS];
    uint64_t weights[TPCC_N_TXNS] = {0};
    uint64_t below = 0;
    const struct audit_counts counts = {
        .what = "mix",
        .seen = d->tally->txns,
        .weights = weights,
        .n = TPCC_N_TXNS,
        .names = names,
    };

    for (int i = 0; i < TPCC_N_TXNS; i++)
        names[i] = tpcc_txn_types[i].name;
    for (size_t i = 0; i < d->mix->n; i++) {
        weights[d->mix->parts[i].txn] = d->mix->parts[i].below - below;
        below = d->mix->parts[i].below;
    }
    /* One transaction alone is no choice, and cards are not independent. */
    audit_expect_counts(add(audit, CHECK_INPUTS_MIX, unless(d->mix->n > 1)),
                        &counts);
}

static void check_rate(struct audit_check *check, const char *what, uint64_t k,
                       uint64_t n, uint64_t pct)
{
    const struct audit_rate rate = {what, k, n, pct, 100};

    audit_expect_rate(check, &rate);
}

static void check_uniform(struct audit_check *check, const char *what,
                          const uint64_t *seen, size_t n, int first)
{
    const struct audit_counts counts = {
        .what = what,
        .seen = seen,
        .n = n,
        .first = first,
    };

    audit_expect_counts(check, &counts);
}

static void check_skew(struct audit_check *check, const char *what,
                       const uint64_t *seen, const struct skew *skew)
{
    const struct audit_counts counts = {
        .what = what,
        .seen = seen,
        .weights = skew->weights,
        .n = SKEW_GROUPS,
        .first = 1,
    };

    audit_expect_counts(check, &counts);
}

static void check_orders(struct audit *audit, const struct inputs_drawn *d)
{
    const struct input_tally *t = d->tally;
    const bool orders = draws(d, TPCC_NEW_ORDER);
    const char *why_not = unless(orders);

    check_rate(add(audit, CHECK_INPUTS_ROLLBACKS, why_not),
               "orders to roll back", t->rollbacks, t->txns[TPCC_NEW_ORDER], 1);
    check_uniform(add(audit, CHECK_INPUTS_LINES, why_not), "lines of an order",
                  t->lines + TPCC_LINES_MIN,
                  TPCC_LINES_MAX - TPCC_LINES_MIN + 1, TPCC_LINES_MIN);
    check_uniform(add(audit, CHECK_INPUTS_QUANTITIES, why_not), "quantity",
                  t->quantities, INPUT_QUANTITIES, 1);
    check_rate(
        add(audit, CHECK_INPUTS_REMOTE_LINES, unless_remote(d, orders, 2)),
        "remote lines", t->remote_lines, input_tally_lines(t), 1);
    check_skew(add(audit, CHECK_INPUTS_ITEMS,
                   unless(orders || draws(d, TPCC_LOOKUP_STOCK))),
               "items, in groups from the most frequent on", t->items,
               &d->skews->item);
}

/* How many of the w - 1 others fall into each group. */
static void check_others(struct audit *audit, const struct inputs_drawn *d)
{
    const uint64_t n = d->tpcc->meta.warehouses - 1;
    uint64_t weights[INPUT_OTHERS];
    const struct audit_counts counts = {
        .what = "other warehouses, in groups from the first on",
        .seen = d->tally->others,
        .weights = weights,
        .n = INPUT_OTHERS,
        .first = 1,
    };
    const bool drawn = draws(d, TPCC_NEW_ORDER) || draws(d, TPCC_PAYMENT);

    /* Those from ceil(i n / groups) up to the same of i + 1. */
    for (uint64_t i = 0; i < INPUT_OTHERS; i++)
        weights[i] = ((i + 1) * n + INPUT_OTHERS - 1) / INPUT_OTHERS -
                     (i * n + INPUT_OTHERS - 1) / INPUT_OTHERS;
    audit_expect_counts(
        add(audit, CHECK_INPUTS_REMOTE_WAREHOUSES, unless_remote(d, drawn, 3)),
        &counts);
}

static void check_districts(struct audit *audit, const struct inputs_drawn *d)
{
    static const char *const what[N_DISTRICT_DRAWS] = {
        [DISTRICT_OF_ORDER] = "district of a New-Order",
        [DISTRICT_OF_PAYMENT] = "district of a Payment",
        [DISTRICT_OF_REMOTE_CUSTOMER] = "district of a remote customer",
        [DISTRICT_OF_STATUS] = "district of an Order-Status",
        [DISTRICT_OF_LOOKUP] = "district of a look-up",
    };
    struct audit_check *check =
        add(audit, CHECK_INPUTS_DISTRICTS, unless(draws_numbers(d)));

    for (size_t i = 0; i < N_DISTRICT_DRAWS; i++)
        check_uniform(check, what[i], d->tally->districts[i], TPCC_DISTRICTS,
                      1);
}

static void check_customers(struct audit *audit, const struct inputs_drawn *d)
{
    const struct input_tally *t = d->tally;
    const char *why_not = unless(draws_customers(d));
    struct audit_check *by_name = add(audit, CHECK_INPUTS_BY_NAME, why_not);

    check_rate(by_name, "Payments by last name", t->payments_by_name,
               t->txns[TPCC_PAYMENT], 60);
    check_rate(by_name, "Order-Statuses by last name", t->statuses_by_name,
               t->txns[TPCC_ORDER_STATUS], 60);
    check_skew(add(audit, CHECK_INPUTS_CUSTOMERS, unless(draws_numbers(d))),
               "customers, in groups from the most frequent on", t->customers,
               &d->skews->customer);
    check_skew(add(audit, CHECK_INPUTS_NAMES, why_not),
               "last names, in groups from the most frequent on", t->names,
               &d->skews->name);
}

static void check_payments(struct audit *audit, const struct inputs_drawn *d)
{
    const struct input_tally *t = d->tally;
    const bool payments = draws(d, TPCC_PAYMENT);
    struct audit_check *amounts =
        add(audit, CHECK_INPUTS_AMOUNTS, unless(payments));

    check_rate(
        add(audit, CHECK_INPUTS_REMOTE_PAYMENTS, unless_remote(d, payments, 2)),
        "remote payments", t->remote_payments, t->txns[TPCC_PAYMENT], 15);
    audit_expect_counts(amounts, &(struct audit_counts){
                                     .what = "amount, in groups of 327.68",
                                     .seen = t->amounts,
                                     .weights = input_amount_weights,
                                     .n = INPUT_AMOUNTS,
                                     .first = 1,
                                 });
    check_uniform(amounts, "amount, last digit", t->cents, INPUT_CENTS, 0);
}

void audit_inputs(struct audit *audit, const struct inputs_drawn *drawn)
{
    const struct input_tally *t = drawn->tally;

    check_constants(audit, drawn);
    check_mix(audit, drawn);
    check_orders(audit, drawn);
    check_payments(audit, drawn);
    check_others(audit, drawn);
    check_districts(audit, drawn);
    check_customers(audit, drawn);
    check_uniform(
        add(audit, CHECK_INPUTS_CARRIERS, unless(draws(drawn, TPCC_DELIVERY))),
        "carrier", t->carriers, INPUT_CARRIERS, 1);
    check_uniform(add(audit, CHECK_INPUTS_THRESHOLDS,
                      unless(draws(drawn, TPCC_STOCK_LEVEL))),
                  "threshold", t->thresholds, INPUT_THRESHOLDS,
                  INPUT_THRESHOLD_MIN);
}
