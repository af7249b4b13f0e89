/* SPDX-License-Identifier: MIT */
/*
 * The audit of inputs: what the generator draws passes, and what other
 * programs are known to draw is found by the check that is there for it.
 */
#include "workload/tpcc/audit_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define DEFAULT_MIX \
    "new_order=45,payment=43,order_status=4,delivery=4,stock_level=4"

struct fixture {
    struct tpcc tpcc;
    struct mix mix;
    struct mix_state state;
    struct rng choice;
    struct input_source src;
    struct audit audit;
};

static struct fixture fix;
static struct input_skews skews; /* always of the same constants */

static void start(uint64_t seed, uint64_t warehouses, const char *mix)
{
    fix = (struct fixture){
        .tpcc = {.meta = {.warehouses = warehouses, .c_load = 20},
                 .c_last = 100,
                 .c_id = 259,
                 .c_item = 7911},
        .src = {.w_id = 1, .stock_level_d_id = 7},
    };
    if (skews.item.n_hot == 0)
        assert_int_equal(input_skews_init(&skews, &fix.tpcc, NULL), RC_OK);
    input_source_init(&fix.src, &fix.tpcc, &skews);
    assert_int_equal(mix_parse(mix, &fix.mix, NULL), RC_OK);
    mix_state_init(&fix.state);
    rng_init(&fix.choice, seed, 0, RNG_CHOICE);
    rng_init(&fix.src.rng, seed, 0, RNG_INPUT);
}

static void draw_one(void)
{
    const enum tpcc_txn txn = mix_next(&fix.mix, &fix.state, &fix.choice);
    union {
        struct new_order_input new_order;
        struct payment_input payment;
        struct order_status_input order_status;
        struct delivery_input delivery;
        struct stock_level_input stock_level;
    } in;

    fix.src.tally.txns[txn]++;
    if (txn == TPCC_NEW_ORDER)
        input_new_order(&fix.src, &in.new_order);
    else if (txn == TPCC_PAYMENT)
        input_payment(&fix.src, &in.payment);
    else if (txn == TPCC_ORDER_STATUS)
        input_order_status(&fix.src, &in.order_status);
    else if (txn == TPCC_DELIVERY)
        input_delivery(&fix.src, &in.delivery);
    else
        input_stock_level(&fix.src, &in.stock_level);
}

static void draw(uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        draw_one();
}

static void check_all(void)
{
    const struct inputs_drawn drawn = {
        .tpcc = &fix.tpcc,
        .mix = &fix.mix,
        .skews = &skews,
        .tally = &fix.src.tally,
    };

    audit_init(&fix.audit, AUDIT_FULL);
    audit_inputs(&fix.audit, &drawn);
}

static const struct audit_check *check(const char *name)
{
    for (size_t i = 0; i < fix.audit.n_checks; i++) {
        if (!strcmp(fix.audit.checks[i].name, name))
            return &fix.audit.checks[i];
    }
    fail_msg("no check %s", name);
    return NULL;
}

static void expect_verdicts(enum audit_verdict wanted)
{
    for (size_t i = 0; i < fix.audit.n_checks; i++) {
        const struct audit_check *c = &fix.audit.checks[i];

        if (c->verdict != wanted)
            fail_msg("%s: %s; %s", c->name, audit_verdict_name(c->verdict),
                     c->detail);
    }
}

static void what_is_drawn_passes_with_any_seed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        start(seed, 5, seed % 2 ? DEFAULT_MIX : "deck");
        draw(12000);
        check_all();
        expect_verdicts(AUDIT_PASSED);
    }
}

static void a_few_draws_are_not_enough(void **state)
{
    (void)state;
    start(1, 5, DEFAULT_MIX);
    draw(20);
    check_all();
    for (size_t i = 0; i < fix.audit.n_checks; i++)
        assert_int_not_equal(fix.audit.checks[i].verdict, AUDIT_FAILED);
    assert_int_equal(check("inputs_rollbacks")->verdict, AUDIT_NOT_ENOUGH_DATA);
    assert_string_equal(check("inputs_remote_payments")->detail,
                        "remote payments: 11 draws");
}

static void what_the_mix_does_not_draw_does_not_apply(void **state)
{
    (void)state;
    start(1, 1, "delivery=1");
    draw(2000);
    check_all();
    assert_int_equal(check("inputs_carriers")->verdict, AUDIT_PASSED);
    assert_int_equal(check("inputs_mix")->verdict, AUDIT_NOT_APPLICABLE);
    assert_int_equal(check("inputs_items")->verdict, AUDIT_NOT_APPLICABLE);
    assert_int_equal(check("inputs_remote_lines")->verdict,
                     AUDIT_NOT_APPLICABLE);
    start(1, 1, "new_order=1");
    draw(2000);
    check_all();
    assert_int_equal(check("inputs_items")->verdict, AUDIT_PASSED);
    assert_string_equal(check("inputs_remote_lines")->detail,
                        "needs more warehouses");
}

