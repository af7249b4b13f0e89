/* SPDX-License-Identifier: MIT */
#include "cli/keep.h"

#include "base/log.h"
#include "base/mem.h"
#include "report/text.h"
#include "report/words.h"

#include <stdio.h>
#include <string.h>

#define KINDS_OF_TIMES 3

enum rc run_keeper_open(struct run_keeper *k, const char *dir, const char *name,
                        const struct opt_strs *labels, struct err *err)
{
    bool taken = false;
    enum rc rc;

    *k = (struct run_keeper){.dir = dir, .labels = labels, .chosen_name = name};
    rc = store_open(dir, STORE_READ, &k->store, err);
    /* It is made when there is something to keep. */
    if (rc == RC_NOT_FOUND) {
        *err = (struct err){0};
        return RC_OK;
    }
    if (!rc && name)
        rc = store_has_name(k->store, name, &taken, err);
    if (!rc && taken)
        rc = err_set(err, RC_BUSY,
                     "a run named '%s' is in '%s' already; choose another "
                     "--name, or remove it with 'dyno runs rm'",
                     name, store_path(k->store));
    return rc;
}

void run_keeper_close(struct run_keeper *k)
{
    keeper_free(k->keeper);
    store_close(k->store);
    *k = (struct run_keeper){0};
}

enum rc run_keeper_highest(const struct run_keeper *k, uint64_t *out,
                           struct err *err)
{
    *out = 0;
    return k->store ? store_highest_number(k->store, out, err) : RC_OK;
}

/* ---- the head ---- */

static void name_run(struct run_keeper *k, const struct run_result *r)
{
    const struct results_label label = {
        .number = r->number,
        .server = k->server_name ? k->server_name : r->driver,
        .scale = r->scale,
        .n_vus = r->n_vus,
        .n_conns = r->n_conns,
    };

    if (k->chosen_name)
        snprintf(k->name, sizeof(k->name), "%s", k->chosen_name);
    else
        results_name(&label, k->name, sizeof(k->name));
}

/* Texts of the head, in an arena of their own. */
struct texts {
    struct arena arena;
    struct store_text settings[OPT_ROWS_MAX], labels[OPT_STRS_MAX];
    struct store_text facts[RESULT_FACTS_MAX];
    size_t n_settings, n_labels, n_facts;
    const char *txns[RESULT_TXNS_MAX];
};

/* As in a configuration file: ramp_up. */
static void add_setting(void *arg, const struct named_setting *s)
{
    struct texts *t = arg;
    char *name = arena_strdup(&t->arena, s->name);

    if (!name || t->n_settings == OPT_ROWS_MAX)
        return;
    for (char *p = name; *p; p++) {
        if (*p == '-')
            *p = '_';
    }
    t->settings[t->n_settings++] = (struct store_text){
        name, s->value ? arena_strdup(&t->arena, s->value) : NULL, s->source};
}

static void add_labels(struct texts *t, const struct opt_strs *labels)
{
    for (size_t i = 0; i < labels->n; i++) {
        const char *eq = strchr(labels->items[i], '=');
        const char *key = eq ? arena_strndup(&t->arena, labels->items[i],
                                             (size_t)(eq - labels->items[i]))
                             : NULL;

        if (key)
            t->labels[t->n_labels++] =
                (struct store_text){.name = key, .value = eq + 1};
    }
}

static void collect_texts(struct texts *t, const struct run_keeper *k,
                          const struct run_result *r)
{
    arena_init(&t->arena, (size_t)1 << 20);
    result_each_setting(r, add_setting, t);
    add_labels(t, k->labels);
    for (size_t i = 0; i < r->n_facts; i++)
        t->facts[t->n_facts++] = (struct store_text){
            .name = r->facts[i].name, .value = r->facts[i].value};
    for (size_t i = 0; i < r->n_txns; i++)
        t->txns[i] = r->txns[i].type->name;
}

static struct store_head head_of(const struct run_keeper *k,
                                 const struct run_result *r,
                                 const struct texts *t)
{
    const struct workload *wl = r->workload;

    return (struct store_head){
        .name = k->name,
        .number = r->number,
        .workload = wl->name,
        .composition = r->composition,
        .note = r->note,
        .driver = r->driver,
        .target = r->target,
        .version = DYNO_VERSION,
        .counted = wl->counted_txn < wl->n_txns ? wl->txns[wl->counted_txn].name
                                                : NULL,
        .in_process = r->in_process,
        .no_database = r->no_database,
        .scale = r->scale,
        .vus = r->n_vus,
        .connections = r->n_conns,
        .threads = r->n_threads,
        .seed = r->seed,
        .data_seed = r->data_seed,
        .started_us = r->started_wall_us,
        .txns = t->txns,
        .n_txns = r->n_txns,
        .settings = t->settings,
        .n_settings = t->n_settings,
        .labels = t->labels,
        .n_labels = t->n_labels,
        .facts = t->facts,
        .n_facts = t->n_facts,
    };
}

static enum rc begin(void *arg, const struct run_result *r, struct err *err)
{
    struct run_keeper *k = arg;
    struct texts *t = MEM_NEW(struct texts);
    struct store_head head;
    enum rc rc;

