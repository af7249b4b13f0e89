/* SPDX-License-Identifier: MIT */
#include "report/json_int.h"
#include "report/words.h"

#include <string.h>

/* As members of times; null where nothing was recorded. */
static void put_figures(struct json_out *o, json_t *times, const struct hist *h)
{
    static const struct {
        const char *name;
        double pct;
    } percentiles[] = {
        {"p50", 50}, {"p90", 90}, {"p95", 95}, {"p99", 99}, {"p999", 99.9},
    };
    const bool any = h && hist_count(h) > 0;

    if (any)
        json_put_us(o, times, "mean", hist_mean(h));
    else
        json_put_null(o, times, "mean");
    for (size_t i = 0; i < ARRAY_LEN(percentiles); i++) {
        if (any)
            json_put_us(o, times, percentiles[i].name,
                        (double)hist_percentile(h, percentiles[i].pct));
        else
            json_put_null(o, times, percentiles[i].name);
    }
    if (any)
        json_put_us(o, times, "max", (double)hist_max(h));
    else
        json_put_null(o, times, "max");
}

static void put_times(struct json_out *o, json_t *txn, const char *key,
                      const struct hist *h)
{
    json_t *times = json_put_object(o, txn, key);

    put_figures(o, times, h);
    json_put_u64(o, times, "over_an_hour",
                 h ? atomic_load_explicit(&h->overflow, memory_order_relaxed)
                   : 0);
}

/* Of those that waited. */
static void put_wait(struct json_out *o, json_t *txn, const struct hist *h)
{
    json_t *times = json_put_object(o, txn, "wait_us");

    json_put_u64(o, times, "count", h ? hist_count(h) : 0);
    put_figures(o, times, h);
}

/* Tries that failed, by class, over the whole run. */
static void put_failed_tries(struct json_out *o, json_t *obj,
                             const struct run_result *r, size_t txn)
{
    json_t *classes = json_put_object(o, obj, "failed_tries");

    for (size_t i = 0; i < r->n_errors; i++) {
        const char *class = words_error_class(r->errors[i].rc);
        uint64_t n = 0;

        if (r->errors[i].txn != txn)
            continue;
        for (size_t k = 0; k < r->n_errors; k++) {
            if (r->errors[k].txn == txn &&
                !strcmp(words_error_class(r->errors[k].rc), class))
                n += r->errors[k].count;
        }
        json_put_u64(o, classes, class, n);
    }
}

/* null where the driver cannot tell. */
static void put_bytes(struct json_out *o, json_t *txn, const char *key,
                      uint64_t bytes, uint64_t ended)
{
    json_put_ratio(o, txn, key, (double)bytes, bytes > 0 ? ended : 0);
}

static void put_txn(struct json_out *o, json_t *all, const struct run_result *r,
                    size_t i)
{
    const struct outcome_counts total = result_total(r);
    const uint64_t ended_of_all = outcome_ended(&total);
    const struct txn_result *txn = &r->txns[i];
    const struct outcome_counts *n = &txn->measured;
    const uint64_t ended = outcome_ended(n);
    json_t *obj = json_put_object(o, all, txn->type->name);

    json_put_u64(o, obj, "committed", n->committed);
    json_put_u64(o, obj, "rolled_back", n->rolled_back);
    json_put_u64(o, obj, "failed", n->failed);
    json_put_u64(o, obj, "unknown", n->unknown);
    json_put_u64(o, obj, "retries", n->retries);
    json_put_ratio(o, obj, "share", (double)ended, ended_of_all);
    json_put_ratio(o, obj, "statements_per_transaction",
                   (double)txn->statements, ended);
    json_put_ratio(o, obj, "round_trips_per_transaction",
                   (double)txn->round_trips, ended);
    put_bytes(o, obj, "bytes_sent_per_transaction", txn->bytes_sent, ended);
    put_bytes(o, obj, "bytes_received_per_transaction", txn->bytes_received,
              ended);
    json_put_ratio(o, obj, "wait_us_per_transaction",
                   (double)txn->wait_ns / (double)NS_PER_US, ended);
    json_put_ratio(o, obj, "late_us_per_transaction",
                   (double)txn->late_ns / (double)NS_PER_US, ended);
    json_put_ratio(o, obj, "connection_wait_us_per_transaction",
                   (double)txn->conn_wait_ns / (double)NS_PER_US, ended);
    put_times(o, obj, "response_us", txn->response);
    put_times(o, obj, "service_us", txn->service);
    put_wait(o, obj, txn->wait);
    put_failed_tries(o, obj, r, i);
}

void json_transactions(struct json_out *o, json_t *root,
                       const struct run_result *r)
{
    json_t *all = json_put_object(o, root, "transactions");

    for (size_t i = 0; i < r->n_txns; i++) {
        const struct txn_result *txn = &r->txns[i];

        if (outcome_ended(&txn->life) > 0 || txn->life.retries > 0 ||
            outcome_ended(&txn->measured) > 0)
            put_txn(o, all, r, i);
    }
}

void json_statements(struct json_out *o, json_t *root,
                     const struct run_result *r)
{
    json_t *list = json_put_array(o, root, "statements");

    for (size_t i = 0; i < r->n_statements; i++) {
        const struct statement_result *s = &r->statements[i];
        json_t *one = json_add_object(o, list);

        json_put_text(o, one, "transaction",
                      s->txn < r->n_txns ? r->txns[s->txn].type->name : NULL);
        json_put_text(o, one, "call", words_call(s->call));
        json_put_text(o, one, "name", s->name);
        json_put_u64(o, one, "count", hist_count(s->time));
        put_figures(o, json_put_object(o, one, "time_us"), s->time);
    }
    json_put_u64(o, root, "statements_not_listed", r->statements_not_listed);
}

static void put_passed(struct json_out *o, json_t *obj, enum audit_verdict v)
{
    if (v == AUDIT_PASSED || v == AUDIT_FAILED)
        json_put_bool(o, obj, "passed", v == AUDIT_PASSED);
    else
        json_put_null(o, obj, "passed");
}

void json_audit(struct json_out *o, json_t *root, const struct audit *audit,
                bool audited)
{
    json_t *obj = json_put_object(o, root, "audit");
    json_t *checks;

    json_put_text(o, obj, "level", words_audit_level(audit->level));
    if (audited)
        json_put_bool(o, obj, "passed", audit_passed(audit));
    else
        json_put_null(o, obj, "passed");
    checks = json_put_array(o, obj, "checks");
    for (size_t i = 0; i < audit->n_checks; i++) {
        const struct audit_check *check = &audit->checks[i];
        json_t *one = json_add_object(o, checks);

        json_put_text(o, one, "name", check->name);
        json_put_text(o, one, "title", check->title);
        put_passed(o, one, check->verdict);
        json_put_text(o, one, "verdict", audit_verdict_name(check->verdict));
        json_put_u64(o, one, "n_checked", check->n_checked);
        json_put_u64(o, one, "n_failed", check->n_failed);
        json_put_text_if(o, one, "detail", check->detail);
    }
}
