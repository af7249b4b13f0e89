/* SPDX-License-Identifier: MIT */
#include "support/sample_result.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct txn_type txn_types[SAMPLE_N_TXNS] = {
    {.name = "new_order", .label = "New-Order"},
    {.name = "payment", .label = "Payment"},
    {.name = "lookup_order_line", .label = "Look-up of order line"},
};

static const struct workload workload = {
    .name = "tpcc",
    .scale_name = "warehouses",
    .txns = txn_types,
    .n_txns = SAMPLE_N_TXNS,
    .counted_txn = SAMPLE_NEW_ORDER,
};

struct sample_cfg {
    const char *db, *password;
    int64_t ramp_up_ns;
};

static const struct opt sample_opts[] = {
    OPT_STR(struct sample_cfg, db, "db", 0, NULL, "URL", "target"),
    OPT_DUR(struct sample_cfg, ramp_up_ns, "ramp-up", 0, "10s", "TIME",
            "discarded"),
    OPT_ROW(const char *, OPT_TYPE_STR, struct sample_cfg, password, "password",
            0, "TEXT", "secret", NULL, .flags = OPT_SECRET),
    OPT_END,
};

/* Options live as long as the result that points to them. */
struct sampled {
    struct run_result result; /* first member */
    struct opt_set options;
    struct sample_cfg cfg;
};

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void record(struct hist *h, int64_t ns, uint64_t n)
{
    while (n-- > 0)
        hist_record(h, ns);
}

static void set_option(struct sampled *s, const char *name, const char *text)
{
    check(!opt_set_value(&s->options, name, text, OPT_FROM_CLI, NULL));
}

static struct sampled *sample_new(void)
{
    struct sampled *s = MEM_NEW(struct sampled);
    struct run_result *r;

    check(s);
    r = &s->result;
    result_init(r);
    opt_set_init(&s->options);
    opt_set_add(&s->options, "Target", sample_opts, &s->cfg);
    opt_set_defaults(&s->options);
    r->workload = &workload;
    r->options = &s->options;
    r->composition = "literal";
    r->name = "001_sqlite_s1_v4_c4";
    r->number = 1;
    r->target = "sqlite:tpcc.db";
    r->driver = "sqlite";
    r->scale = 4;
    r->seed = 42;
    r->n_vus = r->n_conns = r->users_active = 4;
    r->n_threads = 4;
    r->complete = true;
    r->started_wall_us = INT64_C(1790000000) * 1000000;
    r->ramp_up_ns = 10 * NS_PER_S;
    r->interval_ns = 60 * NS_PER_S;
    r->n_txns = SAMPLE_N_TXNS;
    for (size_t i = 0; i < r->n_txns; i++) {
        r->txns[i].type = &txn_types[i];
        r->txns[i].response = hist_new();
        r->txns[i].service = hist_new();
        r->txns[i].wait = hist_new();
        check(r->txns[i].response && r->txns[i].service && r->txns[i].wait);
    }
    return s;
}

static void fill_txns(struct run_result *r)
{
    struct txn_result *txn = &r->txns[SAMPLE_NEW_ORDER];

    txn->measured =
        (struct outcome_counts){.committed = 900, .rolled_back = 100};
    txn->life = txn->measured;
    txn->statements = 29000;
    txn->round_trips = 31000;
    record(txn->response, 950, 1000);
    record(txn->service, 950, 1000);

    txn = &r->txns[SAMPLE_PAYMENT];
    txn->measured = (struct outcome_counts){.committed = 1000, .retries = 5};
    txn->life = txn->measured;
    txn->statements = 7000;
    txn->round_trips = 9000;
    txn->wait_ns = 1000 * INT64_C(8000);
    record(txn->response, 10000, 1000);
    record(txn->service, 2000, 1000);
    record(txn->wait, 8000, 1000);
}

static void fill_audit(struct run_result *r)
{
    struct audit_check *c;

    audit_init(&r->audit, AUDIT_FULL);
    c = audit_add(&r->audit, "condition_1", "W_YTD = sum of D_YTD");
    audit_expect(c, true, "%s", "");
    c = audit_add(&r->audit, "remote_lines", "1 % of the lines are remote");
    c->verdict = AUDIT_NOT_ENOUGH_DATA;
    r->audited = true;
    r->audit_ns = NS_PER_S;
}

