/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "report/json.h"
#include "support/json_schema.h"
#include "support/sample_result.h"

#include <jansson.h>

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static json_t *parsed(const struct run_result *r)
{
    struct err err = {0};
    json_error_t why;
    json_t *root;
    char *text;

    if (report_json(r, &text, &err))
        fail_msg("%s", err.text);
    root = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    if (!root)
        fail_msg("line %d: %s", why.line, why.text);
    report_json_free(text);
    return root;
}

/* The value at "throughput.nopm"; keys hold no dot. */
static const json_t *at(const json_t *root, const char *path)
{
    while (root && *path) {
        const size_t len = strcspn(path, ".");
        char key[64];

        snprintf(key, sizeof(key), "%.*s", (int)len, path);
        root = json_object_get(root, key);
        path += len + (path[len] == '.');
    }
    if (!root)
        fail_msg("no such key");
    return root;
}

static double number_at(const json_t *root, const char *path)
{
    assert_true(json_is_number(at(root, path)));
    return json_number_value(at(root, path));
}

static void assert_number(const json_t *root, const char *path, double want)
{
    const double got = number_at(root, path);
    const double diff = got > want ? got - want : want - got;

    if (diff > 1e-9)
        fail_msg("%s is %.9g, want %.9g", path, got, want);
}

static void assert_text(const json_t *root, const char *path, const char *want)
{
    assert_true(json_is_string(at(root, path)));
    assert_string_equal(json_string_value(at(root, path)), want);
}

static void assert_null_at(const json_t *root, const char *path)
{
    if (!json_is_null(at(root, path)))
        fail_msg("%s is not null", path);
}

static void a_valid_run_has_every_number(void **state)
{
    static const struct {
        const char *path;
        double value;
    } numbers[] = {
        {"schema_version", 1},
        {"run.id", 1},
        {"run.scale", 4},
        {"run.seed", 42},
        {"run.ramp_up_s", 10},
        {"run.interval_s", 60},
        {"throughput.tps", 33.333333},
        {"throughput.tpm", 2000},
        {"throughput.nopm", 900},
        {"throughput.nopm_completed", 1000},
        {"throughput.statements_per_s", 600},
        {"throughput.round_trips_per_s", 666.666667},
        {"statements_per_transaction", 18},
        {"round_trips_per_transaction", 20},
        {"transactions.new_order.committed", 900},
        {"transactions.new_order.rolled_back", 100},
        {"transactions.new_order.share", 0.5},
        {"transactions.new_order.statements_per_transaction", 29},
        {"transactions.new_order.response_us.mean", 0.95},
        {"transactions.new_order.response_us.max", 0.95},
        {"transactions.payment.retries", 5},
        {"transactions.payment.wait_us_per_transaction", 8},
        {"transactions.payment.response_us.p999", 10},
        {"transactions.payment.service_us.p50", 2},
        {"users.fewest_transactions", 490},
        {"accounting.new_order.client", 900},
        {"accounting.new_order.difference", 0},
        {"inputs.lines_per_order.value", 10.02},
        {"inputs.lines_per_order.n", 1000},
        {"client.cpu_us_per_transaction", 1.5},
        {"client.rss_growth_bytes", -1024},
        {"client.loop_lag_us.max", 1.5},
        {"client.loop_lag_us.mean", 1},
    };
    struct run_result *r = sample_result();
    json_t *root = parsed(r);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        assert_number(root, numbers[i].path, numbers[i].value);
    assert_true(json_is_true(at(root, "valid")));
    assert_true(json_is_true(at(root, "audit.passed")));
    assert_int_equal(json_array_size(at(root, "invalid_reasons")), 0);
    assert_int_equal(json_array_size(at(root, "warnings")), 1);
    json_decref(root);
    sample_result_free(r);
}

