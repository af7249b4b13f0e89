/* SPDX-License-Identifier: MIT */
#include "report/json.h"

#include "base/mem.h"
#include "report/json_int.h"
#include "report/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put_verdict(struct json_out *o, json_t *root,
                        const struct run_result *r)
{
    json_t *list;

    json_put_bool(o, root, "valid", result_valid(r));
    list = json_put_array(o, root, "invalid_reasons");
    for (size_t bit = 0; invalid_reason_name(bit); bit++) {
        if (r->invalid & (1U << bit))
            json_add_text(o, list, invalid_reason_name(bit));
    }
    list = json_put_array(o, root, "warnings");
    for (size_t bit = 0; run_warning_name(bit); bit++) {
        if (r->warnings & (1U << bit))
            json_add_text(o, list, run_warning_name(bit));
    }
}

/* Above INT64_MAX as text: a seed that is not exact reproduces nothing. */
static void put_seed(struct json_out *o, json_t *obj, uint64_t seed)
{
    char text[24];

    if (seed <= INT64_MAX) {
        json_put_i64(o, obj, "seed", (int64_t)seed);
        return;
    }
    snprintf(text, sizeof(text), "%" PRIu64, seed);
    json_put_text(o, obj, "seed", text);
}

static void put_own_sql(struct json_out *o, json_t *run,
                        const struct run_result *r)
{
    json_t *own, *files;

    if (r->n_own_sql == 0) {
        json_put_null(o, run, "own_sql");
        return;
    }
    own = json_put_object(o, run, "own_sql");
    json_put_text(o, own, "hash", r->own_sql_hash);
    files = json_put_array(o, own, "files");
    for (size_t i = 0; i < r->n_own_sql; i++)
        json_add_text(o, files, r->own_sql[i]);
}

static void put_run(struct json_out *o, json_t *root,
                    const struct run_result *r)
{
    json_t *run = json_put_object(o, root, "run");
    char started[32];

    clock_format_utc(r->started_wall_us, started, sizeof(started));
    if (r->number > 0)
        json_put_u64(o, run, "id", r->number);
    else
        json_put_null(o, run, "id");
    json_put_text(o, run, "name", r->name);
    json_put_text(o, run, "workload", r->workload ? r->workload->name : NULL);
    json_put_text(o, run, "composition", r->composition);
    json_put_text(o, run, "status", r->complete ? "complete" : "partial");
    json_put_text_if(o, run, "partial_reason", r->partial_reason);
    json_put_text(o, run, "started", started);
    json_put_text(o, run, "target", r->target);
    json_put_text(o, run, "driver", r->driver);
    json_put_text(o, run, "note", r->note);
    put_own_sql(o, run, r);
    json_put_u64(o, run, "scale", r->scale);
    json_put_u64(o, run, "data_seed", r->data_seed);
    put_seed(o, run, r->seed);
    json_put_u64(o, run, "vus", r->n_vus);
    json_put_u64(o, run, "connections", r->n_conns);
    json_put_u64(o, run, "threads", r->n_threads);
    json_put_s(o, run, "ramp_up_s", r->ramp_up_ns);
    json_put_s(o, run, "interval_s", r->interval_ns);
}

static void put_load(struct json_out *o, json_t *root,
                     const struct run_result *r)
{
    json_t *load = json_put_object(o, root, "load");

    json_put_u64(o, load, "rows", r->load_rows);
    json_put_s(o, load, "seconds", r->load_ns);
}

struct settings_part {
    struct json_out *o;
    json_t *settings;
};

/* Named as in a configuration file: ramp_up for --ramp-up. */
static void put_setting(void *arg, const struct named_setting *s)
{
    struct settings_part *part = arg;
    char key[64];
    json_t *setting;

    snprintf(key, sizeof(key), "%s", s->name);
    for (char *p = key; *p; p++) {
        if (*p == '-')
            *p = '_';
    }
    setting = json_put_object(part->o, part->settings, key);
    json_put_text(part->o, setting, "value", s->value);
    json_put_text(part->o, setting, "source", s->source);
}

