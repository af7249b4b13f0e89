/* SPDX-License-Identifier: MIT */
#include "run/threshold.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct workload *tpcc(void)
{
    return workload_find("tpcc");
}

static void expressions_are_read(void **state)
{
    const size_t all = tpcc()->n_txns;
    const struct {
        const char *text;
        struct threshold want;
    } cases[] = {
        {"new_order.p99<50ms",
         {.metric = METRIC_PERCENTILE, .pct = 99, .limit = 50e6}},
        {"p95 < 1.5s",
         {.metric = METRIC_PERCENTILE, .txn = all, .pct = 95, .limit = 1.5e9}},
        {"payment.service.p99.9<=2ms@10s",
         {.metric = METRIC_PERCENTILE,
          .txn = 1,
          .service = true,
          .pct = 99.9,
          .op = OP_AT_MOST,
          .limit = 2e6,
          .window_ns = 10 * NS_PER_S}},
        {"p999<1s",
         {.metric = METRIC_PERCENTILE, .txn = all, .pct = 99.9, .limit = 1e9}},
        {"p100<1m",
         {.metric = METRIC_PERCENTILE, .txn = all, .pct = 100, .limit = 60e9}},
        {"errors<0.1%", {.metric = METRIC_ERRORS, .txn = all, .limit = 0.001}},
        {"delivery.errors<=0",
         {.metric = METRIC_ERRORS, .txn = 3, .op = OP_AT_MOST}},
        {"tpm>10000",
         {.metric = METRIC_TPM, .txn = all, .op = OP_MORE, .limit = 10000}},
        {"nopm>=4500.5",
         {.metric = METRIC_NOPM,
          .txn = all,
          .op = OP_AT_LEAST,
          .limit = 4500.5}},
        {"response.mean<3us",
         {.metric = METRIC_MEAN, .txn = all, .limit = 3000}},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct threshold *want = &cases[i].want;
        struct threshold t;

        assert_int_equal(threshold_parse(cases[i].text, tpcc(), &t, NULL),
                         RC_OK);
        assert_int_equal(t.metric, want->metric);
        assert_int_equal(t.txn, want->txn);
        assert_int_equal(t.service, want->service);
        assert_int_equal(t.op, want->op);
        assert_float_equal(t.pct, want->pct, 1e-9);
        assert_float_equal(t.limit, want->limit, 1e-9);
        assert_int_equal(t.window_ns, want->window_ns);
    }
}

static void what_cannot_be_judged_is_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "p99",
        "p99=5ms",
        "p99<",
        "<5ms",
        "p99<50",
        "p99<5mx",
        "p101<5ms",
        "p<5ms",
        "pp<5ms",
        "p0<5ms",
        "foo<5",
        "order.p99<5ms",
        "tps<5ms",
        "tps<1e3",
        "tps<-1",
        "tps<1.",
        "errors<101%",
        "errors<5ms",
        "service.tps>5",
        "new_order.nopm>5",
        "p99<5ms@",
        "p99<5ms@0s",
        "p99<5ms@x",
        "p99<5ms@1s@2s",
        "p99<<5ms",
        "p99><5ms",
        "p99.9.9<5ms",
        "tps<99999999999999999999",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct err err = {0};
        struct threshold t;

        if (threshold_parse(bad[i], tpcc(), &t, &err) != RC_USAGE ||
            !strstr(err.text, "--threshold"))
            fail_msg("'%s': %s", bad[i], err.text);
    }
}

/* ---- windows ---- */

/* An interval of one second with n New-Orders of so many ms each. */
static void give(struct judge *j, int second, enum interval_phase phase,
                 uint64_t n, int64_t ms)
{
    struct series_listener l = judge_listener(j);
    struct hist *h = hist_new();
    struct interval it = {
        .phase = phase,
        .begin_ns = second * NS_PER_S,
        .length_ns = NS_PER_S,
        .n_txns = 1,
        .txns = {{.committed = n, .response_hist = h, .service_hist = h}},
    };

    assert_non_null(h);
    hist_reset(h);
    for (uint64_t i = 0; i < n; i++)
        hist_record(h, ms * NS_PER_MS);
    l.interval(l.arg, &it);
    hist_free(h);
}

static struct threshold_result judged(const char *text, const uint64_t *counts,
                                      const int64_t *ms, int n)
{
    static struct run_result r;
    struct threshold_result out;
    struct threshold t;
    struct judge *j;

    assert_int_equal(threshold_parse(text, tpcc(), &t, NULL), RC_OK);
    assert_int_equal(judge_new(&t, 1, tpcc(), NS_PER_S, &j, NULL), RC_OK);
    give(j, 0, PHASE_RAMP_UP, 1, 9000);
    for (int i = 0; i < n; i++)
        give(j, 1 + i, PHASE_MEASURE, counts[i], ms[i]);
    give(j, 1 + n, PHASE_DRAIN, 1, 9000);
    result_init(&r);
    r.workload = tpcc();
    judge_collect(j, &r);
    assert_int_equal(r.n_thresholds, 1);
    out = r.thresholds[0];
    result_release(&r);
    judge_free(j);
    return out;
}

static void the_worst_window_of_the_interval_counts(void **state)
{
    static const uint64_t counts[] = {100, 100, 20, 40, 100, 100};
    static const int64_t ms[] = {1, 1, 40, 20, 1, 1};
    struct threshold_result r = judged("tps>31@2s", counts, ms, 6);

    (void)state;
    assert_true(r.measured);
    assert_false(r.passed);
    assert_float_equal(r.value, 30, 1e-9);
    assert_int_equal(r.worst_from_ns, 2 * NS_PER_S);
    r = judged("tps>29@2s", counts, ms, 6);
    assert_true(r.passed);
    r = judged("max<40ms@1s", counts, ms, 6);
    assert_false(r.passed);
    assert_int_equal(r.worst_from_ns, 2 * NS_PER_S);
    r = judged("p80<30ms@3s", counts, ms, 6);
    assert_true(r.passed);
    assert_float_equal(r.value, 20e6, 0.2e6);
}

static void what_was_not_measured_is_not_passed(void **state)
{
    static const uint64_t counts[] = {0, 0};
    static const int64_t ms[] = {0, 0};
    struct threshold_result r = judged("p99<1s@1s", counts, ms, 2);

    (void)state;
    assert_false(r.measured);
    assert_false(r.passed);
    /* Nor is a window longer than the interval. */
    r = judged("tps>=0@5s", counts, ms, 2);
    assert_false(r.measured);
    assert_false(r.passed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_are_read),
        cmocka_unit_test(what_cannot_be_judged_is_refused),
        cmocka_unit_test(the_worst_window_of_the_interval_counts),
        cmocka_unit_test(what_was_not_measured_is_not_passed),
    };

    return cmocka_run_group_tests_name("threshold", tests, NULL, NULL);
}