/* 2,000 transactions in ten seconds. */
static void fill_telemetry(struct telemetry_result *t)
{
    const struct span span = {10 * NS_PER_S, 2000};

    t->on = true;
    t->host_source = HOST_OF_BOTH;
    t->n_cores = 2;
    t->host =
        (struct host_sum){.known = (1U << N_HOST_COUNTERS) - 1, .span = span};
    t->host.v[HOST_CPU_USER_US] = 5000000;
    t->host.v[HOST_CPU_IDLE_US] = 15000000;
    t->host.v[HOST_DISK_WRITTEN_BYTES] = 4096000;
    t->has_procs = true;
    memcpy(t->server_name, "postgres", 9);
    t->procs = (struct procs_sum){.user_us = {800000, 100000, 0},
                                  .system_us = {200000, 100000, 0},
                                  .private_peak_bytes = 1 << 20,
                                  .shared_peak_bytes = 1 << 21,
                                  .n_peak = 12,
                                  .span = span};
    t->counters.n = 1;
    memcpy(t->counters.all[0].name, "wal_bytes", 10);
    t->counters.all[0].sum = 8192000;
    t->counters.sources[0].span = span;
    t->waits.n = 1;
    t->waits.n_samples = 10;
    memcpy(t->waits.all[0].name, "LWLock:WALWrite", 16);
    t->waits.all[0].sessions = 25;
    t->client = (struct client_sum){.user_ns = NS_PER_S,
                                    .system_ns = 2 * NS_PER_S,
                                    .context_switches = 8000,
                                    .busiest_ns = 5 * NS_PER_S,
                                    .span = span};
    notes_add(&t->notes, "counters_tables: no right");
}

struct run_result *sample_result(void)
{
    struct sampled *s = sample_new();
    struct run_result *r = &s->result;

    set_option(s, "db", "sqlite:tpcc.db");
    fill_txns(r);
    fill_audit(r);
    r->fewest_of_a_user = 490;
    r->most_of_a_user = 510;
    r->accounting = (struct accounting){.done = true, .client = 900, .db = 900};
    r->inputs[0] = (struct named_value){"rollback_share", 0.01, 1000};
    r->inputs[1] = (struct named_value){"lines_per_order", 10.02, 1000};
    r->inputs[2] = (struct named_value){"orders_of_5_lines_share", 0.09, 1000};
    r->inputs[3] = (struct named_value){"orders_of_6_lines_share", 0.1, 1000};
    r->n_inputs = 4;
    r->facts[0] = (struct named_text){"product", "SQLite"};
    r->facts[1] = (struct named_text){"version", "3.40.1"};
    r->n_facts = 2;
    r->client_cpu_ns = 2000 * INT64_C(1500);
    r->rss_start_bytes = 2048;
    r->rss_end_bytes = 1024;
    r->rss_peak_bytes = 4096;
    r->lag = (struct loop_lag){.max_ns = 1500, .sum_ns = 2000, .n = 2};
    r->warnings = WARN_RETRIES;
    fill_telemetry(&r->telemetry);
    preflight_add(&r->preflight, "round_trip", "%s", "40us");
    preflight_warn(preflight_add(&r->preflight, "fsync", "%s", "off"),
                   "nothing waits for the disk", "set it to on");
    return r;
}

struct run_result *sample_result_empty(void)
{
    struct run_result *r = &sample_new()->result;

    r->interval_ns = 0;
    r->complete = false;
    snprintf(r->partial_reason, sizeof(r->partial_reason), "interrupted");
    r->invalid = INVALID_NOTHING_COMPLETED | INVALID_WINDOW_INCOMPLETE;
    return r;
}

static void fill_text(char *out, size_t out_len)
{
    /* Two bytes of three of a character, an escape sequence, a long word. */
    static const char bytes[] = "\xe2\x82|\x1b[31m*word`";

    for (size_t i = 0; i + 1 < out_len; i++)
        out[i] = bytes[i % (sizeof(bytes) - 1)];
    out[out_len - 1] = '\0';
}

static void fill_extreme_txns(struct run_result *r)
{
    for (size_t i = 0; i < r->n_txns; i++) {
        struct txn_result *txn = &r->txns[i];

        txn->measured = (struct outcome_counts){
            .committed = UINT64_MAX / 64,
            .rolled_back = UINT64_MAX / 64,
            .failed = UINT64_MAX / 64,
            .unknown = UINT64_MAX / 64,
            .retries = UINT64_MAX / 4,
        };
        txn->life = txn->measured;
        txn->statements = txn->round_trips = UINT64_MAX / 4;
        txn->wait_ns = INT64_MAX;
        record(txn->response, INT64_MAX, 1);
        record(txn->service, INT64_MAX, 1);
    }
}

static void fill_extreme_lists(struct run_result *r)
{
    struct audit_check *c;

    audit_init(&r->audit, AUDIT_FULL);
    c = audit_add(&r->audit, "condition_1", "W_YTD = sum of D_YTD");
    c->verdict = AUDIT_FAILED;
    c->n_checked = c->n_failed = UINT64_MAX;
    fill_text(c->detail, sizeof(c->detail));
    r->audited = true;
    for (size_t i = 0; i < RESULT_ERRORS_MAX; i++) {
        struct run_error *e = &r->errors[i];

        *e = (struct run_error){.txn = i % (SAMPLE_N_TXNS + 1),
                                .rc = RC_DB_GONE,
                                .native = INT32_MIN,
                                .count = UINT64_MAX};
        fill_text(e->text, sizeof(e->text));
        if (i % 2)
            memcpy(e->sqlstate, "40001", 6);
    }
    r->n_errors = RESULT_ERRORS_MAX;
    r->errors_not_listed = UINT64_MAX;
    for (size_t i = 0; i < RESULT_INPUTS_MAX; i++)
        r->inputs[i] = (struct named_value){
            arena_printf(&r->arena, "an_input_with_a_rather_long_name_%zu", i),
            1e300, UINT64_MAX};
    r->n_inputs = RESULT_INPUTS_MAX;
}