static void put_settings(struct json_out *o, json_t *root,
                         const struct run_result *r)
{
    struct settings_part part = {
        .o = o,
        .settings = json_put_object(o, root, "settings"),
    };

    result_each_setting(r, put_setting, &part);
}

/* Nothing was measured in an interval that did not open; a workload without
 * new orders has none (below zero). */
static void put_rate(struct json_out *o, json_t *obj, const char *key,
                     const struct run_result *r, double rate)
{
    if (r->interval_ns > 0 && rate >= 0)
        json_put_real(o, obj, key, rate);
    else
        json_put_null(o, obj, key);
}

static void put_throughput(struct json_out *o, json_t *root,
                           const struct run_result *r)
{
    const struct outcome_counts total = result_total(r);
    const double tps = result_per_second(r, outcome_completed(&total));
    json_t *obj = json_put_object(o, root, "throughput");
    uint64_t statements = 0, round_trips = 0;

    for (size_t i = 0; i < r->n_txns; i++) {
        statements += r->txns[i].statements;
        round_trips += r->txns[i].round_trips;
    }
    put_rate(o, obj, "tps", r, tps);
    put_rate(o, obj, "tpm", r, 60 * tps);
    put_rate(o, obj, "nopm", r, result_nopm(r, false));
    put_rate(o, obj, "nopm_completed", r, result_nopm(r, true));
    put_rate(o, obj, "statements_per_s", r, result_per_second(r, statements));
    put_rate(o, obj, "round_trips_per_s", r, result_per_second(r, round_trips));
    json_transactions(o, root, r);
    json_put_ratio(o, root, "statements_per_transaction", (double)statements,
                   outcome_ended(&total));
    json_put_ratio(o, root, "round_trips_per_transaction", (double)round_trips,
                   outcome_ended(&total));
}

static void put_users(struct json_out *o, json_t *root,
                      const struct run_result *r)
{
    json_t *users = json_put_object(o, root, "users");

    json_put_u64(o, users, "active", r->users_active);
    json_put_u64(o, users, "died", r->users_died);
    json_put_u64(o, users, "abandoned", r->users_abandoned);
    json_put_u64(o, users, "cancelled", r->users_cancelled);
    json_put_u64(o, users, "fewest_transactions", r->fewest_of_a_user);
    json_put_u64(o, users, "most_transactions", r->most_of_a_user);
}

/* Over the whole run, side by side with the accounting. */
static void put_commits(struct json_out *o, json_t *root,
                        const struct run_result *r)
{
    json_t *obj = json_put_object(o, root, "commits");

    json_put_i64(o, obj, "client", r->accounting.client_commits);
    json_put_i64(o, obj, "client_with_rollbacks",
                 r->accounting.client_completed);
    if (r->accounting.server_counts)
        json_put_i64(o, obj, "server", r->accounting.server_commits);
    else
        json_put_null(o, obj, "server");
}

static void put_accounting(struct json_out *o, json_t *root,
                           const struct run_result *r)
{
    json_t *all = json_put_object(o, root, "accounting"), *obj;
    const char *name;

    if (!r->workload || r->workload->counted_txn >= r->n_txns)
        return;
    name = r->workload->txns[r->workload->counted_txn].name;
    if (!r->accounting.done) {
        json_put_null(o, all, name);
        return;
    }
    obj = json_put_object(o, all, name);
    json_put_i64(o, obj, "client", r->accounting.client);
    json_put_i64(o, obj, "db", r->accounting.db);
    json_put_i64(o, obj, "unknown", r->accounting.unknown);
    json_put_i64(o, obj, "difference", r->accounting.difference);
}

static void put_inputs(struct json_out *o, json_t *root,
                       const struct run_result *r)
{
    json_t *inputs = json_put_object(o, root, "inputs");

    for (size_t i = 0; i < r->n_inputs; i++) {
        json_t *one = json_put_object(o, inputs, r->inputs[i].name);

        json_put_real(o, one, "value", r->inputs[i].value);
        json_put_u64(o, one, "n", r->inputs[i].n);
    }
}