    if (!t)
        return err_set(err, RC_NOMEM, "no memory for keeping a run");
    name_run(k, r);
    collect_texts(t, k, r);
    head = head_of(k, r, t);
    rc = k->store ? RC_OK : store_open(k->dir, STORE_WRITE, &k->store, err);
    if (!rc)
        rc = keeper_begin(k->store, &head, &k->keeper, err);
    arena_release(&t->arena);
    mem_free(t);
    return rc;
}

static void keep_interval(void *arg, struct interval *it)
{
    struct run_keeper *k = arg;

    keeper_interval(k->keeper, it);
}

struct series_listener run_keeper_listener(struct run_keeper *k)
{
    return (struct series_listener){
        .begin = begin, .interval = keep_interval, .arg = k};
}

/* ---- the tail ---- */

void run_keeper_settle(struct run_keeper *k, struct run_result *r)
{
    struct err err = {0};

    if (!keeper_settle(k->keeper, &err))
        return;
    log_warn("%s", err.text);
    if (r->complete)
        snprintf(r->partial_reason, sizeof(r->partial_reason), "%.*s",
                 (int)sizeof(r->partial_reason) - 1, err.text);
    r->complete = false;
}

struct findings {
    struct store_error errors[RESULT_ERRORS_MAX];
    struct store_check checks[AUDIT_CHECKS_MAX];
    struct store_hist hists[RESULT_TXNS_MAX * KINDS_OF_TIMES];
    struct store_statement statements[RESULT_STATEMENTS_MAX];
    size_t n_hists;
};

static void add_hist(struct findings *f, const struct txn_result *txn,
                     const char *kind, const struct hist *h)
{
    if (hist_count(h) > 0)
        f->hists[f->n_hists++] = (struct store_hist){txn->type->name, kind, h};
}

static void collect_findings(struct findings *f, const struct run_result *r)
{
    for (size_t i = 0; i < r->n_errors; i++) {
        const struct run_error *e = &r->errors[i];

        f->errors[i] = (struct store_error){
            .name = e->txn < r->n_txns ? r->txns[e->txn].type->name : NULL,
            .class = words_error_class(e->rc),
            .sqlstate = e->sqlstate,
            .text = e->text,
            .native = e->native,
            .count = e->count,
        };
    }
    for (size_t i = 0; i < r->audit.n_checks; i++) {
        const struct audit_check *c = &r->audit.checks[i];

        f->checks[i] = (struct store_check){
            .name = c->name,
            .title = c->title,
            .verdict = audit_verdict_name(c->verdict),
            .detail = c->detail,
            .n_checked = c->n_checked,
            .n_failed = c->n_failed,
        };
    }
    for (size_t i = 0; i < r->n_statements; i++) {
        const struct statement_result *s = &r->statements[i];

        f->statements[i] = (struct store_statement){
            .txn = r->txns[s->txn].type->name,
            .call = words_call(s->call),
            .name = s->name,
            .hist = s->time,
        };
    }
    for (size_t i = 0; i < r->n_txns; i++) {
        add_hist(f, &r->txns[i], "response", r->txns[i].response);
        add_hist(f, &r->txns[i], "service", r->txns[i].service);
        add_hist(f, &r->txns[i], "wait", r->txns[i].wait);
    }
}

/* What report() prints, as a text; NULL when out of memory.  mem_free() it. */
static char *printed(void (*report)(const struct run_result *r, FILE *out),
                     const struct run_result *r)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);

    if (!out)
        return NULL;
    report(r, out);
    return fclose(out) ? NULL : text;
}

enum rc run_keeper_finish(struct run_keeper *k, const struct run_result *r,
                          const char *json, struct err *err)
{
    const struct outcome_counts total = result_total(r);
    struct findings *f = MEM_NEW(struct findings);
    char *text = printed(report_text, r);
    char *markdown = printed(report_markdown, r);
    struct store_tail tail;
    enum rc rc = RC_NOMEM;

    if (!f || !text || !markdown) {
        err_set(err, RC_NOMEM, "no memory for keeping a run");
        goto out;
    }
    collect_findings(f, r);
    tail = (struct store_tail){
        .complete = r->complete,
        .valid = result_valid(r),
        .reason = r->partial_reason[0] ? r->partial_reason : NULL,
        .ended_us = clock_wall_us(),
        .ramp_up_us = r->ramp_up_ns / NS_PER_US,
        .interval_us = r->interval_ns / NS_PER_US,
        .tps = result_per_second(r, outcome_completed(&total)),
        .nopm = result_nopm(r, false),
        .summary = json,
        .text = text,
        .markdown = markdown,
        .errors = f->errors,
        .n_errors = r->n_errors,
        .checks = f->checks,
        .n_checks = r->audit.n_checks,
        .hists = f->hists,
        .n_hists = f->n_hists,
        .statements = f->statements,
        .n_statements = r->n_statements,
    };
    rc = keeper_finish(k->keeper, &tail, err);
out:
    mem_free(text);
    mem_free(markdown);
    mem_free(f);
    return rc;
}

void run_keeper_drop(struct run_keeper *k)
{
    if (k->keeper)
        keeper_drop(k->keeper);
}
