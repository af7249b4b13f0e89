/* SPDX-License-Identifier: MIT */
#include "lab/matrix_loop.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/stop.h"
#include "lab/hook.h"
#include "lab/matrix_check.h"
#include "lab/matrix_needs.h"
#include "lab/matrix_pace.h"
#include "lab/matrix_variant.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PATH_BYTES 4096
#define TEXT_BYTES 512
#define ENV_MAX 12

/* One run on its way. */
struct turn {
    const struct matrix_plan *plan;
    struct matrix_state *state;
    struct venue *venue;
    struct matrix_pace pace;
    size_t k;
    const struct matrix_run *run;
    struct matrix_variant variant;
    const char *env[ENV_MAX]; /* of hooks */
    char log[PATH_BYTES];
    struct variant_result result;
};

/* ---- hooks ---- */

static void set_env(struct turn *t, const char *url)
{
    struct arena *a = &t->variant.arena;
    const struct variant_result *r = &t->result;
    char text[TEXT_BYTES];
    size_t n = 0;

    matrix_cell_text(t->plan->m, t->run->cell, true, text, sizeof(text));
    t->env[n++] = arena_printf(a, "DYNO_DB=%s", url);
    t->env[n++] = arena_printf(a, "DYNO_RESULTS=%s", t->state->results);
    t->env[n++] = arena_printf(a, "MATRIX_NAME=%s", t->plan->m->name);
    t->env[n++] = arena_printf(a, "MATRIX_DIR=%s", t->state->dir);
    t->env[n++] = arena_printf(a, "MATRIX_NUMBER=%zu", t->k + 1);
    t->env[n++] = arena_printf(a, "MATRIX_VARIANT=%s", text);
    t->env[n++] =
        arena_printf(a, "MATRIX_SERVER=%s", t->run->cell->server->name);
    /* Of the run, once it has been made. */
    t->env[n++] = arena_printf(a, "MATRIX_RUN=%s", r->name);
    t->env[n] = NULL;
}

/* What the hooks find is of the whole run, so that is a failure of it. */
static bool hook_passes(struct turn *t, const char *when, const char *command)
{
    struct variant_result *r = &t->result;
    struct err err = {0};
    enum rc rc = RC_OK;

    if (command)
        rc = hook_run(command, t->env, t->log, &err);
    if (!rc)
        return true;
    log_warn("run %zu: hook '%s': %s; its output is in '%s'", t->k + 1, when,
             err.text, t->log);
    if (rc == RC_CANCELLED && !r->run) {
        r->outcome = VARIANT_INTERRUPTED;
        return false;
    }
    if (!r->run)
        r->outcome = VARIANT_FAILED;
    snprintf(r->reason, sizeof(r->reason), "hook '%s': %.200s", when, err.text);
    return false;
}

/* ---- one run ---- */

static void not_made(struct turn *t, enum rc rc, const struct err *err)
{
    t->result.outcome = rc == RC_CANCELLED || stop_requested()
                            ? VARIANT_INTERRUPTED
                            : VARIANT_FAILED;
    snprintf(t->result.reason, sizeof(t->result.reason), "%.500s", err->text);
}

static enum rc make_run(struct turn *t, const char *url, bool replace,
                        struct err *err)
{
    const struct matrix_hooks *hooks = &t->plan->m->hooks;
    struct matrix_variant *mv = &t->variant;
    char tag[64];
    struct variant v = {
        .workload = t->plan->m->workload,
        .url = url,
        .server = t->run->cell->server->name,
        .results = t->state->results,
        .options = mv->options,
        .labels = mv->labels,
        .n_labels = mv->n_labels,
        .tag = {"variant", tag},
        .log = t->log,
        .around = hooks->around,
        .env = t->env,
        .keep_fd = journal_fd(t->state->journal),
        .poll = matrix_pace_poll,
        .arg = &t->pace,
    };

    if (replace && mv->n_options < ARRAY_LEN(mv->options))
        mv->options[mv->n_options++] = (struct variant_text){"replace", "on"};
    v.n_options = mv->n_options;
    matrix_state_tag(t->state, t->k, tag, sizeof(tag));
    return variant_run(&v, &t->result, err);
}

/* A hook that fails before the first run of all would fail before each of
 * them: nothing has run yet, so the plan waits for a better one. */
static enum rc mend_hook_first(const struct turn *t, struct err *err)
{
    for (size_t i = 0; i < t->plan->n_runs; i++) {
        if (t->state->records[i].step == STEP_ENDED)
            return RC_OK;
    }
    if (t->result.outcome == VARIANT_INTERRUPTED)
        return RC_OK;
    return err_set(err, RC_USAGE,
                   "%s:%zu: hooks: before: run %zu: %s; its output is in '%s'. "
                   "Nothing has run; mend it and go on with --resume",
                   t->plan->m->tree.path, t->plan->m->hooks.before_line,
                   t->k + 1, t->result.reason, t->log);
}

static enum rc play(struct turn *t, struct err *err)
{
    const struct matrix_hooks *hooks = &t->plan->m->hooks;
    const struct venue_want want =
        matrix_variant_want(t->plan, t->run, &t->variant);
    const char *url = NULL;
    bool replace = false;
    struct err why = {0};
    enum rc rc;

