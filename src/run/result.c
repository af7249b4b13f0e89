/* SPDX-License-Identifier: MIT */
#include "run/result.h"

#include "base/asset.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Texts of a run: its name, target, facts of the server. */
#define RESULT_TEXTS_MAX ((size_t)1 << 20)

static const char *const invalid_names[] = {
    "audit_failed",      "accounting_mismatch", "user_died",
    "nothing_completed", "too_many_failed",     "rate_not_sustained",
    "window_incomplete",
};

static const char *const warning_names[] = {
    "retries",    "unknown_outcomes", "client_bound",
    "not_steady", "not_enough_data",  "few_users_for_scale",
};

const char *invalid_reason_name(size_t bit)
{
    return bit < ARRAY_LEN(invalid_names) ? invalid_names[bit] : NULL;
}

const char *run_warning_name(size_t bit)
{
    return bit < ARRAY_LEN(warning_names) ? warning_names[bit] : NULL;
}

void result_init(struct run_result *r)
{
    memset(r, 0, sizeof(*r));
    audit_init(&r->audit, AUDIT_OFF);
    arena_init(&r->arena, RESULT_TEXTS_MAX);
}

bool result_keep_own_sql(struct run_result *r)
{
    const char **names;
    size_t n = 0;

    while (asset_override_at(n))
        n++;
    if (n == 0)
        return true;
    names = ARENA_ARRAY(&r->arena, const char *, n);
    for (size_t i = 0; names && i < n; i++) {
        /* Without "sql/". */
        names[i] = arena_strdup(&r->arena, asset_override_at(i)->name + 4);
        if (!names[i])
            return false;
    }
    r->own_sql = names;
    r->n_own_sql = names ? n : 0;
    snprintf(r->own_sql_hash, sizeof(r->own_sql_hash), "%016" PRIx64,
             asset_override_hash());
    return names != NULL;
}

void result_release(struct run_result *r)
{
    for (size_t i = 0; i < RESULT_TXNS_MAX; i++) {
        hist_free(r->txns[i].response);
        hist_free(r->txns[i].service);
        hist_free(r->txns[i].wait);
        r->txns[i].response = NULL;
        r->txns[i].service = NULL;
        r->txns[i].wait = NULL;
    }
    for (size_t i = 0; i < r->n_statements; i++)
        hist_free(r->statements[i].time);
    r->n_statements = 0;
    arena_release(&r->arena);
}

struct each_setting {
    const struct run_result *result;
    result_setting_fn *fn;
    void *arg;
};

static void one_setting(void *arg, const struct opt *opt, const char *value,
                        const char *source)
{
    const struct each_setting *each = arg;
    struct named_setting setting = {opt->name, value, source};

    /* The URL as it was given may hold a password. */
    if (strcmp(opt->name, "db") == 0 && value)
        setting.value = each->result->target;
    each->fn(each->arg, &setting);
}

void result_each_setting(const struct run_result *r, result_setting_fn *fn,
                         void *arg)
{
    struct each_setting each = {r, fn, arg};

    for (size_t i = 0; i < r->n_settings; i++)
        fn(arg, &r->settings[i]);
    if (r->options)
        opt_set_each(r->options, one_setting, &each);
}

struct outcome_counts result_total(const struct run_result *r)
{
    struct outcome_counts sum = {0};

    for (size_t i = 0; i < r->n_txns; i++) {
        const struct outcome_counts *one = &r->txns[i].measured;

        sum.committed += one->committed;
        sum.rolled_back += one->rolled_back;
        sum.failed += one->failed;
        sum.unknown += one->unknown;
        sum.retries += one->retries;
    }
    return sum;
}

uint64_t outcome_completed(const struct outcome_counts *o)
{
    return o->committed + o->rolled_back;
}

uint64_t outcome_ended(const struct outcome_counts *o)
{
    return outcome_completed(o) + o->failed + o->unknown;
}

static double per_period(const struct run_result *r, uint64_t n,
                         int64_t period_ns)
{
    if (r->interval_ns <= 0)
        return 0;
    return (double)n * (double)period_ns / (double)r->interval_ns;
}

double result_per_second(const struct run_result *r, uint64_t n)
{
    return per_period(r, n, NS_PER_S);
}

/* A mix without the counted transaction, though others ran. */
static bool counted_is_left_out(const struct run_result *r, size_t counted)
{
    bool any = false;

    for (size_t i = 0; i < r->n_txns; i++)
        any = any || outcome_ended(&r->txns[i].life) > 0;
    return any && outcome_ended(&r->txns[counted].life) == 0;
}

double result_nopm(const struct run_result *r, bool completed)
{
    const size_t counted = r->workload ? r->workload->counted_txn : r->n_txns;
    const struct outcome_counts *o;

    if (counted >= r->n_txns || counted_is_left_out(r, counted))
        return -1;
    o = &r->txns[counted].measured;
    return per_period(r, completed ? outcome_completed(o) : o->committed,
                      60 * NS_PER_S);
}

static double over_ended(const struct run_result *r, uint64_t n)
{
    const struct outcome_counts total = result_total(r);
    const uint64_t ended = outcome_ended(&total);

    return ended > 0 ? (double)n / (double)ended : 0;
}

double result_statements_per_txn(const struct run_result *r)
{
    uint64_t n = 0;

    for (size_t i = 0; i < r->n_txns; i++)
        n += r->txns[i].statements;
    return over_ended(r, n);
}

double result_round_trips_per_txn(const struct run_result *r)
{
    uint64_t n = 0;

    for (size_t i = 0; i < r->n_txns; i++)
        n += r->txns[i].round_trips;
    return over_ended(r, n);
}