static void put_client(struct json_out *o, json_t *root,
                       const struct run_result *r)
{
    const struct outcome_counts total = result_total(r);
    json_t *client = json_put_object(o, root, "client");
    json_t *lag;

    json_put_ratio(o, client, "cpu_us_per_transaction",
                   (double)r->client_cpu_ns / (double)NS_PER_US,
                   r->client_cpu_ns > 0 ? outcome_ended(&total) : 0);
    /* Not known of a stored run that did not reach its end. */
    if (r->rss_peak_bytes > 0) {
        json_put_u64(o, client, "rss_peak_bytes", r->rss_peak_bytes);
        json_put_i64(o, client, "rss_growth_bytes",
                     (int64_t)(r->rss_end_bytes - r->rss_start_bytes));
    } else {
        json_put_null(o, client, "rss_peak_bytes");
        json_put_null(o, client, "rss_growth_bytes");
    }
    if (r->run_path_allocations == UINT64_MAX)
        json_put_null(o, client, "run_path_allocations");
    else
        json_put_u64(o, client, "run_path_allocations",
                     r->run_path_allocations);
    lag = json_put_object(o, client, "loop_lag_us");
    json_put_us(o, lag, "max", (double)r->lag.max_ns);
    json_put_ratio(o, lag, "mean", (double)r->lag.sum_ns / (double)NS_PER_US,
                   r->lag.n);
    json_client_telemetry(o, client, r);
}

static void put_server(struct json_out *o, json_t *root,
                       const struct run_result *r)
{
    json_t *server = json_put_object(o, root, "server");
    json_t *facts = json_put_object(o, server, "facts");

    for (size_t i = 0; i < r->n_facts; i++)
        json_put_text(o, facts, r->facts[i].name, r->facts[i].value);
    json_server_telemetry(o, server, r);
}

static void put_errors(struct json_out *o, json_t *root,
                       const struct run_result *r)
{
    json_t *list = json_put_array(o, root, "errors");

    for (size_t i = 0; i < r->n_errors; i++) {
        const struct run_error *e = &r->errors[i];
        json_t *one = json_add_object(o, list);

        json_put_text(o, one, "transaction",
                      e->txn < r->n_txns ? r->txns[e->txn].type->name : NULL);
        json_put_text(o, one, "class", words_error_class(e->rc));
        json_put_i64(o, one, "native", e->native);
        json_put_text_if(o, one, "sqlstate", e->sqlstate);
        json_put_u64(o, one, "count", e->count);
        json_put_text(o, one, "text", e->text);
    }
    json_put_u64(o, root, "errors_not_listed", r->errors_not_listed);
}

enum rc report_json(const struct run_result *r, char **out_text,
                    struct err *err)
{
    struct json_out o = {0};
    json_t *root = json_object();

    json_put_i64(&o, root, "schema_version", REPORT_SCHEMA_VERSION);
    put_verdict(&o, root, r);
    put_run(&o, root, r);
    put_load(&o, root, r);
    put_settings(&o, root, r);
    put_throughput(&o, root, r);
    json_load_shape(&o, root, r);
    json_statements(&o, root, r);
    put_users(&o, root, r);
    put_commits(&o, root, r);
    put_accounting(&o, root, r);
    json_audit(&o, root, &r->audit, r->audited);
    put_inputs(&o, root, r);
    put_client(&o, root, r);
    put_server(&o, root, r);
    json_preflight(&o, root, "preflight", &r->preflight);
    json_host(&o, root, r);
    json_telemetry(&o, root, r);
    put_errors(&o, root, r);
    json_put_text(&o, root, "disclaimer", words_disclaimer(r->workload));
    return json_finish(&o, root, out_text, err);
}

enum rc report_audit_json(const struct audit *audit, char **out_text,
                          struct err *err)
{
    struct json_out o = {0};
    json_t *root = json_object();

    json_put_i64(&o, root, "schema_version", REPORT_SCHEMA_VERSION);
    json_audit(&o, root, audit, true);
    return json_finish(&o, root, out_text, err);
}

void report_json_free(char *text)
{
    mem_free(text);
}