    rc = venue_ready(t->venue, &want, &url, &replace, &why);
    if (rc) {
        not_made(t, rc, &why);
        return RC_OK;
    }
    set_env(t, url);
    if (hook_passes(t, "before", hooks->before)) {
        rc = make_run(t, url, replace, err);
        set_env(t, url);
        if (!rc && t->result.outcome != VARIANT_INTERRUPTED)
            (void)hook_passes(t, "after", hooks->after);
    } else {
        rc = mend_hook_first(t, err);
    }
    if (!rc && venue_done(t->venue, &why))
        log_warn("after run %zu: %s", t->k + 1, why.text);
    return rc;
}

static enum rc take_turn(struct turn *t, struct err *err)
{
    const struct mono began = clock_now();
    enum rc rc;

    t->run = &t->plan->runs[t->k];
    t->result = (struct variant_result){.outcome = VARIANT_FAILED};
    snprintf(t->log, sizeof(t->log), "%s/%03zu.log", t->state->dir, t->k + 1);
    rc = matrix_variant_make(t->plan, t->run, &t->variant, err);
    if (rc)
        return rc;
    rc = matrix_state_begin(t->state, t->k, err);
    if (!rc) {
        matrix_pace_begin(&t->pace, t->k);
        rc = play(t, err);
    }
    if (!rc)
        rc = matrix_state_end(t->state, t->k, &t->result,
                              mono_since(clock_now(), began) / NS_PER_S, err);
    if (!rc)
        matrix_pace_end(&t->pace, t->log);
    matrix_variant_release(&t->variant);
    return rc;
}

static enum rc all_turns(struct turn *t, struct err *err)
{
    enum rc rc = RC_OK;

    for (t->k = 0; !rc && t->k < t->plan->n_runs && !stop_requested(); t->k++) {
        if (t->state->records[t->k].step != STEP_ENDED)
            rc = take_turn(t, err);
    }
    if (!rc && stop_requested())
        rc = err_set(err, RC_CANCELLED, "interrupted");
    return rc ? rc : matrix_state_done(t->state, err);
}

enum rc matrix_loop(const struct matrix_plan *plan, struct matrix_state *state,
                    struct err *err)
{
    struct turn *t = MEM_NEW(struct turn);
    struct venue_args args = {
        .name = plan->m->name,
        .workload = plan->m->workload,
        .poll = matrix_pace_poll,
    };
    char log[PATH_BYTES];
    enum rc rc;

    if (!t)
        return err_set(err, RC_NOMEM, "out of memory");
    snprintf(log, sizeof(log), "%s/load.log", state->dir);
    args.log = log;
    args.keep_fd = journal_fd(state->journal);
    args.arg = &t->pace;
    t->plan = plan;
    t->state = state;
    matrix_pace_init(&t->pace, plan, state);
    rc = venue_new(&args, &t->venue, err);
    if (!rc)
        rc = all_turns(t, err);
    venue_free(t->venue);
    mem_free(t);
    return rc;
}

/* ---- before ---- */

static enum rc check_hook(const struct matrix *m, const char *name,
                          const char *command, size_t line, struct err *err)
{
    const enum rc rc = command ? hook_check(command, err) : RC_OK;

    if (rc)
        err_prefix(err, "%s:%zu: hooks: %s", m->tree.path, line, name);
    return rc;
}

static enum rc check_venues(const struct matrix_plan *plan, struct err *err)
{
    const struct venue_args args = {
        .name = plan->m->name,
        .workload = plan->m->workload,
        .keep_fd = -1,
    };
    struct venue *s = NULL;
    enum rc rc = venue_new(&args, &s, err);

    for (size_t i = 0; !rc && i < plan->n_cells; i++) {
        const struct matrix_run run = {.cell = &plan->cells[i], .repeat = 1};
        struct matrix_variant *v = MEM_NEW(struct matrix_variant);
        struct venue_want want;

        rc = v ? matrix_variant_make(plan, &run, v, err)
               : err_set(err, RC_NOMEM, "out of memory");
        if (!rc) {
            want = matrix_variant_want(plan, &run, v);
            rc = venue_check(s, &want, err);
            if (rc)
                err_prefix(err, "%s:%zu: server '%s'", plan->m->tree.path,
                           want.server->line, want.server->name);
            matrix_variant_release(v);
        }
        mem_free(v);
    }
    venue_free(s);
    return rc;
}

enum rc matrix_preflight(const struct matrix_plan *plan, struct err *err)
{
    const struct matrix *m = plan->m;
    const struct matrix_hooks *h = &m->hooks;
    enum rc rc = check_hook(m, "before", h->before, h->before_line, err);

    if (!rc)
        rc = check_hook(m, "after", h->after, h->after_line, err);
    if (!rc)
        rc = check_hook(m, "around", h->around, h->around_line, err);
    if (!rc)
        rc = matrix_check(plan, err);
    if (!rc)
        rc = check_venues(plan, err);
    return rc ? rc : matrix_needs_check(plan, err);
}
