/* SPDX-License-Identifier: MIT */
/* Samples of what transactions gave back: which are kept, and what of them. */
#include "workload/tpcc/output_text.h"
#include "workload/tpcc/vu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MAX 8

struct fixture {
    struct tpcc_vu vu;
    struct output samples[MAX + 1];
    struct output_map map;
    struct step steps[TPCC_N_STEPS];
};

static struct fixture fix;

static int setup(void **state)
{
    (void)state;
    fix = (struct fixture){0};
    fix.vu.source.w_id = 1;
    fix.vu.outputs = (struct output_log){
        .map = &fix.map,
        .steps = fix.steps,
        .samples = fix.samples,
        .max = MAX,
        .distance = 1,
        .until = 1,
    };
    return 0;
}

/* As the run does: begin, rows, end. */
static bool transaction(enum tpcc_txn txn, enum rc rc)
{
    fix.vu.txn = txn;
    fix.vu.sample = output_begin(&fix.vu);
    if (!fix.vu.sample)
        return false;
    output_end(&fix.vu, rc, false);
    return true;
}

static void samples_stay_evenly_spread_in_constant_memory(void **state)
{
    const struct output_log *log = &fix.vu.outputs;

    (void)state;
    for (size_t i = 0; i < 1000; i++)
        transaction(TPCC_PAYMENT, RC_OK);
    assert_in_range(log->n, MAX / 2, MAX);
    for (size_t i = 1; i < log->n; i++)
        assert_int_equal(log->samples[i].number - log->samples[i - 1].number,
                         log->distance);
    assert_true(log->samples[log->n - 1].number + log->distance > 1000 - 128);
}

static void
failed_transactions_and_those_that_show_nothing_are_passed_over(void **state)
{
    (void)state;
    assert_false(transaction(TPCC_STOCK_LEVEL, RC_OK));
    assert_true(transaction(TPCC_PAYMENT, RC_DB_RETRY));
    assert_int_equal(fix.vu.outputs.n, 0);
    assert_true(transaction(TPCC_PAYMENT, RC_OK));
    assert_int_equal(fix.vu.outputs.n, 1);
    assert_true(fix.samples[0].done);
}

/* A step with these columns, and its number. */
static void step(enum tpcc_step number, const struct column *cols, size_t n)
{
    fix.steps[number] = (struct step){.cols = cols, .n_cols = n};
    output_map_step(&fix.map, number, &fix.steps[number]);
}

static void note(enum tpcc_step number, const struct value *cells,
                 size_t n_rows)
{
    const struct rowset rows = {
        .cells = cells,
        .n_rows = n_rows,
        .n_cols = fix.steps[number].n_cols,
    };

    output_note(&fix.vu, number, NULL, &rows);
}

static void of_many_lines_the_one_to_look_at_is_kept(void **state)
{
    static const struct column cols[] = {{"s_w_id", VALUE_INT},
                                         {"s_i_id", VALUE_INT},
                                         {"s_quantity", VALUE_INT},
                                         {"i_price", VALUE_MONEY},
                                         {"i_name", VALUE_TEXT}};
    const struct value cells[] = {
        v_int(1), v_int(70), v_int(50), v_money(100), v_text("other"),
        v_int(1), v_int(77), v_int(50), v_money(250), v_text("wanted"),
    };
    const struct output *o;

    (void)state;
    step(STEP_BATCHED_NEW_ORDER_UPDATE_STOCK, cols, ARRAY_LEN(cols));
    fix.vu.txn = TPCC_NEW_ORDER;
    fix.vu.in.new_order = (struct new_order_input){
        .n_lines = 5,
        .lines = {{70, 1, 1, 3}, {77, 1, 2, 4}, {78, 1, 3, 4}, {79, 1, 4, 1}},
    };
    o = fix.vu.sample = output_begin(&fix.vu);
    assert_non_null(o);
    assert_int_equal(o->line.i_id, 77);
    note(STEP_BATCHED_NEW_ORDER_UPDATE_STOCK, cells, 2);
    assert_int_equal(o->n_claims, 2);
    assert_int_equal(output_claim_find(o, OUTPUT_i_price)->i, 250);
    assert_true(output_claim_is(o, output_claim_named(o, "i_name"),
                                &(struct value){VALUE_TEXT, 6, .s = "wanted"}));
    assert_false(
        output_claim_is(o, output_claim_named(o, "i_name"),
                        &(struct value){VALUE_TEXT, 6, .s = "wanteD"}));
}