/* ---- faults ---- */

static void uniform_items(struct input_tally *t)
{
    struct rng r;

    rng_init(&r, 1, 0, RNG_INPUT);
    memset(t->items, 0, sizeof(t->items));
    for (uint64_t n = input_tally_lines(t); n > 0; n--)
        t->items[skews.items[rng_below(&r, TPCC_ITEMS)]]++;
}

static void nothing_remote(struct input_tally *t)
{
    t->remote_lines = 0;
    t->remote_orders = 0;
}

static void remote_to_the_next_warehouse(struct input_tally *t)
{
    t->others[0] = t->remote_lines + t->remote_payments;
    memset(t->others + 1, 0, sizeof(t->others) - sizeof(t->others[0]));
}

static void whole_amounts(struct input_tally *t)
{
    memset(t->cents, 0, sizeof(t->cents));
    t->cents[0] = t->txns[TPCC_PAYMENT];
}

static void no_rollbacks(struct input_tally *t)
{
    t->rollbacks = 0;
}

static void always_ten_lines(struct input_tally *t)
{
    memset(t->lines, 0, sizeof(t->lines));
    t->lines[10] = t->txns[TPCC_NEW_ORDER];
}

static void names_of_another_constant(struct input_tally *t)
{
    struct rng r;

    rng_init(&r, 1, 0, RNG_INPUT);
    memset(t->names, 0, sizeof(t->names));
    for (uint64_t n = t->payments_by_name; n > 0; n--)
        t->names[skews.names[nurand(&r, NURAND_A_LAST, 0, TPCC_NAMES - 1,
                                    fix.tpcc.meta.c_load)]]++;
}

static void half_by_name(struct input_tally *t)
{
    t->payments_by_name = t->txns[TPCC_PAYMENT] / 2;
}

static void weights_of_another_program(struct input_tally *t)
{
    t->txns[TPCC_NEW_ORDER] -= t->txns[TPCC_DELIVERY];
    t->txns[TPCC_DELIVERY] *= 2;
}

static void one_district(struct input_tally *t)
{
    uint64_t *districts = t->districts[DISTRICT_OF_PAYMENT];

    districts[0] += districts[9];
    districts[9] = 0;
}

static void the_constant_of_the_load(struct input_tally *t)
{
    (void)t;
    fix.tpcc.meta.c_load = fix.tpcc.c_last;
}

static const struct {
    void (*plant)(struct input_tally *t);
    const char *check, *detail;
} faults[] = {
    {uniform_items, "inputs_items", "chi-square"},
    {nothing_remote, "inputs_remote_lines", "remote lines: 0 of "},
    {remote_to_the_next_warehouse, "inputs_remote_warehouses", "expected"},
    {whole_amounts, "inputs_amounts", "amount, last digit: 0 came up "},
    {no_rollbacks, "inputs_rollbacks", "orders to roll back: 0 of "},
    {always_ten_lines, "inputs_lines", "lines of an order: 10 came up "},
    {names_of_another_constant, "inputs_names", "chi-square"},
    {half_by_name, "inputs_by_name", "Payments by last name: "},
    {weights_of_another_program, "inputs_mix", "mix: delivery came up "},
    {one_district, "inputs_districts", "district of a Payment: "},
    {the_constant_of_the_load, "inputs_constants",
     "C of the run 100, of the load 100: "},
};

/* About what a run of three seconds draws. */
static void a_known_fault_is_found_by_its_check_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
        start(i + 1, 5, DEFAULT_MIX);
        draw(12000);
        faults[i].plant(&fix.src.tally);
        check_all();
        assert_int_equal(check(faults[i].check)->verdict, AUDIT_FAILED);
        if (!strstr(check(faults[i].check)->detail, faults[i].detail))
            fail_msg("%s: %s", faults[i].check, check(faults[i].check)->detail);
        for (size_t c = 0; c < fix.audit.n_checks; c++) {
            if (strcmp(fix.audit.checks[c].name, faults[i].check) != 0 &&
                fix.audit.checks[c].verdict == AUDIT_FAILED)
                fail_msg("%s too: %s", fix.audit.checks[c].name,
                         fix.audit.checks[c].detail);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_drawn_passes_with_any_seed),
        cmocka_unit_test(a_few_draws_are_not_enough),
        cmocka_unit_test(what_the_mix_does_not_draw_does_not_apply),
        cmocka_unit_test(a_known_fault_is_found_by_its_check_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