static void texts_say_what_ran(void **state)
{
    static const struct {
        const char *path, *text;
    } texts[] = {
        {"run.name", "001_sqlite_s1_v4_c4"},
        {"run.workload", "tpcc"},
        {"run.status", "complete"},
        {"run.started", "2026-09-21T14:13:20Z"},
        {"settings.ramp_up.value", "10s"},
        {"settings.ramp_up.source", "default"},
        {"settings.db.source", "command line"},
        {"audit.level", "full"},
        {"server.facts.version", "3.40.1"},
    };
    struct run_result *r = sample_result();
    json_t *root = parsed(r);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        assert_text(root, texts[i].path, texts[i].text);
    assert_null_at(root, "run.partial_reason");
    assert_null_at(root, "settings.password.value");
    json_decref(root);
    sample_result_free(r);
}

static void only_the_types_of_the_mix_are_there(void **state)
{
    struct run_result *r = sample_result();
    json_t *root = parsed(r);

    (void)state;
    assert_int_equal(json_object_size(at(root, "transactions")), 2);
    json_decref(root);
    sample_result_free(r);
}

static void keys_keep_their_order(void **state)
{
    struct run_result *r = sample_result();
    struct err err = {0};
    char *text;

    (void)state;
    assert_int_equal(report_json(r, &text, &err), RC_OK);
    assert_memory_equal(
        text, "{\n  \"schema_version\": 1,\n  \"valid\": true,\n", 40);
    assert_true(strstr(text, "\"run\"") < strstr(text, "\"throughput\""));
    assert_true(strstr(text, "\"audit\"") < strstr(text, "\"errors\""));
    assert_string_equal(text + strlen(text) - 3, "\n}\n");
    report_json_free(text);
    sample_result_free(r);
}

static void what_was_not_measured_is_null(void **state)
{
    static const char *const nulls[] = {
        "statements_per_transaction",
        "round_trips_per_transaction",
        "accounting.new_order",
        "audit.passed",
        "client.cpu_us_per_transaction",
        "client.loop_lag_us.mean",
        "throughput.tps",
        "throughput.tpm",
        "throughput.nopm",
        "throughput.nopm_completed",
        "throughput.statements_per_s",
        "throughput.round_trips_per_s",
    };
    struct run_result *r = sample_result_empty();
    json_t *root = parsed(r);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(nulls); i++)
        assert_null_at(root, nulls[i]);
    assert_text(root, "run.status", "partial");
    assert_text(root, "run.partial_reason", "interrupted");
    assert_text(root, "audit.level", "off");
    assert_true(json_is_false(at(root, "valid")));
    json_decref(root);
    sample_result_free(r);
}

static void percentiles_of_an_empty_histogram_are_null(void **state)
{
    struct run_result *r = sample_result();
    json_t *root;

    (void)state;
    hist_reset(r->txns[SAMPLE_PAYMENT].response);
    hist_free(r->txns[SAMPLE_PAYMENT].service);
    r->txns[SAMPLE_PAYMENT].service = NULL;
    root = parsed(r);
    assert_null_at(root, "transactions.payment.response_us.p50");
    assert_null_at(root, "transactions.payment.response_us.max");
    assert_null_at(root, "transactions.payment.service_us.mean");
    json_decref(root);
    sample_result_free(r);
}

static void a_workload_without_counted_transactions_has_no_nopm(void **state)
{
    struct run_result *r = sample_result();
    const struct workload *full = r->workload;
    struct workload plain = *full;
    json_t *root;

    (void)state;
    plain.name = "ping";
    plain.counted_txn = plain.n_txns;
    r->workload = &plain;
    root = parsed(r);
    assert_null_at(root, "throughput.nopm");
    assert_int_equal(json_object_size(at(root, "accounting")), 0);
    assert_null_at(root, "disclaimer");
    json_decref(root);
    r->workload = full;
    sample_result_free(r);
}

static void no_password_is_written(void **state)
{
    struct run_result *r = sample_result_extreme();
    struct err err = {0};
    char *text;

    (void)state;
    assert_int_equal(report_json(r, &text, &err), RC_OK);
    assert_null(strstr(text, "hunter2"));
    assert_non_null(strstr(text, "\"value\": \"***\""));
    report_json_free(text);
    sample_result_free(r);
}

