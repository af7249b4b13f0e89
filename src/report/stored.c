/* SPDX-License-Identifier: MIT */
#include "report/stored.h"

#include "base/parse.h"
#include "report/json.h"
#include "report/words.h"

#include <stdio.h>
#include <string.h>

/* Room for the settings of a run. */
#define SETTINGS_MAX OPT_ROWS_MAX

struct loading {
    struct run_result *result;
    struct named_setting *settings;
    struct txn_type *types;
    size_t n_types;
    uint64_t users;
};

static const char *copy(struct loading *l, const char *text)
{
    return text ? arena_strdup(&l->result->arena, text) : NULL;
}

/* ---- texts ---- */

static enum rc add_setting(void *arg, const char *name, const char *value,
                           const char *source, struct err *err)
{
    struct loading *l = arg;
    struct run_result *r = l->result;
    char *dashed = arena_strdup(&r->arena, name);

    if (!dashed)
        return err_set(err, RC_NOMEM, "no memory for a stored run");
    if (r->n_settings == SETTINGS_MAX)
        return RC_OK;
    for (char *p = dashed; *p; p++) {
        if (*p == '_')
            *p = '-';
    }
    l->settings[r->n_settings++] =
        (struct named_setting){dashed, copy(l, value), copy(l, source)};
    return RC_OK;
}

static enum rc add_fact(void *arg, const char *name, const char *value,
                        const char *source, struct err *err)
{
    struct loading *l = arg;
    struct run_result *r = l->result;

    (void)source;
    (void)err;
    if (r->n_facts < RESULT_FACTS_MAX)
        r->facts[r->n_facts++] =
            (struct named_text){copy(l, name), copy(l, value)};
    return RC_OK;
}

static enum rc add_type(void *arg, const char *name, const char *value,
                        const char *source, struct err *err)
{
    struct loading *l = arg;
    struct txn_result *txn = &l->result->txns[l->n_types];

    (void)value;
    (void)source;
    if (l->n_types == RESULT_TXNS_MAX)
        return err_set(err, RC_INVALID, "a stored run has too many types");
    l->types[l->n_types].name = copy(l, name);
    txn->type = &l->types[l->n_types++];
    txn->response = hist_new();
    txn->service = hist_new();
    txn->wait = hist_new();
    if (!txn->type->name || !txn->response || !txn->service || !txn->wait)
        return err_set(err, RC_NOMEM, "no memory for a stored run");
    return RC_OK;
}

/* The workload may be one that this program does not know. */
static enum rc name_workload(struct loading *l, const struct stored_run *run,
                             struct err *err)
{
    struct run_result *r = l->result;
    struct workload *w = ARENA_NEW(&r->arena, struct workload);

    if (!w)
        return err_set(err, RC_NOMEM, "no memory for a stored run");
    w->name = run->workload;
    w->txns = l->types;
    w->n_txns = w->counted_txn = r->n_txns = l->n_types;
    for (size_t i = 0; i < l->n_types; i++) {
        l->types[i].label = words_transaction(run->workload, l->types[i].name);
        if (run->counted && !strcmp(l->types[i].name, run->counted))
            w->counted_txn = i;
    }
    r->workload = w;
    return RC_OK;
}

/* ---- intervals ---- */

static void add_outcomes(struct outcome_counts *to,
                         const struct interval_txn *t)
{
    to->committed += t->committed;
    to->rolled_back += t->rolled_back;
    to->failed += t->failed;
    to->unknown += t->unknown;
    to->retries += t->retries;
}