static void lines_in_one_text_are_taken_apart(void **state)
{
    static const struct column cols[] = {{"lines", VALUE_TEXT}};
    const struct value cell =
        v_text("1|a name|1.50|3.00|44|G\n2|an item|12.34|24.68|50|B\n3|x|1|1");
    struct output *o;
    char text[OUTPUT_CELL_MAX];

    (void)state;
    step(STEP_PROCS_FUNCTION_NEW_ORDER, cols, 1);
    fix.vu.txn = TPCC_NEW_ORDER;
    fix.vu.in.new_order.n_lines = 5;
    fix.vu.in.new_order.lines[1] = (struct order_line_input){77, 1, 2, 2};
    fix.vu.sample = o = output_begin(&fix.vu);
    note(STEP_PROCS_FUNCTION_NEW_ORDER, &cell, 1);
    output_split_lines(o);
    assert_int_equal(output_claim_find(o, OUTPUT_i_price)->i, 1234);
    assert_int_equal(output_claim_find(o, OUTPUT_ol_amount)->i, 2468);
    output_claim_text(o, output_claim_find(o, OUTPUT_i_name), text);
    assert_string_equal(text, "'an item'");
    output_claim_text(o, output_claim_find(o, OUTPUT_brand), text);
    assert_string_equal(text, "'B'");
}

static void deliveries_are_kept_by_district_however_they_come(void **state)
{
    static const struct column text_cols[] = {{"delivered", VALUE_INT},
                                              {"orders", VALUE_TEXT}};
    static const struct column row_cols[] = {{"d_id", VALUE_INT},
                                             {"o_id", VALUE_INT}};
    const struct value text[] = {v_int(2), v_text("1:3001 10:2999")};
    const struct value rows[] = {v_int(1), v_int(3001), v_int(10), v_int(2999)};

    (void)state;
    step(STEP_SINGLE_DELIVERY, text_cols, 2);
    step(STEP_BATCHED_DELIVERY_DELETE_OLDEST, row_cols, 2);
    fix.vu.txn = TPCC_DELIVERY;
    for (int i = 0; i < 2; i++) {
        const struct output *o = fix.vu.sample = output_begin(&fix.vu);

        if (i == 0)
            note(STEP_SINGLE_DELIVERY, text, 1);
        else
            note(STEP_BATCHED_DELIVERY_DELETE_OLDEST, rows, 2);
        assert_int_equal(o->n_delivered, 2);
        assert_int_equal(o->delivered[0].d_id, 1);
        assert_int_equal(o->delivered[0].o_id, 3001);
        assert_int_equal(o->delivered[1].d_id, 10);
        assert_int_equal(o->delivered[1].o_id, 2999);
        assert_int_equal(o->n_claims, 0);
        output_end(&fix.vu, RC_OK, false);
    }
}

static void more_than_there_is_room_for_is_left_out(void **state)
{
    static const struct column cols[] = {{"c_first", VALUE_TEXT}};
    char text[OUTPUT_TEXT_MAX + 1];
    struct value cell;

    (void)state;
    step(STEP_SINGLE_PAYMENT_BY_ID, cols, 1);
    memset(text, 'x', sizeof(text));
    fix.vu.txn = TPCC_PAYMENT;
    fix.vu.sample = output_begin(&fix.vu);
    cell = v_textn(text, sizeof(text));
    note(STEP_SINGLE_PAYMENT_BY_ID, &cell, 1);
    assert_int_equal(fix.vu.sample->n_claims, 0);
    cell = v_textn(text, 10);
    for (size_t i = 0; i < 100; i++)
        note(STEP_SINGLE_PAYMENT_BY_ID, &cell, 1);
    assert_int_equal(fix.vu.sample->n_claims, OUTPUT_CLAIMS_MAX);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup(name, setup)
    const struct CMUnitTest tests[] = {
        T(samples_stay_evenly_spread_in_constant_memory),
        T(failed_transactions_and_those_that_show_nothing_are_passed_over),
        T(of_many_lines_the_one_to_look_at_is_kept),
        T(lines_in_one_text_are_taken_apart),
        T(deliveries_are_kept_by_district_however_they_come),
        T(more_than_there_is_room_for_is_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