static void extreme_values_stay_exact_or_are_capped(void **state)
{
    struct run_result *r = sample_result_extreme();
    json_t *root = parsed(r);
    const json_t *first;

    (void)state;
    assert_text(root, "run.seed", "18446744073709551615");
    assert_int_equal(json_integer_value(at(root, "run.scale")), INT64_MAX);
    assert_int_equal(json_array_size(at(root, "errors")), RESULT_ERRORS_MAX);
    first = json_array_get(at(root, "errors"), 1);
    assert_text(first, "class", "connection_lost");
    assert_text(first, "transaction", "payment");
    assert_text(first, "sqlstate", "40001");
    first = json_array_get(at(root, "errors"), 3);
    assert_null_at(first, "transaction");
    json_decref(root);
    sample_result_free(r);
}

static json_t *summary_schema(void)
{
    static const char path[] = DYNO_TESTS_DIR "/../docs/summary.schema.json";
    json_error_t why;
    json_t *schema;

    schema = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
    if (!schema)
        fail_msg("%s: %s", path, why.text);
    return schema;
}

static void every_summary_follows_the_schema(void **state)
{
    static struct run_result *(*const samples[])(void) = {
        sample_result, sample_result_extreme, sample_result_empty};
    json_t *schema = summary_schema();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        struct run_result *r = samples[i]();
        json_t *root = parsed(r);
        char why[200];

        if (!json_schema_check(schema, root, why, sizeof(why)))
            fail_msg("sample %zu: %s", i, why);
        json_decref(root);
        sample_result_free(r);
    }
    json_decref(schema);
}

static void the_schema_finds_what_is_wrong(void **state)
{
    json_t *schema = summary_schema();
    struct run_result *r = sample_result();
    json_t *root = parsed(r);
    char why[200];

    (void)state;
    json_object_set_new(json_object_get(root, "run"), "vus", json_real(1.5));
    assert_false(json_schema_check(schema, root, why, sizeof(why)));
    json_object_del(root, "run");
    assert_false(json_schema_check(schema, root, why, sizeof(why)));
    json_decref(root);
    root = parsed(r);
    json_object_set_new(root, "surprise", json_null());
    assert_false(json_schema_check(schema, root, why, sizeof(why)));
    json_decref(root);
    root = parsed(r);
    json_array_append_new(json_object_get(root, "warnings"),
                          json_string("bad_weather"));
    assert_false(json_schema_check(schema, root, why, sizeof(why)));
    json_decref(root);
    json_decref(schema);
    sample_result_free(r);
}

static void an_audit_alone_has_its_checks(void **state)
{
    static struct audit audit;
    struct err err = {0};
    const json_t *one;
    json_t *root;
    char *text;

    (void)state;
    audit_init(&audit, AUDIT_QUICK);
    audit_expect(audit_add(&audit, "condition_1", "W_YTD = sum of D_YTD"),
                 false, "w_id %d", 2);
    audit_add(&audit, "load_only", "x")->verdict = AUDIT_NOT_APPLICABLE;
    assert_int_equal(report_audit_json(&audit, &text, &err), RC_OK);
    root = json_loads(text, 0, NULL);
    assert_non_null(root);
    report_json_free(text);
    assert_text(root, "audit.level", "quick");
    assert_true(json_is_false(at(root, "audit.passed")));
    one = json_array_get(at(root, "audit.checks"), 0);
    assert_text(one, "name", "condition_1");
    assert_text(one, "verdict", "failed");
    assert_text(one, "detail", "w_id 2");
    assert_true(json_is_false(at(one, "passed")));
    assert_number(one, "n_failed", 1);
    one = json_array_get(at(root, "audit.checks"), 1);
    assert_text(one, "verdict", "not applicable");
    assert_null_at(one, "passed");
    assert_null_at(one, "detail");
    json_decref(root);
}