static enum rc add_interval(void *arg, const struct interval *it,
                            unsigned drop_bits, struct err *err)
{
    struct loading *l = arg;
    struct run_result *r = l->result;

    (void)drop_bits;
    (void)err;
    course_add(&r->course, it);
    if (it->phase == PHASE_RAMP_UP)
        r->ramp_up_ns += it->length_ns;
    if (it->phase == PHASE_MEASURE) {
        r->interval_ns += it->length_ns;
        r->users_active = it->users_active;
    }
    for (size_t i = 0; i < it->n_txns && i < r->n_txns; i++) {
        const struct interval_txn *t = &it->txns[i];
        struct txn_result *to = &r->txns[i];

        add_outcomes(&to->life, t);
        if (it->phase != PHASE_MEASURE)
            continue;
        add_outcomes(&to->measured, t);
        to->statements += t->statements;
        to->round_trips += t->round_trips;
        /* What else there was to wait for is not kept apart. */
        if (r->in_process)
            to->wait_ns += t->wait_ns;
        hist_add(to->response, t->response_hist);
        hist_add(to->service, t->service_hist);
    }
    return RC_OK;
}

/* ---- all ---- */

static void take_head(const struct stored_run *run, struct run_result *r)
{
    r->name = run->name;
    r->number = run->number > 0 ? (uint64_t)run->number : 0;
    r->composition = run->composition;
    r->note = run->note;
    r->target = run->target;
    r->driver = run->driver;
    r->in_process = run->in_process;
    r->no_database = run->no_database;
    r->scale = (uint64_t)run->scale;
    r->n_vus = (uint64_t)run->vus;
    r->n_conns = (uint64_t)run->connections;
    r->n_threads = (uint64_t)run->threads;
    r->started_wall_us = run->started_us;
    (void)!parse_u64(run->seed, &r->seed, NULL);
    (void)!parse_u64(run->data_seed, &r->data_seed, NULL);
    r->run_path_allocations = UINT64_MAX;
    snprintf(r->partial_reason, sizeof(r->partial_reason), "%s",
             run->reason ? run->reason : "the run goes on");
}

enum rc stored_result(struct store *s, const struct stored_run *run,
                      struct run_result *out, struct err *err)
{
    struct loading l = {.result = out};
    struct outcome_counts total;
    enum rc rc;

    take_head(run, out);
    l.settings = ARENA_ARRAY(&out->arena, struct named_setting, SETTINGS_MAX);
    l.types = ARENA_ARRAY(&out->arena, struct txn_type, RESULT_TXNS_MAX);
    if (!l.settings || !l.types)
        return err_set(err, RC_NOMEM, "no memory for a stored run");
    out->settings = l.settings;
    rc = store_each_text(s, run->id, STORED_SETTINGS, add_setting, &l, err);
    if (!rc)
        rc = store_each_text(s, run->id, STORED_FACTS, add_fact, &l, err);
    if (!rc)
        rc = store_each_text(s, run->id, STORED_TXNS, add_type, &l, err);
    if (!rc)
        rc = name_workload(&l, run, err);
    if (!rc)
        rc = store_each_interval(s, run->id, add_interval, &l, err);
    if (rc)
        return rc;
    total = result_total(out);
    out->invalid |= INVALID_WINDOW_INCOMPLETE;
    if (outcome_completed(&total) == 0)
        out->invalid |= INVALID_NOTHING_COMPLETED;
    return RC_OK;
}

/* ---- the summary ---- */

static enum rc summary_of_intervals(struct store *s,
                                    const struct stored_run *run,
                                    struct arena *arena, const char **out,
                                    struct err *err)
{
    struct run_result result;
    char *text = NULL;
    enum rc rc;

    result_init(&result);
    rc = stored_result(s, run, &result, err);
    if (!rc)
        rc = report_json(&result, &text, err);
    if (!rc) {
        *out = arena_strdup(arena, text);
        if (!*out)
            rc = err_set(err, RC_NOMEM, "no memory for a stored run");
    }
    report_json_free(text);
    result_release(&result);
    return rc;
}

enum rc stored_summary(struct store *s, const struct stored_run *run,
                       struct arena *arena, const char **out, struct err *err)
{
    const enum rc rc = store_body(s, run->id, STORED_SUMMARY, arena, out, err);

    if (rc || *out)
        return rc;
    return summary_of_intervals(s, run, arena, out, err);
}