static void fill_extreme_telemetry(struct telemetry_result *t)
{
    const struct span span = {INT64_MAX, 1};

    *t = (struct telemetry_result){
        .on = true,
        .host_source = HOST_OF_PROBE,
        .host = {.known = UINT32_MAX, .span = span},
        .client = {INT64_MAX, INT64_MAX, UINT64_MAX, INT64_MAX, span},
        .has_procs = true,
        .procs = {.private_peak_bytes = UINT64_MAX,
                  .shared_peak_bytes = UINT64_MAX,
                  .n_peak = UINT64_MAX,
                  .span = span},
        .n_outages = UINT64_MAX,
    };
    for (size_t i = 0; i < N_HOST_COUNTERS; i++)
        t->host.v[i] = UINT64_MAX / 16;
    for (size_t i = 0; i < N_PROCS_PARTS; i++)
        t->procs.user_us[i] = t->procs.system_us[i] = UINT64_MAX / 16;
    fill_text(t->server_name, sizeof(t->server_name));
    for (size_t i = 0; i < COUNTERS_MAX; i++)
        snprintf(t->counters.all[i].name, COUNTER_NAME_BYTES, "%047zu", i);
    t->counters.n = COUNTERS_MAX;
    t->counters.n_resets = UINT64_MAX;
    for (size_t i = 0; i < WAITS_MAX; i++) {
        fill_text(t->waits.all[i].name, COUNTER_NAME_BYTES);
        t->waits.all[i].sessions = UINT64_MAX;
    }
    t->waits.n = WAITS_MAX;
    t->waits.n_samples = 1;
    for (size_t i = 0; i < NOTES_MAX; i++)
        fill_text(t->notes.text[i], NOTE_BYTES);
    t->notes.n = NOTES_MAX;
}

struct run_result *sample_result_extreme(void)
{
    struct sampled *s = sample_new();
    struct run_result *r = &s->result;
    char text[1500];

    fill_text(text, sizeof(text));
    set_option(s, "db", "postgres://user:hunter2@host/db");
    set_option(s, "password", "hunter2");
    set_option(s, "ramp-up", "2h");
    r->name = r->composition = arena_strdup(&r->arena, text);
    /* One long word. */
    r->target = arena_printf(&r->arena, "sqlite:/%01000d", 0);
    check(r->name && r->target);
    fill_extreme_txns(r);
    fill_extreme_lists(r);
    for (size_t i = 0; i < RESULT_FACTS_MAX; i++)
        r->facts[i] = (struct named_text){
            arena_printf(&r->arena, "%zu_%060d", i, 0), r->target};
    r->n_facts = RESULT_FACTS_MAX;
    r->complete = false;
    fill_text(r->partial_reason, sizeof(r->partial_reason));
    r->scale = r->seed = r->n_vus = r->n_conns = r->n_threads = UINT64_MAX;
    r->users_active = r->users_died = r->users_abandoned = UINT64_MAX;
    r->fewest_of_a_user = r->most_of_a_user = UINT64_MAX;
    r->load_rows = UINT64_MAX;
    r->load_ns = r->ramp_up_ns = r->client_cpu_ns = INT64_MAX;
    r->interval_ns = 1;
    r->accounting = (struct accounting){
        .done = true,
        .client = INT64_MIN,
        .db = INT64_MIN,
        .unknown = INT64_MIN,
        .difference = INT64_MIN,
        .client_commits = INT64_MAX,
        .client_completed = INT64_MAX,
        .server_counts = true,
        .server_commits = INT64_MIN,
    };
    r->rss_end_bytes = r->rss_peak_bytes = UINT64_MAX;
    r->run_path_allocations = UINT64_MAX;
    r->lag = (struct loop_lag){INT64_MAX, INT64_MAX, 1};
    fill_extreme_telemetry(&r->telemetry);
    r->course.n = COURSE_POINTS_MAX;
    for (size_t i = 0; i < COURSE_POINTS_MAX; i++)
        r->course.points[i] = (struct course_point){1, UINT64_MAX, INT64_MAX};
    r->steady = (struct steady){.tested = true,
                                .warming = true,
                                .drifting = true,
                                .first = -1e9,
                                .warm_from = 0.5,
                                .drift = -1e9,
                                .drift_low = -1e12,
                                .drift_high = 1e12};
    for (size_t i = 0; i < FINDINGS_MAX; i++) {
        struct finding *f = &r->preflight.items[i];

        fill_text(f->name, sizeof(f->name));
        fill_text(f->value, sizeof(f->value));
        fill_text(f->why, sizeof(f->why));
        fill_text(f->advice, sizeof(f->advice));
        f->warning = true;
    }
    r->preflight.n = FINDINGS_MAX;
    fill_text(r->client_bound, sizeof(r->client_bound));
    r->invalid = r->warnings = UINT32_MAX;
    return r;
}

void sample_result_free(struct run_result *r)
{
    struct sampled *s = CONTAINER_OF(r, struct sampled, result);

    result_release(r);
    opt_set_release(&s->options);
    mem_free(s);
}