/* jansson's allocations, of which the nth fails. */
static uint64_t fail_at, n_allocated;

static void *failing_malloc(size_t size)
{
    return ++n_allocated == fail_at ? NULL : malloc(size);
}

static void running_out_of_memory_is_an_error_and_no_leak(void **state)
{
    struct run_result *r = sample_result();
    char *text = NULL;
    enum rc rc = RC_NOMEM;

    (void)state;
    json_set_alloc_funcs(failing_malloc, free);
    for (fail_at = 1; rc; fail_at++) {
        struct err err = {0};

        n_allocated = 0;
        rc = report_json(r, &text, &err);
        if (rc) {
            assert_int_equal(rc, RC_NOMEM);
            assert_string_equal(err.text, "no memory for the summary");
        }
    }
    json_set_alloc_funcs(malloc, free);
    report_json_free(text);
    assert_true(fail_at > 100);
    rc = RC_NOMEM;
    for (uint64_t nth = 1; rc; nth++) {
        mem_fail_nth(nth);
        rc = report_json(r, &text, NULL);
        mem_fail_nth(0);
    }
    report_json_free(text);
    sample_result_free(r);
}

static void each_cost_is_divided_by_the_transactions_of_its_time(void **state)
{
    struct run_result *r = sample_result();
    json_t *root = parsed(r);

    (void)state;
    assert_text(root, "host.of", "client and server");
    assert_number(root, "host.cores", 2);
    assert_number(root, "host.cpu_share.user", 0.25);
    assert_number(root, "host.cpu_share.iowait", 0);
    assert_number(root, "host.cpu_user_us_per_transaction", 2500);
    assert_number(root, "host.counters.disk_written_bytes", 4096000);
    assert_number(root, "server.cpu_us_per_transaction", 600);
    assert_number(root, "server.cpu_foreground_system_us_per_transaction", 100);
    assert_number(root, "server.processes.count", 12);
    assert_number(root, "server.wal_bytes_per_transaction", 4096);
    assert_number(root, "server.counters.wal_bytes", 8192000);
    assert_number(root, "client.cpu_system_us_per_transaction", 1000);
    assert_number(root, "client.context_switches_per_transaction", 4);
    assert_number(root, "client.busiest_thread_share", 0.5);
    json_decref(root);
    sample_result_free(r);
}

static void without_telemetry_there_are_nulls_and_no_zeros(void **state)
{
    struct run_result *r = sample_result_empty();
    json_t *root = parsed(r);

    (void)state;
    assert_null_at(root, "host.of");
    assert_null_at(root, "host.cpu_share.user");
    assert_null_at(root, "host.cpu_user_us_per_transaction");
    assert_null_at(root, "host.counters.context_switches");
    assert_null_at(root, "server.cpu_us_per_transaction");
    assert_null_at(root, "server.processes");
    assert_null_at(root, "client.busiest_thread_share");
    assert_null_at(root, "client.bound");
    json_decref(root);
    sample_result_free(r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_valid_run_has_every_number),
        cmocka_unit_test(texts_say_what_ran),
        cmocka_unit_test(only_the_types_of_the_mix_are_there),
        cmocka_unit_test(keys_keep_their_order),
        cmocka_unit_test(what_was_not_measured_is_null),
        cmocka_unit_test(percentiles_of_an_empty_histogram_are_null),
        cmocka_unit_test(a_workload_without_counted_transactions_has_no_nopm),
        cmocka_unit_test(no_password_is_written),
        cmocka_unit_test(extreme_values_stay_exact_or_are_capped),
        cmocka_unit_test(every_summary_follows_the_schema),
        cmocka_unit_test(the_schema_finds_what_is_wrong),
        cmocka_unit_test(an_audit_alone_has_its_checks),
        cmocka_unit_test(each_cost_is_divided_by_the_transactions_of_its_time),
        cmocka_unit_test(without_telemetry_there_are_nulls_and_no_zeros),
        cmocka_unit_test(running_out_of_memory_is_an_error_and_no_leak),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
