/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "run/recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define N_TXNS 2

struct fixture {
    struct recorder recorder;
    struct run_result result;
};

static int setup(void **state)
{
    static struct fixture f;
    struct err err = {0};

    result_init(&f.result);
    f.result.n_txns = N_TXNS;
    for (size_t i = 0; i < N_TXNS; i++) {
        f.result.txns[i].response = hist_new();
        f.result.txns[i].service = hist_new();
        f.result.txns[i].wait = hist_new();
        assert_non_null(f.result.txns[i].response);
        assert_non_null(f.result.txns[i].service);
        assert_non_null(f.result.txns[i].wait);
    }
    assert_int_equal(recorder_init(&f.recorder, N_TXNS, &err), RC_OK);
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    recorder_release(&f->recorder);
    result_release(&f->result);
    return 0;
}

static void add(struct fixture *f, enum counter outcome, bool measured)
{
    const struct txn_event e = {
        .txn = 1,
        .outcome = outcome,
        .measured = measured,
        .retries = 2,
        .statements = 10,
        .round_trips = 5,
        .response_ns = 3000,
        .wait_ns = 1000,
    };

    recorder_add(&f->recorder, &e);
}

static void outcomes_are_counted_apart(void **state)
{
    struct fixture *f = *state;
    const struct outcome_counts *got = &f->result.txns[1].measured;

    for (size_t i = 0; i < 4; i++)
        add(f, COUNT_COMMITTED, true);
    for (size_t i = 0; i < 3; i++)
        add(f, COUNT_ROLLED_BACK, true);
    for (size_t i = 0; i < 2; i++)
        add(f, COUNT_FAILED, true);
    add(f, COUNT_UNKNOWN, true);
    recorder_collect(&f->recorder, &f->result);
    assert_int_equal(got->committed, 4);
    assert_int_equal(got->rolled_back, 3);
    assert_int_equal(got->failed, 2);
    assert_int_equal(got->unknown, 1);
    assert_int_equal(got->retries, 20);
    assert_int_equal(outcome_completed(got), 7);
    assert_int_equal(outcome_ended(got), 10);
    assert_int_equal(f->result.txns[1].statements, 100);
    assert_int_equal(f->result.txns[1].round_trips, 50);
    assert_int_equal(f->result.txns[1].wait_ns, 10000);
    assert_int_equal(outcome_ended(&f->result.txns[0].life), 0);
}

static void what_ends_outside_the_interval_counts_for_life_only(void **state)
{
    struct fixture *f = *state;
    const struct txn_result *got = &f->result.txns[1];

    add(f, COUNT_COMMITTED, false);
    add(f, COUNT_COMMITTED, true);
    add(f, COUNT_COMMITTED, false);
    recorder_collect(&f->recorder, &f->result);
    assert_int_equal(got->life.committed, 3);
    assert_int_equal(got->measured.committed, 1);
    assert_int_equal(got->statements, 10);
    assert_int_equal(got->wait_ns, 1000);
    assert_int_equal(hist_count(got->response), 1);
    assert_int_equal(hist_count(got->service), 1);
}

static void service_time_is_response_time_less_waiting(void **state)
{
    struct fixture *f = *state;

    add(f, COUNT_COMMITTED, true);
    recorder_collect(&f->recorder, &f->result);
    assert_int_equal(hist_max(f->result.txns[1].response), 3000);
    assert_int_equal(hist_max(f->result.txns[1].service), 2000);
    assert_int_equal(hist_max(f->result.txns[1].wait), 1000);
}

static void workers_add_up(void **state)
{
    struct fixture *f = *state;
    struct recorder other;
    struct recorder_sum sum = {.life = {0}};
    struct err err = {0};

    assert_int_equal(recorder_init(&other, N_TXNS, &err), RC_OK);
    add(f, COUNT_COMMITTED, true);
    recorder_add(&other, &(struct txn_event){.outcome = COUNT_COMMITTED,
                                             .measured = true,
                                             .response_ns = 7});
    recorder_sum_add(&sum, &f->recorder, 0);
    recorder_sum_add(&sum, &f->recorder, 1);
    recorder_sum_add(&sum, &other, 0);
    assert_int_equal(sum.life[COUNT_COMMITTED], 2);
    assert_int_equal(sum.measured[COUNT_COMMITTED], 2);
    assert_int_equal(sum.life[COUNT_RETRIES], 2);
    recorder_collect(&f->recorder, &f->result);
    recorder_collect(&other, &f->result);
    assert_int_equal(f->result.txns[0].measured.committed, 1);
    assert_int_equal(f->result.txns[1].measured.committed, 1);
    assert_int_equal(hist_max(f->result.txns[0].response), 7);
    recorder_release(&other);
}

/* ---- errors ---- */

static void write_text(const void *arg, struct err *err)
{
    err_set(err, RC_DB_ERROR, "%s", (const char *)arg);
}

static void must_not_be_called(const void *arg, struct err *err)
{
    (void)arg;
    (void)err;
    fail_msg("the text of a second error of its kind was asked for");
}

static void the_first_text_of_a_kind_is_kept(void **state)
{
    struct fixture *f = *state;
    const struct run_error *e = &f->result.errors[0];

    recorder_error(&f->recorder,
                   &(struct error_kind){1, RC_DB_ERROR, 1, "HY000"}, write_text,
                   "no such table: stock");
    recorder_error(&f->recorder,
                   &(struct error_kind){1, RC_DB_ERROR, 1, "HY000"},
                   must_not_be_called, NULL);
    recorder_collect(&f->recorder, &f->result);
    assert_int_equal(f->result.n_errors, 1);
    assert_int_equal(e->count, 2);
    assert_int_equal(e->txn, 1);
    assert_int_equal(e->rc, RC_DB_ERROR);
    assert_int_equal(e->native, 1);
    assert_string_equal(e->sqlstate, "HY000");
    assert_string_equal(e->text, "no such table: stock");
}

static void kinds_differ_by_transaction_class_code_and_state(void **state)
{
    struct fixture *f = *state;

    recorder_error(&f->recorder,
                   &(struct error_kind){0, RC_DB_ERROR, 1, "HY000"}, NULL,
                   NULL);
    recorder_error(&f->recorder,
                   &(struct error_kind){1, RC_DB_ERROR, 1, "HY000"}, NULL,
                   NULL);
    recorder_error(&f->recorder,
                   &(struct error_kind){1, RC_DB_RETRY, 1, "HY000"}, NULL,
                   NULL);
    recorder_error(&f->recorder,
                   &(struct error_kind){1, RC_DB_RETRY, 5, "HY000"}, NULL,
                   NULL);
    recorder_error(&f->recorder,
                   &(struct error_kind){1, RC_DB_RETRY, 5, "40001"}, NULL,
                   NULL);
    recorder_error(&f->recorder,
                   &(struct error_kind){1, RC_DB_RETRY, 5, "40001"}, NULL,
                   NULL);
    recorder_collect(&f->recorder, &f->result);
    assert_int_equal(f->result.n_errors, 5);
    assert_int_equal(f->result.errors[4].count, 2);
    assert_int_equal(f->result.errors_not_listed, 0);
}

static void a_storm_of_kinds_is_counted_and_costs_no_memory(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 1000; i++)
        recorder_error(&f->recorder,
                       &(struct error_kind){0, RC_DB_ERROR, i, ""}, NULL, NULL);
    recorder_collect(&f->recorder, &f->result);
    assert_int_equal(f->result.n_errors, RECORDER_ERRORS_MAX);
    assert_int_equal(f->result.errors_not_listed, 1000 - RECORDER_ERRORS_MAX);
}

static void errors_of_workers_are_merged_by_kind(void **state)
{
    struct fixture *f = *state;

    recorder_error(&f->recorder, &(struct error_kind){0, RC_DB_RETRY, 5, ""},
                   NULL, NULL);
    recorder_collect(&f->recorder, &f->result);
    recorder_collect(&f->recorder, &f->result);
    assert_int_equal(f->result.n_errors, 1);
    assert_int_equal(f->result.errors[0].count, 2);
}

/* More kinds over all workers than the result has room for. */
static void kinds_beyond_the_result_are_counted_together(void **state)
{
    struct fixture *f = *state;
    struct err err = {0};

    for (int worker = 0; worker < 3; worker++) {
        struct recorder r;

        assert_int_equal(recorder_init(&r, N_TXNS, &err), RC_OK);
        for (int i = 0; i < RECORDER_ERRORS_MAX; i++) {
            recorder_error(
                &r, &(struct error_kind){0, RC_DB_ERROR, 100 * worker + i, ""},
                NULL, NULL);
            recorder_error(
                &r, &(struct error_kind){0, RC_DB_ERROR, 100 * worker + i, ""},
                NULL, NULL);
        }
        recorder_collect(&r, &f->result);
        recorder_release(&r);
    }
    assert_int_equal(f->result.n_errors, RESULT_ERRORS_MAX);
    assert_int_equal(f->result.errors_not_listed, 2 * RECORDER_ERRORS_MAX);
}

static void a_long_text_and_state_are_cut(void **state)
{
    struct fixture *f = *state;
    char text[600];

    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    recorder_error(&f->recorder,
                   &(struct error_kind){0, RC_DB_ERROR, 0, "1234567"},
                   write_text, text);
    assert_string_equal(f->recorder.errors[0].sqlstate, "12345");
    assert_int_equal(strlen(f->recorder.errors[0].text),
                     sizeof(f->recorder.errors[0].text) - 1);
}

static void each_allocation_may_fail(void **state)
{
    struct recorder r;

    (void)state;
    for (uint64_t i = 1; i <= N_TIMINGS * N_TXNS; i++) {
        struct err err = {0};

        mem_fail_nth(i);
        assert_int_equal(recorder_init(&r, N_TXNS, &err), RC_NOMEM);
        mem_fail_nth(0);
        assert_int_equal(r.n_txns, 0);
        recorder_release(&r);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(outcomes_are_counted_apart),
        TEST(what_ends_outside_the_interval_counts_for_life_only),
        TEST(service_time_is_response_time_less_waiting),
        TEST(workers_add_up),
        TEST(the_first_text_of_a_kind_is_kept),
        TEST(kinds_differ_by_transaction_class_code_and_state),
        TEST(a_storm_of_kinds_is_counted_and_costs_no_memory),
        TEST(errors_of_workers_are_merged_by_kind),
        TEST(kinds_beyond_the_result_are_counted_together),
        TEST(a_long_text_and_state_are_cut),
        cmocka_unit_test(each_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
